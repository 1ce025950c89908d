"""Every error that Recollect raises, by what the caller can do about it.

RecollectError
├── InvalidInput        the call is wrong: change the arguments
├── NotFound            no such memory, user, snapshot or setting
├── Refused             a rule protects it: lift the rule or leave it
├── Conflict            two changes disagree: choose one
├── StoreError          the store cannot be used as it is
│   ├── StoreBusy       another process holds it for too long: try again
│   ├── StoreCorrupt    the file is damaged: restore a snapshot
│   ├── StoreFull       no space or no permission to write
│   ├── StoreUnavailable  the server does not answer: try again
│   └── StoreTooNew     made by a newer Recollect: upgrade
├── ModelError          the embedding model cannot be used
│   ├── ModelUnavailable  it is not on this machine and cannot be fetched
│   └── ModelMismatch     the store was embedded with another one: reembed
└── MissingExtra        an optional part is not installed
"""


class RecollectError(Exception):
    """The base of all; its message says what happened, to what, and what to do."""


class InvalidInput(RecollectError, ValueError):
    """The call cannot be carried out as it was made."""


class NotFound(RecollectError, LookupError):
    """What was named does not exist for this user."""


class Refused(RecollectError):
    """A rule such as a truth anchor forbids the change."""


class Conflict(RecollectError):
    """Two changes to the same thing disagree."""


class StoreError(RecollectError):
    """The store cannot be opened, read or written."""


class StoreBusy(StoreError):
    """Another process held the store for longer than we wait."""


class StoreCorrupt(StoreError):
    """The store's file is damaged."""


class StoreFull(StoreError):
    """The disk is full or the folder cannot be written."""


class StoreUnavailable(StoreError):
    """The store's server does not answer."""


class StoreTooNew(StoreError):
    """The store was written by a newer version of Recollect."""


class ModelError(RecollectError):
    """The embedding model cannot be used."""


class ModelUnavailable(ModelError):
    """The model is not on this machine and could not be fetched."""


class ModelMismatch(ModelError):
    """The store holds vectors of another model."""


class MissingExtra(RecollectError, ImportError):
    """An optional dependency is needed; the message names the extra."""
