"""How a service is asked for an answer of a certain shape."""

from typing import Final

FORMATS: Final = ("json_schema", "json_object", "text")
