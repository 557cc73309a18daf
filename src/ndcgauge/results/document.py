"""What every part of a document has in common."""

from __future__ import annotations

from typing import Annotated, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict

Value = TypeVar("Value")


def _by_key(values: dict[str, Value]) -> dict[str, Value]:
    return dict(sorted(values.items()))


ByKey = Annotated[dict[str, Value], AfterValidator(_by_key)]
"""A mapping in the order of its keys, as in JSON: a form made now and one made of the file are equal.

Every mapping of a document is one of these.
"""


class Document(BaseModel):
    """A frozen part of the document with closed keys."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)
