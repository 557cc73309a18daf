"""The elements of JUnit XML that every document of ours is told with."""

from __future__ import annotations

from xml.etree import ElementTree

from ndcgauge.report.printable import one_line


def new_root() -> ElementTree.Element:
    """The `testsuites` element."""
    return ElementTree.Element("testsuites", name="ndcgauge")


def new_suite(root: ElementTree.Element, name: str) -> ElementTree.Element:
    """A `testsuite` in it."""
    return ElementTree.SubElement(root, "testsuite", name=one_line(name))


def new_case(suite: ElementTree.Element, classname: str, name: str, time: str = "0.000") -> ElementTree.Element:
    """A `testcase`; it passes unless something is told of it."""
    return ElementTree.SubElement(suite, "testcase", classname=one_line(classname), name=one_line(name), time=time)


def tell(case: ElementTree.Element, kind: str, message: str, type_: str | None = None) -> None:
    """Adds a `failure`, `error` or `skipped`."""
    # Line ends in an attribute are lost; what does not print is no XML.
    element = ElementTree.SubElement(case, kind, message=one_line(message))
    if type_ is not None:
        element.set("type", one_line(type_))


def output(element: ElementTree.Element, text: str) -> None:
    """Adds a `system-out`."""
    ElementTree.SubElement(element, "system-out").text = one_line(text)


def written(root: ElementTree.Element) -> str:
    """The document as text, with the counts of every suite."""
    for element in (*root, root):
        _count(element)
    ElementTree.indent(root, " ")
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(root, encoding="unicode") + "\n"


def _count(element: ElementTree.Element) -> None:
    cases = list(element.iter("testcase"))
    element.set("tests", str(len(cases)))
    for attribute, name in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        element.set(attribute, str(sum(case.find(name) is not None for case in cases)))
    element.set("time", f"{sum(float(case.get('time', '0')) for case in cases):.3f}")
