"""The case suite as tests, for the author of a library: one test a case, in their own repository.

    pytest --ndcgauge-evaluator 'exec:./my-evaluator --flag'
    pytest --ndcgauge-evaluator mylibrary.metrics:evaluate --ndcgauge-profile 'trec_eval,ties=average'

Without the option nothing is collected and nothing of ndcgauge but this module is imported.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from ndcgauge.results.checks import CheckedCase, CheckReport

FILES = frozenset({"nul", "run_duplicates", "qrels_duplicates"})
"""The axes of how files are read; cases without an axis are about that too."""
NAME = "evaluator"
"""The name that the evaluator has in reports."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Adds the options."""
    group = parser.getgroup("ndcgauge", "the ndcgauge case suite")
    group.addoption(
        "--ndcgauge-evaluator",
        metavar="EVALUATOR",
        help="exec:COMMAND, trec:COMMAND, MODULE:FUNCTION or the id of a catalogue evaluator; one test a case.",
    )
    group.addoption(
        "--ndcgauge-profile",
        metavar="PRESET[,AXIS=VALUE...]",
        help="What the evaluator is to compute (default: trec_eval).",
    )
    group.addoption(
        "--ndcgauge-measure",
        metavar="MEASURE",
        action="append",
        help="Only cases of this measure; with a cutoff, asked at it. Repeatable.",
    )
    group.addoption("--ndcgauge-cases", metavar="FOLDER", help="Cases of your own in place of the suite's.")
    group.addoption("--ndcgauge-timeout", metavar="SECONDS", type=float, default=600.0, help="For one call.")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(session: pytest.Session, config: pytest.Config, items: list[pytest.Item]) -> None:
    """Adds a test for each case, before pytest selects by -k and -m."""
    if config.getoption("ndcgauge_evaluator"):
        suite: Suite = Suite.from_parent(session, name="ndcgauge")
        items.extend(suite.collect())


class Suite(pytest.Collector):
    """The cases, and the one check that all tests look at."""

    @property
    def is_function(self) -> bool:
        """Whether the evaluator is a function of Python, which gets tables and reads no files."""
        from ndcgauge.evaluators.names import is_evaluator

        text: str = self.config.getoption("ndcgauge_evaluator")
        return not is_evaluator(text) and not text.startswith(("exec:", "trec:"))

    _report: CheckReport | None = None

    def collect(self) -> Iterator[CaseItem]:
        """One item for each case that is about the measures asked for."""
        from ndcgauge.errors import NdcgaugeError
        from ndcgauge.jobs.check import selected_cases

        try:
            cases = selected_cases(self._options(), self._folder())
        except NdcgaugeError as error:
            raise pytest.UsageError(str(error)) from None
        for case in cases:
            yield CaseItem.from_parent(self, name=f"{case.folder}/{case.id}", case=case.id)

    def report(self) -> CheckReport:
        """The check of the cases that pytest selected, run when the first test wants it."""
        if self._report is None:
            from dataclasses import replace

            from ndcgauge.jobs.check import check

            selected = frozenset(item.case for item in self.session.items if isinstance(item, CaseItem))
            self._report = check(replace(self._options(), only=selected), folder=self._folder())
        return self._report

    def _folder(self) -> Path | None:
        from pathlib import Path

        given = self.config.getoption("ndcgauge_cases")
        return None if given is None else Path(given)

    def _options(self) -> Any:
        from ndcgauge.evaluators.names import is_evaluator
        from ndcgauge.evaluators.references import callable_reference
        from ndcgauge.jobs.check import check_options

        text: str = self.config.getoption("ndcgauge_evaluator")
        if not is_evaluator(text):
            text = f"{NAME}={text if text.startswith(('exec:', 'trec:')) else callable_reference(text)}"
        profile = self.config.getoption("ndcgauge_profile")
        return check_options(
            [text],
            profiles=None if profile is None else [f"{NAME}={profile}"],
            measures=self.config.getoption("ndcgauge_measure"),
            timeout=self.config.getoption("ndcgauge_timeout"),
        )


class NotAsDeclared(Exception):
    """A case on which the evaluator does not give what it is declared to."""


class CaseItem(pytest.Item):
    """One case."""

    def __init__(self, *, case: str, **arguments: Any) -> None:
        super().__init__(**arguments)
        self.case = case

    def runtest(self) -> None:
        """Passes where the evaluator gave what its profile says; skips what it does not have."""
        assert isinstance(self.parent, Suite)
        report = self.parent.report()
        evaluator = report.evaluators[0]
        if evaluator.outcome != "checked":
            raise NotAsDeclared(f"{evaluator.title} {evaluator.message}")
        case = next(each for each in report.cases if each.id == self.case)
        result = case.results[evaluator.id]
        if self.parent.is_function and (not case.axes or not FILES.isdisjoint(case.axes)):
            pytest.skip("a function reads no files: what this is about is read for it")
        if result.outcome == "unsupported":
            pytest.skip(result.message or "it does not have the measure")
        if not result.matches and not result.known:
            raise NotAsDeclared(self._text(case, result.message or result.outcome))

    def _text(self, case: CheckedCase, message: str) -> str:
        from ndcgauge.jobs.cases import case_text, shown

        assert isinstance(self.parent, Suite)
        evaluator = self.parent.report().evaluators[0]
        lines = [f"{case.measure}: {case.title}", message]
        for axis in case.axes:
            found = evaluator.measures.get(case.measure.partition("@")[0], {}).get(axis)
            if found is not None:
                lines.append(f"{axis}: declared {found.declared}, measured {found.measured}")
        return "\n".join([*lines, "", case_text(shown(self.case, self.parent._folder()))])

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """The case and what was given, without a traceback: nothing of ours is at fault."""
        if isinstance(excinfo.value, NotAsDeclared):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[str, None, str]:
        """Where pytest says that the test is."""
        return "ndcgauge", None, f"ndcgauge {self.name}"
