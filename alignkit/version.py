"""The version of alignkit."""

__version__ = "0.1.0"
