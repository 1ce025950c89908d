"""Personal data: found by form and arithmetic, masked once, and left alone where it only looks like it."""

import itertools
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.language import pii
from recollect.language.pii import LABELS, masked, personal

any_text = st.text(alphabet=st.characters(exclude_categories=()), max_size=300)
numbers = st.lists(
    st.sampled_from([*"0123456789", *" -.()+/:@", "phone ", "ssn ", "+90 ", "(415) ", "555", "1234"]),
    max_size=20,
).map("".join)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Mail ada.lovelace+x@mail.example.org now", "Mail [email] now"),
        ("call +90 532 123 45 67", "call [phone]"),
        ("call +1-415-555-2671 today", "call [phone] today"),
        ("call (415) 555-2671", "call [phone]"),
        ("Telefonum 0532 123 45 67", "Telefonum [phone]"),
        ("cep 5321234567", "cep [phone]"),
        ("tel: 555 1234", "tel: [phone]"),
        ("IBAN TR33 0006 1005 1978 6457 8413 26 benim", "IBAN [iban] benim"),
        ("GB82WEST12345698765432", "[iban]"),
        ("card 4111 1111 1111 1111 ok", "card [card number] ok"),
        ("card 5500-0000-0000-0004", "card [card number]"),
        ("amex 378282246310005", "amex [card number]"),
        ("TC kimlik 10000000146", "TC kimlik [national id]"),
        ("SSN 078-05-1120", "SSN [national id]"),
        ("my ssn is 078051120", "my ssn is [national id]"),
        ("from 203.0.113.7 and 2001:db8::1", "from [ip address] and [ip address]"),
        ("I live at 221 Baker Street, London", "I live at [address], London"),
        ("to 1600 Amphitheatre Parkway, Mountain View, CA 94043", "to [address]"),
        ("Atatürk Mahallesi, Gül Sokak No: 12/3", "[address]"),
        ("Bağdat Caddesi No 45'te", "[address]'te"),
    ],
)
def test_personal_data_is_masked_as_what_it_is(text, expected):
    assert masked(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "card 4111 1111 1111 1112",
        "card 0000 0000 0000 0000",
        "IBAN TR33 0006 1005 1978 6457 8413 27",
        "TC kimlik 10000000147",
        "TC kimlik 01000000146",
        "id 12345678901",
        "SSN 000-12-3456 and 666-12-3456 and 123-00-4567",
        "version 10.0.0.1 and v1.2.3.4",
        "localhost is 127.0.0.1 or ::1",
        "999.1.1.1 is no address",
        "on 2026-03-01 at 10:30:15, order 20260301",
        "pi is 3.14159265358979",
        "5 people on the street",
        "12 days road trip",
        "at 7 PM at Queen St",
        "@ada wrote it",
        "Caddesi çok güzel",
        "",
    ],
)
def test_what_only_looks_like_it_is_left_alone(text):
    assert personal(text) == ()


def test_a_finding_says_where_it_is_and_not_what_it_says():
    text = "Yaz: ada@example.org, ara: 0532 123 45 67"
    found = personal(text)
    assert [(each.label, text[each.start : each.end]) for each in found] == [
        ("email", "ada@example.org"),
        ("phone", "0532 123 45 67"),
    ]
    assert "ada" not in repr(found)


def test_only_the_asked_labels_are_masked():
    assert masked("ada@example.org +90 532 123 45 67", labels={"phone"}) == "ada@example.org [phone]"


@pytest.mark.parametrize("place", range(16))
def test_one_wrong_digit_is_no_card(place):
    digits = list("4539578763621486")
    assert personal("".join(digits))[0].label == "card number"
    digits[place] = str((int(digits[place]) + 1) % 10)
    assert not any(each.label == "card number" for each in personal("".join(digits)))


@given(st.integers(min_value=100_000_000, max_value=999_999_999))
def test_every_number_with_its_check_digits_is_a_national_id(first):
    digits = [int(digit) for digit in str(first)]
    tenth = (7 * sum(digits[0::2]) - sum(digits[1::2])) % 10
    whole = f"{first}{tenth}{(sum(digits) + tenth) % 10}"
    assert [each.label for each in personal(f"TCKN: {whole}.")] == ["national id"]


@given(any_text)
def test_any_text_gives_disjoint_findings_and_is_masked_once(text):
    found = personal(text)
    assert all(each.label in LABELS and 0 <= each.start < each.end <= len(text) for each in found)
    assert all(a.end <= b.start for a, b in itertools.pairwise(found))
    assert len(masked(text)) <= 4 * len(text) + 16


@given(numbers)
def test_a_text_that_is_looked_at_briefly_has_nothing_that_a_closer_look_would_find(text):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pii, "_OF_SHORT_NUMBERS", pii._DETECTORS)
        closely = personal(text)
    assert personal(text) == closely


@pytest.mark.parametrize("text", ["a@b.co 4111 1111 1111 1111", "call +90 532 123 45 67 at 221 Baker Street"])
def test_a_masked_text_stays_as_it_is(text):
    assert masked(masked(text)) == masked(text)


@pytest.mark.parametrize(
    "piece", ["1 ", "a@", "1.", "TR33 ", "5 a ", "+1 ", "a:", "4111 ", "abcd ", "12 Main ", "a@b.co "]
)
def test_a_long_text_takes_time_in_proportion(piece):
    started = time.perf_counter()
    personal((piece * 100_000)[:100_000])
    assert time.perf_counter() - started < 5
