"""How things stand for a tenant, asked before anything else and therefore in one question."""

from typing import Any, NamedTuple

from recollect.stores.postgres.session import Session
from recollect.stores.rows import setting_from

QUERY = """SELECT 'setting', name, value FROM setting WHERE tenant = %s
UNION ALL SELECT 'meta', name, value FROM meta WHERE name IN ('model', 'dimension')
UNION ALL SELECT 'ledger', last_content::text, last_version::text FROM ledger WHERE tenant = %s"""


class Standing(NamedTuple):
    """What a view of the store begins with."""

    settings: dict[str, Any]
    model: tuple[str, int] | None
    high_water: tuple[int, int]


def standing(session: Session) -> Standing:
    """Of the session's tenant; asked once in a view, whichever of the three is needed first."""
    found: dict[str, dict[str, str]] = {"setting": {}, "meta": {}, "ledger": {}}
    for what, name, value in session.known(QUERY, (session.tenant, session.tenant)):
        found[what][name] = value
    meta = found["meta"]
    return Standing(
        {name: setting_from(text) for name, text in sorted(found["setting"].items())},
        (meta["model"], int(meta["dimension"])) if "model" in meta else None,
        next(((int(content), int(version)) for content, version in found["ledger"].items()), (0, 0)),
    )
