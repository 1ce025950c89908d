"""Texts as a tokenizer or a JSON document can take them."""


def well_formed(text: str) -> str:
    r"""The text with every lone surrogate replaced by U+FFFD, and split pairs joined.

    >>> well_formed("caf\ud800é")
    'caf�é'
    """
    if text.isascii():
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
