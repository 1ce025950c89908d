"""Every example in a docstring of the package is run."""

import doctest
import importlib
import pkgutil

import pytest

import recollect
from recollect.errors import MissingExtra

MODULES = sorted(
    m.name for m in pkgutil.walk_packages(recollect.__path__, "recollect.") if not m.name.endswith("__main__")
)


@pytest.mark.parametrize("name", MODULES)
def test_examples_in(name):
    try:
        module = importlib.import_module(name)
    except MissingExtra as missing:
        pytest.skip(f"{missing}; run by make test-integrations")
    assert doctest.testmod(module).failed == 0
