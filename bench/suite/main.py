"""Called by scripts/bench, which explains the options."""

import argparse
import json
import os
import shutil
import sys
import tempfile
from pathlib import Path

import parts
import report

HERE = Path(__file__).resolve().parent
PARTS = ["scan", "words", "warm", "shell", "nothing", "sessions", "growth", "build"]


def measure(part, bench, quick):
    if part in ("scan", "words"):
        return parts.scan(bench, parts.queries(HERE.parent / {"scan": "queries", "words": "words"}[part]))
    if part == "warm":
        return parts.warm(bench, HERE.parent / "queries")
    if part == "growth":
        return parts.growth(bench, [1000, 10_000] if quick else [1000, 10_000, 100_000, 1_000_000])
    return getattr(parts, part)(bench)


def main():
    options = argparse.ArgumentParser()
    for name in ("--build", "--tree", "--data", "--docs"):
        options.add_argument(name, required=True, type=os.path.abspath)
    options.add_argument("--rounds", type=int, default=5)
    options.add_argument("--quick", action="store_true")
    options.add_argument("--write", action="store_true")
    options.add_argument("--show", action="store_true")
    options.add_argument("part", nargs="*")
    given = options.parse_args()
    if unknown := set(given.part) - set(PARTS):
        sys.exit(f"no such part: {', '.join(unknown)} (there are {', '.join(PARTS)})")
    store = Path(given.data)
    data = json.loads(store.read_text()) if store.exists() else {}
    for part in [] if given.show else given.part or PARTS:
        print(f"== {part}", flush=True)
        scratch = tempfile.mkdtemp(prefix="forge-bench-")
        try:
            bench = parts.Bench(given.build, given.tree, scratch, 2 if given.quick else given.rounds)
            data[part] = measure(part, bench, given.quick)
        finally:
            shutil.rmtree(scratch, ignore_errors=True)  # a server that ends still closes its files
        store.write_text(json.dumps(data, indent=1))  # a run that is interrupted keeps what it has
    for name, markdown in report.tables(data).items():
        print(f"\n## {name}\n\n{markdown}")
    if given.write:
        report.write(data, given.docs)


main()
