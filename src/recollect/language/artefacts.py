"""What a text names that can be looked up in a project's folder: files, and commands that the project defines."""

import re
from typing import Final

ENDINGS: Final = (
    "c|cc|cfg|conf|cpp|cs|css|csv|go|h|hpp|html|ini|ipynb|java|js|json|jsx|kt|lock|lua|md|mjs|php|pl|proto|ps1|py|pyi"
    "|rb|rs|rst|scala|scss|sh|sql|svelte|swift|tf|toml|ts|tsx|txt|vue|xml|yaml|yml"
)
NAMES: Final = ("Dockerfile", "Makefile", "Procfile", "Jenkinsfile", "LICENSE", "README", "CODEOWNERS")
_ADDRESS: Final = re.compile(r"\b[a-z][a-z0-9+.-]*://\S+|\S+@\S+", re.IGNORECASE)
_FILE: Final = re.compile(
    rf"(?<![\w/.~-])(?:\.{{0,2}}/)?(?:[\w.-]+/)*(?:[\w-][\w.-]*\.(?:{ENDINGS})|{'|'.join(NAMES)})(?![\w/-])"
)
_FOLDER: Final = re.compile(r"(?<![\w/.~-])(?:\./)?(?:[\w-][\w.-]*/)+(?=[\s`'\"),;:.]|$)")
_COMMAND: Final = re.compile(r"`\s*(make|npm run|yarn|pnpm run|pnpm)\s+([\w:.-]+)[^`]*`")


def files(text: str) -> tuple[str, ...]:
    """The paths of files and folders that a text names, each once, as it writes them.

    >>> files("The gate is in src/gate.py and docs/ says so; see https://a.b/c.md, version 1.2")
    ('src/gate.py', 'docs/')
    """
    plain = _ADDRESS.sub(" ", text)
    found = [(match.start(), match[0]) for pattern in (_FILE, _FOLDER) for match in pattern.finditer(plain)]
    return tuple(dict.fromkeys(path for _, path in sorted(found)))


def commands(text: str) -> tuple[tuple[str, str], ...]:
    """The commands in backticks that a project defines itself: which program, and which of its targets.

    >>> commands("Run `make check` and then `npm run build -- --fast`, not `ls`")
    (('make', 'check'), ('npm', 'build'))
    """
    return tuple(dict.fromkeys((found[1].split()[0], found[2]) for found in _COMMAND.finditer(text)))
