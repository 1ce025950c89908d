"""Credentials that never existed, of every kind that must not be stored, in the places where people leave them.

Each is put together from parts when the tests run, so that no file of the repository holds one.
"""

import base64
import json
import string
from collections.abc import Callable
from dataclasses import dataclass
from random import Random

LETTERS_DIGITS = string.ascii_letters + string.digits
URL_SAFE = LETTERS_DIGITS + "-_"
BASE64 = LETTERS_DIGITS + "+/"
HEX = "0123456789abcdef"
# Signs that a password can have and that end no unquoted value.
PASSWORD = LETTERS_DIGITS + "!@#%^*_+=.~?-"


@dataclass(frozen=True, slots=True)
class Credential:
    """A text with a secret in it, and the random part that must not survive."""

    kind: str
    text: str
    random_part: str


class Maker:
    """Random strings of one seed."""

    def __init__(self, seed: int) -> None:
        self.rng = Random(seed)  # noqa: S311 - they open nothing

    def of(self, alphabet: str, length: int) -> str:
        # As issuers do, never all letters or all digits.
        while True:
            made = "".join(self.rng.choices(alphabet, k=length))
            if any(map(str.isdigit, made)) and any(map(str.isalpha, made)):
                return made

    def uuid(self) -> str:
        return "-".join(self.of(HEX, length) for length in (8, 4, 4, 4, 12))

    def lines(self, count: int) -> str:
        return "\n".join(self.of(BASE64, 64) for _ in range(count)) + "\n" + self.of(BASE64, 22) + "=="

    def armour(self, label: str) -> tuple[str, str]:
        body = self.lines(self.rng.randint(3, 12))
        dashes = "-" * 5
        return f"{dashes}BEGIN {label}{dashes}\n{body}\n{dashes}END {label}{dashes}", body

    def web_token(self) -> tuple[str, str]:
        claims = [
            {"alg": "HS256", "typ": "JWT"},
            {"sub": self.of(HEX, 12), "iat": self.rng.randint(10**9, 2 * 10**9)},
        ]
        parts = [
            base64.urlsafe_b64encode(json.dumps(claim).encode()).decode().rstrip("=") for claim in claims
        ]
        signature = self.of(URL_SAFE, 43)
        return ".".join([*parts, signature]), signature

    def telegram(self) -> tuple[str, str]:
        part = self.of(URL_SAFE, 35)
        return f"{self.rng.randint(10**8, 10**10 - 1)}:{part}", part

    def card(self) -> str:
        digits = [int(digit) for digit in self.rng.choice(["4", "51", "55", "2221", "6011"])]
        digits += [self.rng.randrange(10) for _ in range(15 - len(digits))]
        doubled = [
            sum(divmod(2 * digit, 10)) if place % 2 == 0 else digit for place, digit in enumerate(digits)
        ]
        digits.append(-sum(doubled) % 10)
        sign = self.rng.choice(["", " ", "-"])
        number = "".join(map(str, digits))
        return sign.join(number[at : at + 4] for at in range(0, 16, 4))


def _prefixed(prefix: str, alphabet: str, length: int) -> Callable[[Maker], tuple[str, str]]:
    return _joined(prefix + "{}", (alphabet, length))


def _joined(pattern: str, *parts: tuple[str, int]) -> Callable[[Maker], tuple[str, str]]:
    def make(maker: Maker) -> tuple[str, str]:
        made = [maker.of(alphabet, length) for alphabet, length in parts]
        return pattern.format(*made), made[-1]

    return make


# Known wherever they stand.
FORMS: dict[str, Callable[[Maker], tuple[str, str]]] = {
    "AWS access key": _prefixed("AK" + "IA", string.ascii_uppercase + "234567", 16),
    "GitHub personal": _prefixed("gh" + "p_", LETTERS_DIGITS, 36),
    "GitHub OAuth": _prefixed("gh" + "o_", LETTERS_DIGITS, 36),
    "GitHub fine-grained": _joined("github" + "_pat_{}_{}", (LETTERS_DIGITS, 22), (LETTERS_DIGITS, 59)),
    "GitLab": _prefixed("gl" + "pat-", URL_SAFE, 20),
    "Slack bot": _joined(
        "xo" + "xb-{}-{}-{}", (string.digits + "1a", 12), (string.digits + "1a", 12), (LETTERS_DIGITS, 24)
    ),
    "Slack webhook": _joined(
        "https://hooks." + "slack.com/services/T{}/B{}/{}",
        (LETTERS_DIGITS, 8),
        (LETTERS_DIGITS, 8),
        (LETTERS_DIGITS, 24),
    ),
    "Stripe live": _prefixed("sk" + "_live_", LETTERS_DIGITS, 24),
    "Stripe restricted": _prefixed("rk" + "_live_", LETTERS_DIGITS, 99),
    "OpenAI": _joined("sk" + "-{}T3Blbk" + "FJ{}", (LETTERS_DIGITS, 20), (LETTERS_DIGITS, 20)),
    "OpenAI project": _prefixed("sk" + "-proj-", URL_SAFE, 120),
    "Anthropic": _prefixed("sk" + "-ant-api03-", URL_SAFE, 95),
    "Google API": _prefixed("AI" + "za", URL_SAFE, 35),
    "Google OAuth": _prefixed("GOC" + "SPX-", URL_SAFE, 28),
    "Azure storage": _prefixed(
        "DefaultEndpointsProtocol=https;AccountName=store;Account" + "Key=", BASE64, 86
    ),
    "Azure SAS": _prefixed(
        "https://store.blob.core.windows.net/box?sv=2024-11-04&se=2027-01-01&sig=", LETTERS_DIGITS, 43
    ),
    "Twilio": _prefixed("SK", HEX, 32),
    "SendGrid": _joined("SG" + ".{}.{}", (URL_SAFE, 22), (URL_SAFE, 43)),
    "Mailgun": _prefixed("key" + "-", HEX, 32),
    "Mailchimp": _joined("{}-us12", (HEX, 32)),
    "npm": _prefixed("np" + "m_", LETTERS_DIGITS, 36),
    "PyPI": _prefixed("py" + "pi-AgEIcHlwaS5vcmc", URL_SAFE, 150),
    "Discord": _joined("M{}.{}.{}", (LETTERS_DIGITS, 23), (URL_SAFE, 6), (URL_SAFE, 27)),
    "Telegram": Maker.telegram,
    "DigitalOcean": _prefixed("dop" + "_v1_", HEX, 64),
    "Hugging Face": _prefixed("h" + "f_", string.ascii_letters + "1", 34),
    "Shopify": _prefixed("shp" + "at_", HEX, 32),
    "Square": _prefixed("sq0" + "csp-", URL_SAFE, 43),
    "Databricks": _prefixed("da" + "pi", HEX, 32),
    "Vault": _prefixed("hv" + "s.", LETTERS_DIGITS, 90),
    "web token": Maker.web_token,
    "RSA key": lambda maker: maker.armour("RSA PRIVATE KEY"),
    "OpenSSH key": lambda maker: maker.armour("OPENSSH PRIVATE KEY"),
    "PKCS8 key": lambda maker: maker.armour("ENCRYPTED PRIVATE KEY"),
    "PGP key": lambda maker: maker.armour("PGP PRIVATE KEY BLOCK"),
    "age key": _prefixed("AGE-SECRET" + "-KEY-1", string.ascii_uppercase + string.digits, 58),
    "card": lambda maker: (maker.card(),) * 2,
    "login in a URL": _joined("postgres" + "ql://app:{}@db.internal:5432/main", (URL_SAFE, 16)),
    "Redis login": _joined("red" + "is://:{}@cache:6379/0", (LETTERS_DIGITS, 20)),
}
ANYWHERE = (
    "{}",
    "Use {} for the deployment.",
    "It is {}, and it works",
    "({})",
    "`{}`",
    "Buradaki değer {} olacak.",
    "Bunu kullan: {}",
    "2026-01-01T12:00:00Z INFO got {} retrying",
    "first line\n{}\nlast line",
    '{{"value": "{}", "other": 1}}',
    "value: '{}'\nother: 1",
    "THING={}\nOTHER=1",
    'export THING="{}"; run --now',
    'client = Client("{}", retries=3)',
    "const c = connect('{}');",
    "https://example.org/callback?x={}&y=1",
    "| name | {} |",
    'print("{{\\"a\\": \\"{}\\"}}")',
    "first\\n{}\\nlast",
)

# Known by what stands beside them.
BESIDE: dict[str, tuple[str, int, tuple[str, ...]]] = {
    "AWS secret key": (
        BASE64,
        40,
        (
            "aws_secret_access_key = {}",
            'AWS_SECRET_ACCESS_KEY="{}"',
            '{{"SecretAccessKey": "{}"}}',
            "our AWS secret is {} since May",
            "aws configure set aws_secret_access_key {}",
        ),
    ),
    "Twilio auth token": (
        HEX,
        32,
        ("TWILIO_AUTH_TOKEN={}", "the Twilio auth token is {}.", "twilio = Client(sid, '{}')"),
    ),
    "Heroku": (HEX, 36, ("HEROKU_API_KEY={}", "heroku auth: {}", "our Heroku key {} expired")),
    "Cloudflare": (URL_SAFE, 40, ("CLOUDFLARE_API_TOKEN={}", 'cloudflare: "{}"', "CF_API_TOKEN: {}")),
    "password": (
        PASSWORD,
        16,
        (
            'password = "{}"',
            "password: {}",
            "passwd: {}",
            "pwd={}",
            "DB_PASSWORD={}",
            'db_password = os.getenv("X") or "y"\nadmin_password = "{}"',
            '{{"user": "ada", "password": "{}"}}',
            '{{\\"password\\": \\"{}\\"}}',
            "my password is {}",
            "My wifi password is {}.",
            "the password for the staging database is {}, do not share it",
            "I changed the password to {} today",
            "log in as ada with password {} please",
            "{} is my password",
            "şifrem {}",
            "Şifrem: {}",
            "ŞİFRE = {}",
            "parolam {} olsun",
            "wifi parolası: {}",
            "Server=db;User Id=sa;Password={};Encrypt=true",
            "<password>{}</password>",
            "mysqldump --password={} main",
            "deploy --password {} --force",
            "curl -u ada:{} https://example.org",
            "**Password:** {}",
            'user.set_password("{}")',
            "machine example.org login ada password {}",
        ),
    ),
    "secret": (
        LETTERS_DIGITS,
        24,
        (
            "client_secret: {}",
            'SECRET_KEY = "{}"',
            "JWT_SECRET={}",
            '"secret": "{}"',
            "the client secret is {}.",
            "gizli anahtar: {}",
            "credentials: {}",
            "const clientSecret = '{}';",
        ),
    ),
    "API key": (
        LETTERS_DIGITS,
        32,
        (
            "api_key = '{}'",
            "API_KEY={}",
            'apiKey: "{}"',
            "X-Api-Key: {}",
            "the API key for the weather service is {}",
            "API key (staging): {}",
            "api anahtarım {}",
            "https://api.example.org/v1?api_key={}&units=metric",
        ),
    ),
    "token": (
        LETTERS_DIGITS,
        32,
        (
            "token: {}",
            "ACCESS_TOKEN={}",
            '{{"access_token": "{}", "expires_in": 3600}}',
            "use token {} for CI",
            "the bot's token is {}.",
            "deploy --token {}",
            'token: str = "{}"',
            "authToken = `{}`",
        ),
    ),
    "hex secret": (
        HEX,
        64,
        ("signing key {}", "secret (hex) → {}", "master_key: {}", "the webhook secret we use: {}"),
    ),
    "bearer": (
        URL_SAFE,
        40,
        ("Authorization: Bearer {}", '"Authorization": "Bearer {}"', "curl -H 'Authorization: token {}'"),
    ),
    "basic": (LETTERS_DIGITS, 32, ("Authorization: Basic {}", "-H 'Authorization: Basic {}'")),
    "session cookie": (
        LETTERS_DIGITS,
        32,
        (
            "Cookie: sessionid={}; theme=dark",
            "Set-Cookie: JSESSIONID={}; HttpOnly",
            "PHPSESSID={}",
            "connect.sid={}",
        ),
    ),
}


def credentials(seed: int, per_form: int = 12, per_place: int = 3) -> list[Credential]:
    """Make the whole set: each form in several places, each place beside a word several times."""
    maker = Maker(seed)
    made = []
    for kind, form in FORMS.items():
        for place in maker.rng.sample(ANYWHERE, per_form):
            secret, part = form(maker)
            made.append(Credential(kind, place.format(secret), part))
    for kind, (alphabet, length, places) in BESIDE.items():
        for place in places * per_place:
            part = maker.uuid() if kind == "Heroku" else maker.of(alphabet, length)
            made.append(Credential(kind, place.format(part), part))
    return made
