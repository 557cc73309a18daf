"""What every part of a document has in common."""

from __future__ import annotations

from typing import cast

from pydantic import BaseModel, ConfigDict, field_validator


class Document(BaseModel):
    """A frozen part of the document with closed keys."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    @field_validator("*")
    @classmethod
    def _by_key(cls, value: object) -> object:
        """Mappings are in the order of their keys, as in JSON: a form made now and one made of the file are equal."""
        return dict(sorted(cast("dict[str, object]", value).items())) if isinstance(value, dict) else value
