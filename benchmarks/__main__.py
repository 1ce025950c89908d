"""Runs every benchmark; `--data FOLDER` adds the one that needs real texts."""

import argparse
from pathlib import Path

from benchmarks import footprint, index_recall, speed, text
from benchmarks.report import PAGE, rendered

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--data", type=Path)
options = parser.parse_args()
speed.main([])
footprint.main([])
text.main()
if options.data is None:
    print("index_recall needs real texts: run again with --data FOLDER")
else:
    index_recall.main(["--data", str(options.data)])
    PAGE.write_text(rendered())
