"""matplotlib for a process in which nobody reads its documentation."""

from __future__ import annotations

import sys
from importlib import import_module


def load_for_figures() -> None:
    """Loads what figures need of matplotlib, without the lists of properties that its import writes into docstrings.

    These lists are a fifth of its import. For the process of a command line alone: in a session of Python, `help` must
    find them. Figures are the same, byte for byte. Does nothing where matplotlib's figures are loaded already.
    """
    if "matplotlib.figure" in sys.modules:
        return
    from matplotlib import artist

    # A public function of matplotlib, which it calls for every class of artist; it has its own back at the end.
    names = artist.__dict__
    lists = names.get("kwdoc")
    if lists is not None:
        names["kwdoc"] = lambda *_args, **_named: ""
    try:
        import_module("matplotlib.figure")
        import_module("matplotlib.backends.backend_svg")
    finally:
        if lists is not None:
            names["kwdoc"] = lists
