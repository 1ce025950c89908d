"""The verbs, by noun; each module has a Typer app of its own."""
