"""Who is meant: a user's number, which never changes once it is there."""

from recollect.formulas import chain
from recollect.model import SYSTEM_USER
from recollect.stores.postgres.migrations import lock_number
from recollect.stores.postgres.session import EVERYONE, NOBODY, Session, Sessions
from recollect.stores.rows import USER_BITS


class Tenants:
    """Store's part that knows its users."""

    _sessions: Sessions
    _numbers: dict[str, int]

    def users(self) -> list[str]:
        with self._sessions.reading(EVERYONE) as session:
            found = session.rows("SELECT name FROM tenant WHERE name != %s ORDER BY number", (SYSTEM_USER,))
        return [name for (name,) in found]

    def _number(self, user: str) -> int:
        """The user's number, or NOBODY."""
        number = self._numbers.get(user)
        if number is None:
            with self._sessions.reading(EVERYONE) as session:
                number = number_of(session, user)
            if number is None:
                return NOBODY
            self._numbers[user] = number
        return number


def number_of(session: Session, user: str) -> int | None:
    """The number of a user who has written before."""
    number: int | None = session.value("SELECT number FROM tenant WHERE name = %s", (user,))
    return number


def joined(session: Session, schema: str, user: str, at: int) -> int:
    """The number of a user who may write for the first time; those who do wait for each other."""
    session.become(EVERYONE)
    session.execute("SELECT pg_advisory_xact_lock(%s)", (lock_number("tenant", schema),))
    number = number_of(session, user)
    if number is None:
        number = int(session.value("SELECT coalesce(max(number), 0) + 1 FROM tenant"))
        first = number << USER_BITS
        session.execute("INSERT INTO tenant VALUES (%s, %s, %s)", (number, user, at))
        session.execute(
            "INSERT INTO ledger VALUES (%s, %s, %s, %s, %s, 0, %s)",
            (number, first, first, first, first, chain.GENESIS),
        )
    session.become(number)
    return number
