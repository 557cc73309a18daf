"""A figure as inline SVG: deterministic, in the page's own colours and fonts, light and dark.

matplotlib writes colours as text. Every colour here is a stand-in that becomes a CSS variable,
so one figure serves light, dark and print.
"""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ndcgauge.report.glossary import FAMILIES

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

INK, MUTED, GRID, PAPER, GOOD = "#0000a1", "#0000a2", "#0000a3", "#0000a4", "#0000a5"
FAMILY_COLORS = {family: f"#0000b{place:x}" for place, family in enumerate(FAMILIES)}
SERIES = tuple(f"#0000c{place:x}" for place in range(6))
"""Colours of evaluators, where a figure shows several at once; with SYMBOLS, since colour alone says nothing."""
_VARIABLES = {
    INK: "ink",
    MUTED: "muted",
    GRID: "line",
    PAPER: "paper",
    GOOD: "good",
    **{FAMILY_COLORS[family]: "f-" + family.replace(" ", "-") for family in FAMILIES},
    **{color: f"s{place}" for place, color in enumerate(SERIES)},
}
SYMBOLS = ("o", "s", "^", "D", "v", "P", "X", "<", ">", "*")

_STYLE = {
    "svg.fonttype": "none",
    "font.family": "DejaVu Sans",
    "font.size": 12,
    "text.color": INK,
    "axes.labelcolor": INK,
    "axes.edgecolor": MUTED,
    "axes.facecolor": "none",
    "axes.linewidth": 1,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "axes.formatter.useoffset": False,
    "axes.unicode_minus": True,
    "figure.facecolor": "none",
    "grid.color": GRID,
    "grid.linewidth": 1,
    "xtick.color": MUTED,
    "ytick.color": MUTED,
    "xtick.labelcolor": INK,
    "ytick.labelcolor": INK,
    "hatch.color": PAPER,
    "path.simplify": False,
    "text.parse_math": False,
    "text.usetex": False,
}
_ID = re.compile(r' id="([^"]+)"')
_FONT = re.compile(r" ?font-family: [^;\"]*;?")
_COLOR = re.compile(r"#0000[abc][0-9a-f]")


@dataclass(frozen=True)
class Drawing:
    """A figure of the report."""

    title: str
    svg: str
    """The `<svg>` element, without the outer attributes that need ids."""
    summary: str
    """What the figure shows, in words: its text alternative."""
    reading: str
    """How to read figures of this kind."""
    queries: tuple[str, ...] = ()
    """The queries of the clickable points, in the order in which they were drawn."""


def draw(name: str, width: float, height: float, paint: Callable[[Figure], None]) -> str:
    """The SVG of what `paint` draws on a figure of so many CSS pixels.

    `name` must be unique in a page: the ids inside the SVG are made of it.
    """
    # Loading matplotlib takes longer than any other form of a report does altogether.
    import matplotlib as mpl
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    # The defaults first: a user's matplotlibrc must not change the bytes.
    style: dict[Any, Any] = {**_defaults(mpl.rcParamsDefault), **_STYLE, "svg.hashsalt": name}
    with mpl.rc_context(style), warnings.catch_warnings():
        # The reader's browser has the letters that matplotlib's own font lacks.
        warnings.filterwarnings("ignore", r"Glyph .* missing from font")
        figure = Figure(figsize=(width / 72, height / 72))
        FigureCanvasSVG(figure)
        paint(figure)
        out = io.StringIO()
        figure.savefig(out, format="svg", dpi=72, transparent=True, metadata={"Date": None, "Creator": None})
    return _inline(out.getvalue(), name, width, height)


def _defaults(found: Mapping[Any, Any]) -> dict[str, Any]:
    # The backend is chosen by the canvas, and resetting it would load a window system's.
    return {key: found[key] for key in found if not key.startswith("backend")}


def _inline(text: str, name: str, width: float, height: float) -> str:
    """matplotlib's file as an element of a page: no prolog, no metadata, no ids but those referred to."""
    body = text[text.index("<svg") :]
    body = re.sub(r"<metadata>.*?</metadata>", "", body, flags=re.DOTALL)
    body = re.sub(r"^<svg[^>]*>", "", body).rstrip().removesuffix("</svg>")
    # Its style sheet would act on the whole page, which has the same rule for its figures alone.
    body = re.sub(r"<defs>\s*<style.*?</style>\s*</defs>|<!--.*?-->", "", body, flags=re.DOTALL)
    referred = set(re.findall(r'(?:url\(|href=")#([^)"]+)', body))

    def tag(found: re.Match[str]) -> str:
        # Tags alone are rewritten: in a label, whatever it says, `<` and `>` are escaped.
        text = _ID.sub(lambda each: _identity(each[1], name, referred), found[0])
        text = text.replace("xlink:href", "href")
        text = text.replace("url(#", f"url(#{name}-").replace('href="#', f'href="#{name}-')
        text = _COLOR.sub(lambda each: f"var(--{_VARIABLES[each[0]]})", text)
        return _FONT.sub("", text)

    body = re.sub(r"<[^>]+>", tag, body)
    body = re.sub(r"\n\s*", "\n", body).strip()
    shape = f'viewBox="0 0 {width:g} {height:g}" width="{width:g}" height="{height:g}"'
    return f"<svg {shape}>\n{body}\n</svg>"


def _identity(found: str, name: str, referred: set[str]) -> str:
    if found in referred:
        return f' id="{name}-{found}"'
    return f' class="{found}"' if found.startswith("mark-") else ""


def axes_in(figure: Figure, box: tuple[float, float, float, float], width: float, height: float) -> Axes:
    """Axes whose inner box leaves (left, right, top, bottom) pixels of the figure free."""
    left, right, top, bottom = box
    rectangle = (left / width, bottom / height, (width - left - right) / width, (height - top - bottom) / height)
    return figure.add_axes(rectangle)


def boxes(axes: Axes, shapes: Sequence[tuple[float, float, float, float]], color: str, alpha: float) -> None:
    """Filled boxes (left, bottom, width, height) in the units of the axes, all as one path."""
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path

    corners = [
        corner
        for x, y, width, height in shapes
        for corner in ((x, y), (x + width, y), (x + width, y + height), (x, y + height), (x, y))
    ]
    codes = [Path.MOVETO, Path.LINETO, Path.LINETO, Path.LINETO, Path.CLOSEPOLY] * len(shapes)
    # A patch would have its limits found as those of a curve is, point by point.
    axes.add_artist(PathPatch(Path(corners, codes), facecolor=color, edgecolor="none", alpha=alpha))
    axes.update_datalim(corners)


def clipped(text: str, most: int) -> str:
    """A label that fits: the middle of a long id is left out."""
    return text if len(text) <= most else f"{text[: most // 2]}…{text[len(text) - most // 2 + 1 :]}"
