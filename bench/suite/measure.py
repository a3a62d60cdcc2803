"""Runs programs in turn and keeps their times.

Noise on a shared machine hits whatever runs at that moment. So each round runs
every program once, and begins with another one each time; a ratio compares what
ran side by side.
"""

import statistics
import subprocess
import time


class Times:
    """Milliseconds of one program for one query, one for each round."""

    def __init__(self, samples=()):
        self.samples = list(samples)

    @property
    def best(self):
        return min(self.samples)

    @property
    def median(self):
        return statistics.median(self.samples)

    @property
    def scatter(self):
        """How far the slowest round was from the fastest, as a ratio."""
        return max(self.samples) / self.best

    def __str__(self):
        return f"{short(self.best)} / {short(self.median)}"


def short(milliseconds):
    """Three significant digits: 0.312, 4.57, 86.1, 1,234."""
    if milliseconds >= 100:
        return f"{milliseconds:,.0f}"
    digits = 3 if milliseconds < 1 else 2 if milliseconds < 10 else 1
    return f"{milliseconds:.{digits}f}"


def run(command, **options):
    """Runs a command with its output through a pipe; milliseconds, and the bytes."""
    start = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                               stdin=subprocess.DEVNULL, **options)
    size = lines = 0
    while chunk := process.stdout.read1(1 << 20):
        size += len(chunk)
        lines += chunk.count(b"\n")
    process.wait()
    return 1000 * (time.monotonic() - start), lines, size


def in_turn(actions, rounds):
    """Calls each action once a round; returns {name: Times}.

    actions: {name: function that returns milliseconds}.
    """
    names = list(actions)
    times = {name: Times() for name in names}
    for turn in range(rounds):
        for k in range(len(names)):
            name = names[(turn + k) % len(names)]
            times[name].samples.append(actions[name]())
    return times
