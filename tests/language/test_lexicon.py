"""Letters as patterns see them."""

import sys

from recollect.language.lexicon import fold


def test_no_letter_has_anything_left_to_fold():
    letters = [chr(one) for one in range(sys.maxunicode + 1) if not 0xD800 <= one < 0xE000]
    folded = fold(" ".join(letters))
    assert fold(folded) == folded
    assert fold("℠ ℃") == "sm °c"
