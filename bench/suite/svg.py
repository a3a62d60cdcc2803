"""Two kinds of plots as SVG, without a library: bars for queries, lines for growth.

Times differ by factors of thousands, so both have logarithmic axes. Colours can
be told apart by people who do not see red and green.
"""

import math

COLORS = ["#0072b2", "#56b4e9", "#e69f00", "#d55e00"]
PEER = "#999999"  # ripgrep, in every plot
FONT = 'font-family="system-ui, sans-serif"'


def escape(text):
    return str(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def text(x, y, words, size=12, anchor="start", color="#222"):
    return f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" {FONT} text-anchor="{anchor}" fill="{color}">{escape(words)}</text>'


def document(width, height, parts):
    head = (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
            f'width="{width}" height="{height}" role="img">\n<rect width="100%" height="100%" fill="#fff"/>\n')
    return head + "\n".join(parts) + "\n</svg>\n"


class LogScale:
    """From a value to a place between two pixels; the ends are powers of ten."""

    def __init__(self, values, start, end):
        positive = [value for value in values if value > 0]
        self.low = math.floor(math.log10(min(positive)))
        self.high = max(self.low + 1, math.ceil(math.log10(max(positive))))
        self.start, self.end = start, end

    def __call__(self, value):
        part = (math.log10(max(value, 10 ** self.low)) - self.low) / (self.high - self.low)
        return self.start + part * (self.end - self.start)

    def marks(self):
        return [10.0 ** power for power in range(self.low, self.high + 1)]


def number(value):
    return f"{value:,.0f}" if value >= 1 else f"{value:g}"


def colors_of(names):
    own = iter(COLORS)
    return [PEER if name == "ripgrep" else next(own) for name in names]


def legend(names, x, y):
    parts = []
    for name, color in zip(names, colors_of(names)):
        parts.append(f'<rect x="{x}" y="{y - 10}" width="12" height="12" fill="{color}"/>')
        parts.append(text(x + 17, y, name))
        x += 30 + 7 * len(name)
    return parts


def bars(title, unit, groups, series):
    """groups: names down the side; series: {name: one value for each group, or None}."""
    left, right, top = 110, 900, 62
    each, gap = 9, 8
    height = top + len(groups) * (each * len(series) + gap) + 34
    scale = LogScale([v for values in series.values() for v in values if v], left, right - 60)
    parts = [text(left, 22, title, 15)] + legend(series, left, 45)
    for mark in scale.marks():
        x = scale(mark)
        parts.append(f'<line x1="{x:.1f}" y1="{top - 6}" x2="{x:.1f}" y2="{height - 26}" stroke="#ddd"/>')
        parts.append(text(x, height - 10, f"{number(mark)} {unit}", 11, "middle", "#555"))
    y = top
    for row, group in enumerate(groups):
        parts.append(text(left - 8, y + each * len(series) / 2 + 4, group, 12, "end"))
        for values, color in zip(series.values(), colors_of(series)):
            if values[row]:
                end = scale(values[row])
                parts.append(f'<rect x="{left}" y="{y:.1f}" width="{max(1, end - left):.1f}" height="{each - 1}" fill="{color}"/>')
            y += each
        y += gap
    return document(right, height, parts)


class PlainScale:
    """From a value to a place between two pixels, beginning at zero."""

    def __init__(self, values, start, end):
        step = 10 ** math.floor(math.log10(max(values)))
        self.step = step if max(values) > 3 * step else step / 4
        self.most = self.step * math.ceil(max(values) / self.step)
        self.start, self.end = start, end

    def __call__(self, value):
        return self.start + (self.end - self.start) * value / self.most

    def marks(self):
        return [self.step * k for k in range(round(self.most / self.step) + 1)]


def lines(title, x_name, y_name, xs, series, scale=LogScale):
    """series: {name: one value for each of xs}."""
    left, right, top, bottom = 80, 640, 72, 360
    values = [value for row in series.values() for value in row if value]
    across, up = scale(xs, left, right), scale(values, bottom, top)
    parts = [text(left, 22, title, 15)] + legend(series, left, 45)
    for mark in up.marks():
        y = up(mark)
        parts.append(f'<line x1="{left}" y1="{y:.1f}" x2="{right}" y2="{y:.1f}" stroke="#ddd"/>')
        parts.append(text(left - 6, y + 4, number(mark), 11, "end", "#555"))
    for x in xs:
        parts.append(text(across(x), bottom + 18, f"{x:,}", 11, "middle", "#555"))
    parts.append(text((left + right) / 2, bottom + 38, x_name, 12, "middle"))
    parts.append(text(left - 6, top - 14, y_name, 11, "end", "#555"))
    for row, color in zip(series.values(), colors_of(series)):
        points = [(across(x), up(value)) for x, value in zip(xs, row) if value]
        parts.append('<polyline fill="none" stroke-width="2" stroke="%s" points="%s"/>' %
                     (color, " ".join(f"{x:.1f},{y:.1f}" for x, y in points)))
        parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{color}"/>' for x, y in points]
    return document(right + 50, bottom + 50, parts)
