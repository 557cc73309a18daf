"""Figures of the HTML report: matplotlib's SVG, inline, in the colours of the page, each with a text."""
