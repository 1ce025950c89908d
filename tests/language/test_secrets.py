"""Secrets: none of them is kept, hardly anything else is lost, and neither takes long."""

import os
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recollect.evals.sets.credentials import LETTERS_DIGITS, Maker, credentials
from recollect.language import secret_plugins
from recollect.language.secret_detectors import worth_trying
from recollect.language.secrets import Finding, Redaction, content_is_ignored, redact

MADE = credentials(seed=20261115)
ORDINARY = Path(__file__).with_name("ordinary_sentences.txt").read_text("utf-8").splitlines()
PLAIN = (
    "We talked about the new garden on Sunday and agreed that the roses should go near the fence, because the light is "
    "better there, and that Ayla brings the tools while Tom orders soil and seeds."
)


def survives(part: str, text: str, slice_length: int = 12) -> bool:
    slices = (part[at : at + slice_length] for at in range(max(1, len(part) - slice_length + 1)))
    return any(piece in text for piece in slices)


def test_the_made_set_is_as_large_and_as_varied_as_promised():
    assert len(MADE) >= 500
    assert len({made.kind for made in MADE}) >= 25
    assert all(made.random_part in made.text for made in MADE)


def test_no_made_credential_survives_not_even_a_slice_of_it():
    survivors = [made.kind for made in MADE if survives(made.random_part, redact(made.text).text)]
    assert survivors == []


def test_no_finding_tells_any_of_the_secret():
    for made in MADE:
        told = " ".join(f"{finding.kind} {finding.reason}" for finding in redact(made.text).findings)
        assert told
        assert not survives(made.random_part, told, 6)


def test_a_redacted_text_is_left_as_it_is():
    for made in MADE:
        once = redact(made.text)
        assert redact(once.text) == Redaction(once.text, ())


def test_hardly_an_ordinary_sentence_is_changed():
    assert len(ORDINARY) >= 150
    assert [sentence for sentence in ORDINARY if redact(sentence).text != sentence] == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("my password is hunter2", "my password is [redacted:password]"),
        ('{"x.io": {"auth": "YWRhOmtlZGktMTIzNA=="}}', '{"x.io": {"auth": "[redacted:basic-auth]"}}'),
        ("//npm.x.io/:_auth=YWRhOmtlZGktMTIzNA==", "//npm.x.io/:_auth=[redacted:basic-auth]"),
        ('{"auth": "required12", "kind": "auth"}', '{"auth": "required12", "kind": "auth"}'),
        (f"use sk_{'0a1b2c3d' * 6} there", "use [redacted:api-key] there"),
        (f"of task_{'0a1b2c3d' * 6}", f"of task_{'0a1b2c3d' * 6}"),
        ("My password is sunshine.", "My password is [redacted:password]."),
        ("my password is 12345678, ok?", "my password is [redacted:password], ok?"),
        ('The passphrase is "four words say enough"', 'The passphrase is "[redacted:password]"'),
        (
            "the password for the wifi at home is kedi1234 now",
            "the password for the wifi at home is [redacted:password] now",
        ),
        ("I changed my password to summer-24! today", "I changed my password to [redacted:password] today"),
        ("hunter2 is my password", "[redacted:password] is my password"),
        ("şifrem kedi1234", "şifrem [redacted:password]"),
        ("ŞİFREM: KEDİ1234", "ŞİFREM: [redacted:password]"),
        ("parolam 'kedi1234' oldu", "parolam '[redacted:password]' oldu"),
        ("şifremi kedi1234 yaptım", "şifremi [redacted:password] yaptım"),
        ("my PIN is 4821.", "my PIN is [redacted:pin]."),
        ("postgres://user:pass@host/db", "postgres://user:[redacted:url-password]@host/db"),
        ("redis://:hunter2@localhost:6379/0", "redis://:[redacted:url-password]@localhost:6379/0"),
        ("amqp://u:p@ss@host", "amqp://u:[redacted:url-password]@host"),
        ("Server=db;Password=hunter2;User=sa", "Server=db;Password=[redacted:password];User=sa"),
        ('{"password":"hunter2","user":"ada"}', '{"password":"[redacted:password]","user":"ada"}'),
        ("{'password': 'hunter2', 'n': 1}", "{'password': '[redacted:password]', 'n': 1}"),
        ('"{\\"password\\": \\"hunter2\\"}"', '"{\\"password\\": \\"[redacted:password]\\"}"'),
        ("log: user=ada password=hunter2\\nnext", "log: user=ada password=[redacted:password]\\nnext"),
        ("DB_PASS=sunshine\nDB_HOST=db", "DB_PASS=[redacted:password]\nDB_HOST=db"),
        ("export JWT_SECRET=keyboardcat", "export JWT_SECRET=[redacted:secret]"),
        ("password: sunshine # change me", "password: [redacted:password] # change me"),
        ("- **Password:** `hunter2`", "- **Password:** `[redacted:password]`"),
        ('var password string = "hunter2"', 'var password string = "[redacted:password]"'),
        ('password := "hunter2"', 'password := "[redacted:password]"'),
        ("login(user='ada', password='hunter2')", "login(user='ada', password='[redacted:password]')"),
        ("<db:Password>hunter2</db:Password>", "<db:Password>[redacted:password]</db:Password>"),
        ("curl -u ada:letmein https://example.org", "curl -u ada:[redacted:password] https://example.org"),
        ("mysql -u root -phunter2 main", "mysql -u root -p[redacted:password] main"),
        ("tool --password sunshine --force", "tool --password [redacted:password] --force"),
        ("?user=ada&password=hunter2&page=2", "?user=ada&password=[redacted:password]&page=2"),
        ('password = "hunter2', 'password = "[redacted:password]'),
    ],
)
def test_only_the_secret_is_taken_out(text, expected):
    assert redact(text).text == expected


def test_findings_come_in_the_order_of_the_text_with_their_reasons():
    assert redact("my PIN is 4821 and my password is hunter2").findings == (
        Finding("pin", "is said to be the pin"),
        Finding("password", "is said to be the password"),
    )


def test_the_surest_rule_names_a_secret_that_several_find():
    token = "gh" + "p_" + Maker(1).of(LETTERS_DIGITS, 36)
    assert redact(f"token: {token}").text == "token: [redacted:github-token]"


@pytest.mark.parametrize("length", [100, 1_000, 100_000])
def test_a_long_secret_is_taken_out_to_its_end(length):
    secret = Maker(2).of(LETTERS_DIGITS, length)
    for text in ("password={}", 'api_key = "{}"', "Authorization: Bearer {}", "the token: {} end"):
        assert not survives(secret, redact(text.format(secret)).text)


def test_a_private_key_without_its_last_line_is_taken_out_and_the_talk_after_it_kept():
    armour, body = Maker(3).armour("RSA PRIVATE KEY")
    cut = armour[: armour.rindex("\n")]
    text = redact(f"Here it is:\n{cut}\nPlease use it well, and tell nobody.").text
    assert not any(survives(line, text) for line in body.split("\n"))
    assert text.endswith("Please use it well, and tell nobody.")


def test_two_keys_are_two_findings():
    maker = Maker(4)
    first, second = maker.armour("EC PRIVATE KEY")[0], maker.armour("PGP PRIVATE KEY BLOCK")[0]
    assert redact(f"{first}\nand\n{second}").text == "[redacted:private-key]\nand\n[redacted:private-key]"


FRAGMENTS = st.one_of(
    st.sampled_from(
        sorted(
            {
                trigger
                for _, one in worth_trying("".join(made.text for made in MADE))
                for trigger in one.triggers
            }
        )
    ),
    st.sampled_from(
        [
            "",
            " ",
            "=",
            ": ",
            '"',
            "'",
            " is ",
            "\n",
            "\\n",
            "@",
            "://",
            "-",
            ";",
            "[redacted:x]",
            "[redacted:",
        ]
    ),
    st.sampled_from(["hunter2", "Kedi.1234", "4821", "my", "a1b2c3d4e5f6a7b8c9d0", "4" + "1" * 15]),
    st.sampled_from(MADE).flatmap(
        lambda made: st.integers(0, len(made.text)).map(lambda at: made.text[at : at + 40])
    ),
    st.text(alphabet=st.characters(exclude_categories=()), max_size=10),
)


@settings(max_examples=300)
@given(st.lists(FRAGMENTS, max_size=12).map("".join))
def test_any_text_is_redacted_once_and_changed_nowhere_else(text):
    redaction = redact(text)
    assert redact(redaction.text) == Redaction(redaction.text, ())
    assert (redaction.text == text) == (not redaction.findings)
    at = 0
    for kept in re.split(r"\[redacted:[a-z0-9-]+\]", redaction.text):
        at = text.index(kept, at) + len(kept)


def test_broken_characters_are_no_obstacle():
    assert redact("\x00\ud800 my password is hunter2\udfff\x00").findings
    assert redact("\ud800" * 50).text == "\ud800" * 50


def seconds(action, repeats=1):
    best = float("inf")
    for _ in range(repeats):
        start = time.thread_time()
        action()
        best = min(best, time.thread_time() - start)
    return best


def test_a_plain_sentence_takes_sixty_microseconds_at_most():
    assert len(PLAIN) >= 190
    assert redact(PLAIN).text == PLAIN
    assert seconds(lambda: [redact(PLAIN) for _ in range(20)], repeats=200) / 20 < 60e-6


@pytest.mark.parametrize(
    "unit",
    [
        "password ",
        "password=",
        'password="',
        "password:\n",
        "token is for ",
        "api key ",
        "a://b:",
        "a://b:c@",
        "//x/:_authToken=",
        "eyJ",
        "eyJabcdefgh.",
        "sk-",
        "aws/Ab1",
        "AKIAAAAA",
        "xoxb-1-",
        "glagent-a",
        "-----BEGIN RSA PRIVATE " + "KEY-----",
        "12345678:",
        "4111 ",
        "aB3/",
        "0a",
        "[redacted:a]",
        "\\n",
        "<password ",
        "--password-",
    ],
    ids=ascii,
)
def test_twice_the_text_takes_no_more_than_three_times_as_long(unit):
    once = unit * (30_000 // len(unit))
    redact(once[:1000])
    for _ in range(3):
        short, long = seconds(lambda: redact(once), 2), seconds(lambda: redact(once * 2), 2)
        # Below this, the clock and other processes say more than the code.
        if long <= max(3 * short, 0.02):
            return
    pytest.fail(f"{short:.3f} s became {long:.3f} s")


@pytest.mark.parametrize(
    "tail",
    [
        "",
        *(pytest.param(unit * 500_000, marks=pytest.mark.slow) for unit in (" ", "a1", "--")),
        "password " * 5_000,
    ],
    ids=["nothing", "spaces", "letters and digits", "dashes", "keywords"],
)
def test_five_megabytes_take_seconds_and_lose_nothing(tail):
    text = (PLAIN + "\n") * (5_000_000 // len(PLAIN)) + "my password is hunter2\n" + tail
    redaction = None

    def run():
        nonlocal redaction
        redaction = redact(text)

    assert seconds(run) < 60
    assert "hunter2" not in redaction.text
    assert redaction.text.startswith(PLAIN)


def python(code, **environment):
    environment = {
        name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"
    } | environment
    run = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    )
    return run.stdout.split()


def test_importing_takes_five_milliseconds_at_most(tmp_path):
    # What the package and the standard library cost, and compiling, is not ours.
    code = (
        "import dataclasses, fnmatch, importlib, re, sys, time, typing, recollect.language\n"
        "for name in [name for name in sys.modules if 'language.secret' in name or 'ignored_paths' in name]:\n"
        "    del sys.modules[name]\n"
        "before = time.process_time()\n"
        "importlib.import_module('recollect.language.secrets')\n"
        "print(time.process_time() - before, 'detect_secrets' in sys.modules)"
    )
    runs = [python(code, PYTHONPYCACHEPREFIX=str(tmp_path)) for _ in range(4)]
    assert {loaded for _, loaded in runs} == {"False"}
    assert min(float(took) for took, _ in runs) < 0.005


def test_the_detector_library_is_loaded_for_suspicious_text_only():
    code = (
        "import sys; from recollect.language.secrets import redact\n"
        "redact('The laws of Asia, my password is hunter2, see https://example.org'); print('detect_secrets' in sys.modules)\n"
        "redact('AK' + 'IA' + '2' * 16); print('detect_secrets' in sys.modules)"
    )
    assert python(code) == ["False", "True"]


LEFT_OUT = {
    "basic_auth",
    "cloudant",
    "discord",
    "high_entropy_strings",
    "ibm_cloud_iam",
    "ibm_cos_hmac",
    "ip_public",
    "jwt",
    "keyword",
    "npm",
    "openai",
    "private_key",
    "softlayer",
    "telegram_token",
    "twilio",
}


def test_every_plugin_of_the_detector_library_is_used_or_left_out_on_purpose():
    import detect_secrets.plugins

    there = {path.stem for path in Path(detect_secrets.plugins.__file__).parent.glob("*.py")} - {
        "__init__",
        "base",
    }
    used = {plugin.module for plugin in secret_plugins.PLUGINS}
    assert used | LEFT_OUT == there
    assert not used & LEFT_OUT
    assert all(secret_plugins._patterns(plugin.module, plugin.name) for plugin in secret_plugins.PLUGINS)


@pytest.mark.parametrize(
    "path",
    [
        ".env",
        "app/.env.production",
        "prod.env",
        "server.PEM",
        "C:\\keys\\site.key",
        "/home/ada/.ssh/id_rsa",
        "id_ed25519.bak",
        "store.p12",
        "~/.netrc",
        ".pgpass",
        "/home/ada/.aws/credentials",
        "credentials.json",
        "secrets.yaml",
        "config/prod-secrets.yml",
        "/run/secrets/db_password",
        ".npmrc",
        "terraform.tfstate",
    ],
)
def test_files_of_secrets_are_not_read(path):
    assert content_is_ignored(path)


@pytest.mark.parametrize(
    "path",
    [
        "README.md",
        "src/environment.py",
        "monkey.py",
        "keys.md",
        "docs/secretary.txt",
        "envelope.txt",
        "",
        "/",
    ],
)
def test_other_files_are_read(path):
    assert content_is_ignored(path) is None


def test_an_ignored_file_is_named_with_its_reason():
    assert content_is_ignored("a/.env.local") == "files named like .env.local hold environment variables"
    assert content_is_ignored("/home/ada/.ssh/config") == "the folder .ssh holds secrets"
