"""The catalogue of mechanisms, one file a family; installed as `alignkit.mechanisms`."""
