"""Values rounded to decimals as C's printf rounds them (DESIGN §2, axis `rounding`)."""

from __future__ import annotations

import numpy as np

from ndcgauge.data.collection import Floats

LARGEST = 1e9
"""Beyond this, the product with a power of ten is too coarse to tell on which side of a half a value lies."""
CLOSE = 1e-6
"""Distance from a half within which the product does not decide."""


def rounded_as_printed(values: Floats, places: int) -> Floats:
    """Values rounded by their exact binary value, not by value × 10^places: the very numbers that the text has.

    A whole number below 2^53 over a power of ten rounds as the text's parser does. Where the product is
    too near to a half to tell, the text itself is made.
    """
    with np.errstate(over="ignore", invalid="ignore"):
        scaled = values * 10.0**places
        result = np.rint(scaled)
        if max(np.fmax.reduce(scaled, axis=None, initial=0), -np.fmin.reduce(scaled, axis=None, initial=0)) > LARGEST:
            unsure = np.abs(scaled) > LARGEST
            unsure |= np.abs(scaled - result) > 0.5 - CLOSE
        else:
            # In place: these are the largest arrays of a search.
            np.subtract(scaled, result, out=scaled)
            unsure = np.abs(scaled, out=scaled) > 0.5 - CLOSE
    result /= 10.0**places
    if unsure.any():
        result[unsure] = [float(format(each, f".{places}f")) for each in values[unsure].tolist()]
    return result
