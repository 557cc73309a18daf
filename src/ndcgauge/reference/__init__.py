"""How it is computed: any specification, on any collection, many at once."""

from ndcgauge.reference.envelope import Envelope, envelope
from ndcgauge.reference.evaluate import Evaluation, evaluate
from ndcgauge.reference.observed import ObservedOrder
from ndcgauge.reference.scores import Scores
from ndcgauge.reference.standing import NoClosedForm

__all__ = ["Envelope", "Evaluation", "NoClosedForm", "ObservedOrder", "Scores", "envelope", "evaluate"]
