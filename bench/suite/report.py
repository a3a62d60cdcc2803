"""From what was measured to Markdown tables and plots."""

import math
from pathlib import Path

import svg
from measure import Times, short


def table(head, rows):
    """The first column to the left, the others to the right."""
    lines = ["| " + " | ".join(head) + " |", "| --- |" + " --: |" * (len(head) - 1)]
    lines += ["| " + " | ".join(str(cell) for cell in row) + " |" for row in rows]
    return "\n".join(lines)


def mean(ratios):
    return math.exp(sum(map(math.log, ratios)) / len(ratios))


def ratio(value):
    return f"{value:,.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def pair(numbers):
    return f"{short(numbers[0])} / {short(numbers[1])}"


def scan(rows):
    body = []
    for row in rows:
        times = {name: Times(samples) for name, samples in row["times"].items()}
        ours, first, rg, ugrep = (times[name] for name in ("forge-search", "first 200", "rg", "ugrep"))
        body.append([row["query"], f"{row['lines']:,}", ours, first, rg, ugrep, f"{ours.best / rg.best:.2f}",
                     f"{ours.median / rg.median:.2f}", f"{ours.best / ugrep.best:.2f}"])
    return table(["query", "lines", "forge-search", "first 200", "rg", "ugrep", "of rg's time", "medians",
                  "of ugrep's"], body)


def times_rg(row, kind):
    """How often ours would run in rg's time: at first, asked again at once, and by processor time."""
    found = row[kind]
    return found["rg"][0] / found["all"][0], found["rg"][0] / found["again"][0], found["processor"][1] / found["processor"][0]


def warm(rows, kind="warm"):
    body = []
    for row in rows:
        found = row[kind]
        body.append([row["query"], f"{row['lines']:,}", f"{row['files']:,}",
                     *(pair(found[name]) if found[name][0] else "–" for name in ("all", "again", "first", "rg", "csearch")),
                     *map(ratio, times_rg(row, kind))])
    means = [mean(numbers) for numbers in zip(*(times_rg(row, kind) for row in rows))]
    body.append(["geometric mean", *[""] * 7, *(f"**{ratio(number)}**" for number in means)])
    return table(["query", "lines", "files read", "forge-search", "again", "first 50", "rg", "csearch",
                  "times rg's speed", "again", "by processor time"], body)


def doors(shell, nothing):
    rows = []
    for what, samples, peer in (("`search` of a rare word in a shell, server running", shell["forge-search"], shell["rg"]),
                                ("the same by itself, no index", shell["by itself"], shell["rg"]),
                                ("a word that is nowhere, through MCP, with hints", nothing["forge-search"], nothing["rg"]),
                                ("a word with one wrong character, through MCP", nothing["one character wrong"], nothing["rg"])):
        ours, rg = Times(samples), Times(peer)
        rows.append([what, ours, rg, ratio(rg.best / ours.best), ratio(rg.median / ours.median)])
    return table(["what", "forge-search", "rg", "times rg's speed", "medians"], rows)


def sessions(rows):
    return table(["sessions", "shared server: memory", "watches", "each by itself: memory", "watches"],
                 [[row["sessions"], f"{row['auto']['pss_mb']:.0f} MB", f"{row['auto']['watches']:,}",
                   f"{row['off']['pss_mb']:.0f} MB", f"{row['off']['watches']:,}"] for row in rows])


def growth(rows):
    body = []
    for row in rows:
        ours, rg = Times(row["times"]["forge-search"]), Times(row["times"]["rg"])
        body.append([f"{row['files']:,}", ours, rg, ratio(rg.best / ours.best)])
    return table(["files", "forge-search", "rg", "times rg's speed"], body)


def build(rows):
    names = {"ours": "forge-search", "cindex": "cindex"}
    return table(["program", "time", "processor time", "peak memory", "index"],
                 [[names[name], f"{row['wall'] / 1000:.1f} / {row['wall_median'] / 1000:.1f} s",
                   f"{row['cpu'] / 1000:.1f} s", f"{row['peak_mb']:.0f} MB", f"{row['index_mb']:.1f} MB"]
                  for name, row in rows.items()])


def tables(data):
    """{name of a place in docs/speed.md: its Markdown}."""
    out = {}
    for name, show in (("scan", scan), ("warm", warm), ("sessions", sessions), ("growth", growth), ("build", build)):
        if name in data:
            out[name] = show(data[name])
    if "warm" in data:
        out["warm without text"] = warm(data["warm"], "without text in memory")
    if "words" in data:
        out["words"] = scan(data["words"])
    if "shell" in data and "nothing" in data:
        out["doors"] = doors(data["shell"], data["nothing"])
    return out


def plots(data):
    """{file name: SVG}."""
    out = {}
    if "warm" in data:
        rows = data["warm"]
        out["speed-queries.svg"] = svg.bars(
            "All results of 13 queries on the Linux source (shorter is better)", "ms", [row["query"] for row in rows],
            {"forge-search, warm": [row["warm"]["all"][0] for row in rows],
             "first 50": [row["warm"]["first"][0] for row in rows],
             "csearch": [row["warm"]["csearch"][0] for row in rows],
             "ripgrep": [row["warm"]["rg"][0] for row in rows]})
    if "growth" in data:
        rows = data["growth"]
        out["speed-growth.svg"] = svg.lines(
            "One file found in trees of growing size", "files in the tree", "ms", [row["files"] for row in rows],
            {"forge-search, through MCP": [min(row["times"]["forge-search"]) for row in rows],
             "ripgrep": [min(row["times"]["rg"]) for row in rows]})
    if "sessions" in data:
        rows = data["sessions"]
        out["speed-sessions.svg"] = svg.lines(
            "Memory of all sessions on one tree together", "sessions", "MB", [row["sessions"] for row in rows],
            {"shared server": [row["auto"]["pss_mb"] for row in rows],
             "each by itself": [row["off"]["pss_mb"] for row in rows]}, svg.PlainScale)
    return out


def fill(page, made):
    """Puts each table between its two marks in a page; other text stays."""
    for name, markdown in made.items():
        begin, end = f"<!-- bench {name} -->\n", "<!-- /bench -->"
        if begin not in page:
            continue
        before, rest = page.split(begin, 1)
        page = before + begin + "\n" + markdown + "\n\n" + end + rest.split(end, 1)[1]
    return page


def write(data, docs):
    docs = Path(docs)
    for name, picture in plots(data).items():
        (docs / name).write_text(picture)
    page = docs / "speed.md"
    page.write_text(fill(page.read_text(), tables(data)))
