"""Pure text: what can be read off a string without a store or a model."""
