"""The audit of a claim about a measure that only trec_eval has."""

from __future__ import annotations

import math

import numpy as np

from ndcgauge.audit.chance import chance, share_near
from ndcgauge.audit.claim import Claim
from ndcgauge.audit.finding import Candidate, Finding, Verdict
from ndcgauge.audit.material import Material
from ndcgauge.audit.trec_measures import AXES, neighbours, trec_value
from ndcgauge.errors import UsageError
from ndcgauge.reference import NoClosedForm
from ndcgauge.spec import MetricSpec

NEAR = 0.02


def inquire_trec(material: Material, claim: Claim) -> Finding:
    """A claim about `num_q`, `Rprec` or `bpref`: the stated specification, and those within two changes of it."""
    assert claim.trec_name is not None
    evaluation, printed, stated = material.evaluation, claim.printed, claim.spec
    values: dict[MetricSpec, tuple[int, float]] = {}
    refusal: str | None = None
    for changes, spec in neighbours(evaluation, stated):
        evaluation.forget_rankings()
        try:
            values[spec] = changes, trec_value(evaluation, claim.trec_name, spec)
        except (UsageError, NoClosedForm) as error:
            refusal = error.message if spec == stated else refusal
    own = values.get(stated)
    fitting = {spec: found for spec, found in values.items() if printed.rounding(found[1]) is not None}
    least = min((changes for changes, _ in fitting.values()), default=None)
    numbers = sorted({round(value, 11) for _, value in values.values()})
    groups = sorted({round(value, 11) for changes, value in fitting.values() if changes == least})
    told = [
        Candidate(
            spec=spec,
            value=value,
            axes=changes,
            nearest=("stated",),
            changes={axis: new for axis, (_, new) in stated.diff(spec).items()},
            rounding=printed.rounding(value) or "",
            group=groups.index(round(value, 11)),
        )
        for spec, (changes, value) in fitting.items()
        if changes == least
    ]
    truth = None if own is None or math.isnan(own[1]) else own[1]
    verdict = Verdict.NOT
    if least == 0:
        verdict = Verdict.REPRODUCED
    elif least is not None:
        verdict = Verdict.OTHERWISE if len(groups) == 1 else Verdict.AMBIGUOUS
    closest = min(values.items(), key=lambda each: (abs(each[1][1] - printed.number), each[1][0]), default=None)
    found = np.array(numbers)
    bounded = claim.trec_name != "num_q"
    determined = {
        axis: told[0].spec[axis] for axis in AXES if told and len({each.spec[axis] for each in told}) == 1 and least
    }
    return Finding(
        claim=claim,
        run=material.run,
        verdict=verdict,
        spec=stated,
        value=truth,
        refusal=refusal,
        candidates=tuple(told),
        classes=len(numbers),
        searched=len(values),
        matching_classes=len({round(value, 11) for _, value in fitting.values()}),
        matching_specifications=len(fitting),
        determined=determined,
        free=tuple(axis for axis in AXES if axis not in determined),
        evaluators=(),
        hypothesis=None,
        other_hypotheses=(),
        envelope=(None, None),
        closest=(None, stated) if closest is None else (closest[1][1], closest[0]),
        chance=chance(found, printed, truth, bounded=bounded),
        chance_near=share_near(found, printed, truth, reach=NEAR, bounded=bounded),
        notes=(f"{claim.trec_name} is trec_eval's alone: up to two changes of {', '.join(AXES)} were searched",),
    )
