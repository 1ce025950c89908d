"""Embedders and other models behind the ports."""
