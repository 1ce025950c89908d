"""Code between fences: what somebody shows, beside what they say."""

import re
from typing import Final

FENCED: Final = re.compile(r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)", re.DOTALL)


def beside_code(text: str) -> str:
    r"""The text without its code, in lines of their own where code stood between them.

    >>> beside_code("I use tabs:\n```\nx = 1\n```\nand vim.")
    'I use tabs:\n\n\nand vim.'
    """
    return FENCED.sub("\n", text)
