"""Settings: one list, read from the store, the environment and the caller, in that order of rising weight.

This is the only module that reads the environment.
"""

import json
import logging
import math
import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, fields
from pathlib import Path
from types import MappingProxyType
from typing import Any

import platformdirs

from recollect.errors import InvalidInput
from recollect.recall.layers import LAYERS
from recollect.settings import Settings

ENVIRONMENT_PREFIX = "RECOLLECT_"
log = logging.getLogger("recollect")


@dataclass(frozen=True, slots=True)
class Setting:
    """One line of the list that the parser, the command line, the documentation and the tests share."""

    name: str
    type: type
    default: Any
    about: str
    low: float | None
    high: float | None
    choices: tuple[str, ...]
    at_start: bool
    """Whether it belongs to who starts the process, and not to a user of it."""
    check: Callable[[Any], object] | None = None
    """Raises where a value is not understood."""

    @property
    def variable(self) -> str:
        """Its name in the environment."""
        return ENVIRONMENT_PREFIX + self.name.replace(".", "_").upper()

    @property
    def in_environment(self) -> bool:
        """Whether the environment says what it is."""
        return self.variable in os.environ

    def parse(self, value: Any) -> Any:
        """The value in its own type; raises where it is not allowed."""
        parsed = self._typed(value)
        if self.choices and parsed not in self.choices:
            raise InvalidInput(f"{self.name} is one of {', '.join(self.choices)}, not {value!r}")
        if (self.low is not None and parsed < self.low) or (self.high is not None and parsed > self.high):
            raise InvalidInput(f"{self.name} lies between {self.low} and {self.high}, not {value!r}")
        if self.check is not None:
            try:
                self.check(parsed)
            except InvalidInput as error:
                raise InvalidInput(f"{self.name}: {error}") from None
        return parsed

    def _typed(self, value: Any) -> Any:
        if self.type is bool:
            words = {
                "true": True,
                "on": True,
                "yes": True,
                "1": True,
                "false": False,
                "off": False,
                "no": False,
                "0": False,
            }
            if isinstance(value, bool):
                return value
            if str(value).lower() in words:
                return words[str(value).lower()]
        elif isinstance(value, bool):
            pass
        elif self.type is str and isinstance(value, str):
            return value
        elif self.type in (int, float):
            with suppress(TypeError, ValueError, OverflowError):
                number = self.type(value)
                if math.isfinite(number):
                    return number
        raise InvalidInput(f"{self.name} is a {self.type.__name__}, not {value!r}")


def _listed() -> tuple[Setting, ...]:
    return tuple(
        Setting(f"{group}.{one.name}", type(one.default), one.default, **one.metadata)
        for group, kind in GROUPS.items()
        for one in fields(kind)
    )


GROUPS: Mapping[str, Any] = MappingProxyType({group.name: group.type for group in fields(Settings)})
SETTINGS: Mapping[str, Setting] = MappingProxyType({one.name: one for one in _listed()})


def parsed(values: Mapping[str, Any]) -> dict[str, Any]:
    """The values in their types; every problem is named at once."""
    good, problems = {}, []
    for name, value in values.items():
        try:
            good[name] = named(name).parse(value)
        except InvalidInput as error:
            problems.append(str(error))
    if problems:
        raise InvalidInput("; ".join(problems))
    return good


def named(name: str) -> Setting:
    """The setting of that name."""
    if name not in SETTINGS:
        raise InvalidInput(f"no setting {name!r}; there are: {', '.join(SETTINGS)}")
    return SETTINGS[name]


def assembled(
    stored: Mapping[str, str], given: Mapping[str, Any], environment: Mapping[str, str] | None = None
) -> Settings:
    """Defaults, then what the store keeps, then the environment, then what the caller gave."""
    environment = os.environ if environment is None else environment
    values = {name: one.default for name, one in SETTINGS.items()}
    values |= _usable(_kept(stored))
    values |= parsed(
        {one.name: environment[one.variable] for one in SETTINGS.values() if one.variable in environment}
    )
    values |= parsed(given)
    return Settings(**{name: _group(kind, name, values) for name, kind in GROUPS.items()})


def _kept(stored: Mapping[str, str]) -> dict[str, Any]:
    """What the store keeps, as it was given; what cannot have been given counts as its default, and `verify` tells."""
    kept: dict[str, Any] = {}
    for name, text in stored.items():
        if name in SETTINGS:
            try:
                kept[name] = json.loads(text)
            except (TypeError, ValueError):
                log.warning("the setting %s cannot be read: `recollect verify` tells what was changed", name)
    return kept


def _usable(stored: Mapping[str, Any]) -> dict[str, Any]:
    """What the store keeps, in its types; a number that is not allowed is left at its default.

    Otherwise every call of its user would fail for it. Words say what must not happen, and are not passed over.
    """
    good: dict[str, Any] = {}
    for name, value in stored.items():
        try:
            good |= parsed({name: value})
        except InvalidInput as error:
            if SETTINGS[name].type not in (int, float):
                raise
            log.warning("a setting that is stored is left at its default: %s", error)
    return good


def _group(kind: Any, name: str, values: Mapping[str, Any]) -> Any:
    return kind(**{one.name: values[f"{name}.{one.name}"] for one in fields(kind)})


def changed(settings: Settings) -> dict[str, Any]:
    """What differs from its default, by name; what belongs to the process is not told."""
    now = {
        one: getattr(getattr(settings, one.name.split(".")[0]), one.name.split(".", 1)[1])
        for one in SETTINGS.values()
    }
    return {one.name: value for one, value in now.items() if value != one.default and not one.at_start}


def switched(settings: Settings) -> frozenset[str]:
    """The layers that are on the other side than they are by default."""
    return frozenset(name for name, layer in LAYERS.items() if getattr(settings.layers, name) != layer.on)


def default_store() -> str:
    """RECOLLECT_STORE, or a file in the user's data folder."""
    return os.environ.get("RECOLLECT_STORE") or str(
        Path(platformdirs.user_data_dir("recollect")) / "memory.db"
    )


def default_user() -> str:
    """RECOLLECT_USER, or `default`."""
    return os.environ.get("RECOLLECT_USER") or "default"


def default_channel() -> str:
    """RECOLLECT_CHANNEL, or the user-wide one."""
    return os.environ.get("RECOLLECT_CHANNEL") or "_global"


def llm_key() -> str | None:
    """RECOLLECT_LLM_KEY: the language model's key is never stored, and is not the embedder's."""
    return os.environ.get("RECOLLECT_LLM_KEY") or None


def api_key() -> str | None:
    """RECOLLECT_API_KEY: the endpoint's key is never stored."""
    return os.environ.get("RECOLLECT_API_KEY") or None


def sync_key() -> str:
    """RECOLLECT_SYNC_KEY: the key of this user at the other store of a sync; never stored."""
    return os.environ.get("RECOLLECT_SYNC_KEY") or ""


def library_key() -> str:
    """RECOLLECT_LIBRARY_KEY: the key of this user at the service that has the library; never stored."""
    return os.environ.get("RECOLLECT_LIBRARY_KEY") or ""
