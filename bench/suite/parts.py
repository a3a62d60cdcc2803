"""The measurements of scripts/bench. Each returns plain data, which report.py shows.

    scan      every query by reading all files: ours, ripgrep, ugrep
    warm      every query in a server with a complete index (forge_warm)
    shell     `forge-search search` while the shared server runs, process start included
    nothing   a word that is nowhere, through MCP, with hints
    sessions  memory and watches of one to eight agents' sessions on one tree
    growth    trees of 1,000 to 1,000,000 files
    build     how long an index takes to build, and how large it is
"""

import os
import re
import shutil
import subprocess
import time
from pathlib import Path

from mcp_client import Session
from measure import in_turn, run

RARE = "kmem_cache_create_usercopy"
ABSENT = "zzqqxx_does_not_exist"
ENOUGH_FOR_ALL = 2_500_000_000  # bytes of text in memory, for the whole Linux source


class Bench:
    def __init__(self, build, tree, scratch, rounds):
        self.build, self.tree, self.scratch, self.rounds = Path(build), Path(tree), Path(scratch), rounds
        self.program = str(self.build / "forge-search")
        self.env = dict(os.environ, XDG_CACHE_HOME=str(self.scratch / "cache"),
                        XDG_RUNTIME_DIR=str(self.scratch / "run"), XDG_CONFIG_HOME=str(self.scratch / "config"),
                        TMPDIR=str(self.scratch))
        for name in ("cache", "config"):
            (self.scratch / name).mkdir(parents=True, exist_ok=True)
        (self.scratch / "run").mkdir(mode=0o700, exist_ok=True)

    def timed(self, *command, cwd=None):
        return run(command, cwd=cwd or self.tree, env=self.env)[0]

    def ripgrep(self, flags, pattern, cwd=None):
        return self.timed("rg", "--no-config", "-uu", "-a", "-n", "--no-heading", flags, "-e", pattern, ".", cwd=cwd)


def queries(file):
    rows = (line.rstrip("\n").split("\t") for line in open(file) if line.strip() and not line.startswith("#"))
    return [(name, flags, pattern) for name, flags, pattern in rows]


# --- every query, without an index -------------------------------------------

def scan(bench, rows):
    result = []
    bench.ripgrep("-s", ABSENT)  # warms the page cache
    for name, flags, pattern in rows:
        ours = [bench.program, "--server", "off", "--index", "off", "search", "-uu", "-a", "-n", flags, "-e", pattern, "."]
        ugrep = ["ugrep", "-r", "-.", "-n", "-P", *(["-i"] if flags == "-i" else []), "-e", pattern, "."]
        times = in_turn({
            "forge-search": lambda: bench.timed(*ours),
            "first 200": lambda: bench.timed(*ours[:-3], "--max-results", "200", *ours[-3:]),
            "rg": lambda: bench.ripgrep(flags, pattern),
            "ugrep": lambda: bench.timed(*ugrep),
        }, bench.rounds)
        lines = run(ours, cwd=bench.tree, env=bench.env)[1]
        result.append({"query": name, "lines": lines, "times": {k: v.samples for k, v in times.items()}})
        print(f"  {name}: {lines} lines, {times['forge-search'].best / times['rg'].best:.2f} of rg's time", flush=True)
    return result


# --- every query, with a warm index ------------------------------------------

WARM = re.compile(r"(\S+)\s+(\d+) lines\s+(\d+) files\s+ours\s+(\S+)\s+(\S+)\s+first 50\s+(\S+)\s+(\S+)\s+"
                  r"rg\s+(\S+)\s+(\S+)\s+csearch\s+(\S+)\s+(\S+)\s+"
                  r"rg/ours\s+\S+\s+again\s+(\S+)\s+(\S+)\s.*processor: ours\s+(\S+) first 50\s+\S+ rg\s+(\S+)")


def warm(bench, query_file):
    result = {}
    for kind, text_bytes in (("warm", ENOUGH_FOR_ALL), ("without text in memory", 0)):
        output = subprocess.run([bench.build / "forge_warm", bench.tree, query_file, str(bench.rounds), str(text_bytes)],
                                env=bench.env, check=True, capture_output=True, text=True).stdout
        for line in output.splitlines():
            if not (found := WARM.match(line)):
                continue
            name, lines, files, *numbers = found.groups()
            names = ("all", "first", "rg", "csearch", "again", "processor")  # best and median; ours and rg's
            pairs = zip(map(float, numbers[::2]), map(float, numbers[1::2]))
            row = result.setdefault(name, {"query": name, "lines": int(lines), "files": int(files)})
            row[kind] = dict(zip(names, pairs))
        print("  " + output.splitlines()[-1], flush=True)
    return list(result.values())


# --- doors -------------------------------------------------------------------

def mcp_command(bench, tree, server="auto"):
    return [bench.program, "--root", str(tree), "--index", "on", "--server", server, "mcp"]


def await_index(bench, tree):
    while True:
        status = subprocess.run([bench.program, "--root", str(tree), "--index", "on", "--server", "auto",
                                 "index", "status", "--json"], env=bench.env, capture_output=True, text=True).stdout
        if '"COMPLETE"' in status:
            return
        time.sleep(0.5)


def with_server(bench, tree, action):
    """Runs `action` with a session whose shared server has the tree indexed."""
    session = Session(mcp_command(bench, tree), bench.env)
    try:
        session.search(pattern=ABSENT)
        await_index(bench, tree)
        return action(session)
    finally:
        session.close()
        subprocess.run([bench.program, "serve", "--stop"], env=bench.env, capture_output=True)


def shell(bench):
    ours = [bench.program, "--index", "on", "search", "-n", RARE]
    return with_server(bench, bench.tree, lambda _: {name: times.samples for name, times in in_turn({
        "forge-search": lambda: bench.timed(*ours),
        "by itself": lambda: bench.timed(bench.program, "--server", "off", "--index", "off", "search", "-n", RARE),
        "rg": lambda: bench.timed("rg", "--no-config", "-n", "--no-heading", RARE),
    }, 3 * bench.rounds).items()})


def nothing(bench):
    return with_server(bench, bench.tree, lambda session: {name: times.samples for name, times in in_turn({
        "forge-search": lambda: session.search(pattern=ABSENT)[1],
        "one character wrong": lambda: session.search(pattern="kmallc_array")[1],
        "rg": lambda: bench.timed("rg", "--no-config", "-n", ABSENT),
    }, 3 * bench.rounds).items()})


# --- memory over sessions ----------------------------------------------------

def pss_kilobytes(pid):
    for line in open(f"/proc/{pid}/smaps_rollup"):
        if line.startswith("Pss:"):
            return int(line.split()[1])
    return 0


def watches(pid):
    total = 0
    for entry in Path(f"/proc/{pid}/fdinfo").iterdir():
        try:
            total += sum(line.startswith("inotify ") for line in entry.read_text().splitlines())
        except FileNotFoundError:
            pass  # closed meanwhile
    return total


def processes_of(bench):
    """Every process of our program that belongs to this run."""
    wanted = os.path.realpath(bench.program)
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                if os.readlink(entry / "exe") == wanted:
                    yield int(entry.name)
            except OSError:
                continue


def memory_of(bench):
    pids = list(processes_of(bench))
    return {"pss_mb": sum(map(pss_kilobytes, pids)) / 1000, "watches": sum(map(watches, pids)), "processes": len(pids)}


def sessions(bench):
    rows = {count: {"sessions": count} for count in (1, 2, 4, 8)}
    for server in ("auto", "off"):
        running = []
        for count in rows:
            while len(running) < count:
                running.append(Session(mcp_command(bench, bench.tree, server), bench.env))
            for session in running:
                session.search(pattern=RARE)
            await_watches(bench, count if server == "off" else 1)
            rows[count][server] = memory_of(bench)
        for session in running:
            session.close()
        subprocess.run([bench.program, "serve", "--stop"], env=bench.env, capture_output=True)
    return list(rows.values())


def await_watches(bench, indexes):
    """Waits until so many processes watch the tree, and memory stands still."""
    before = None
    while True:
        now = memory_of(bench)
        ready = sum(watches(pid) > 0 for pid in processes_of(bench)) >= indexes
        if ready and before and abs(now["pss_mb"] - before) < 0.01 * before:
            return
        before = now["pss_mb"]
        time.sleep(5)


# --- growth ------------------------------------------------------------------

def make_tree(folder, files):
    for number in range(files):
        here = folder / f"{number // 1000}"
        if number % 1000 == 0:
            here.mkdir(parents=True)
        (here / f"{number}.txt").write_text(f"file number {number}\nwith a second line of text\n")


def growth(bench, sizes):
    rows = []
    for size in sizes:
        tree = bench.scratch / "growth"
        make_tree(tree, size)
        word = f"number {size - 1}"
        times = with_server(bench, tree, lambda session: in_turn({
            "forge-search": lambda: session.search(pattern=word)[1],
            "rg": lambda: bench.timed("rg", "--no-config", "-n", word, cwd=tree),
        }, bench.rounds))
        shutil.rmtree(tree)
        rows.append({"files": size, "times": {k: v.samples for k, v in times.items()}})
        print(f"  {size} files: {times['forge-search'].best:.2f} ms, rg {times['rg'].best:.0f} ms", flush=True)
    return rows


# --- build -------------------------------------------------------------------

BUILD = re.compile(r"(\S+)\s+wall\s+(\S+)\s+(\S+) ms\s+cpu\s+(\S+)\s+(\S+) ms\s+peak\s+(\S+) MB\s+index\s+(\S+) MB")


def build(bench):
    output = subprocess.run([bench.build / "forge_index_costs", "build", bench.tree, "2"], env=bench.env, check=True,
                            capture_output=True, text=True).stdout
    rows = {}
    for line in output.splitlines():
        if found := BUILD.match(line):
            name, *numbers = found.groups()
            rows[name] = dict(zip(("wall", "wall_median", "cpu", "cpu_median", "peak_mb", "index_mb"), map(float, numbers)))
    return rows
