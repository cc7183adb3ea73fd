"""Attacks by samples: on any sampler, by events learnt from data, certified by fresh samples."""
