"""The service's own fixtures, for its pages."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "http"))
