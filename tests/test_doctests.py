"""Every example in a docstring of the package is run."""

import doctest
import importlib
import pkgutil

import pytest

import recollect

MODULES = sorted(
    m.name for m in pkgutil.walk_packages(recollect.__path__, "recollect.") if not m.name.endswith("__main__")
)


@pytest.mark.parametrize("name", MODULES)
def test_examples_in(name):
    assert doctest.testmod(importlib.import_module(name)).failed == 0
