"""Texts that try to be markup, or to move the reader's cursor."""

from __future__ import annotations

from tests.report.documents import Texts

HOSTILE = Texts(
    run="<script>alert(1)</script>[bold red].run",
    queries=("a|b", "%_&\\$#{}", "tab\there\r\n| x |"),
    missing="\x1b[31mred\x07\x08",
    docs=("[link=file:///x]\u202eltr\u200f", "`code`<!--"),
    message="line one\nline two\x1b]0;title\x07 | cell",
    program="**\"quoted'</details>",
)
"""Tags, rich markup, table and LaTeX specials, tabs and line ends, control characters, marks of direction."""

WORSE = Texts(
    run='" onmouseover="alert(1)" x=\'{{ 7*7 }}{% raw %}',
    queries=("]]><b>", "é中文--''``~^", "</script></style></svg><img src=x onerror=alert(1)>"),
    missing="&lt;&amp;\u2028\u2029\ufeff",
    docs=('#0000a1 fill: #0000a1 id="mark-off" url(#a)', "\\input{/etc/passwd}$x$"),
    message="javascript:alert(1) \\end{tabular}",
    program="https://example.org/x.js",
)
"""Attributes, templates, the ends of elements, JavaScript's line ends, commands of LaTeX, an address."""
