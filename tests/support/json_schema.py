"""JSON Schema, as much of it as our schemas use; a keyword that is not known here is an error, never passed over.

`strict` also names the properties that a schema does not list: what is printed must be documented.
"""

from collections.abc import Iterator, Mapping
from typing import Any

Schema = Mapping[str, Any]
_TYPES: dict[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "number": (int, float),
    "integer": (int,),
    "boolean": (bool,),
    "null": (type(None),),
}
_REMARKS = {"$schema", "$id", "$defs", "title", "description"}
_RULES = {"type", "const", "properties", "required", "additionalProperties", "items", "$ref"}


def faults(value: object, schema: Schema, *, strict: bool = True, root: Schema | None = None) -> Iterator[str]:
    """Yield what is wrong with a document, each with its place. Raises ValueError for a keyword that is not known."""
    yield from _faults(value, schema, root or schema, "$", strict)


def _faults(value: object, schema: Schema, root: Schema, place: str, strict: bool) -> Iterator[str]:
    if unknown := schema.keys() - _REMARKS - _RULES:
        raise ValueError(f"{place}: {sorted(unknown)} is not checked here")
    if "$ref" in schema:
        yield from _faults(value, root["$defs"][schema["$ref"].removeprefix("#/$defs/")], root, place, strict)
        return
    if "const" in schema and value != schema["const"]:
        yield f"{place}: {value!r}, expected {schema['const']!r}"
    kinds = schema.get("type", ())
    if kinds and not any(_is(value, kind) for kind in ([kinds] if isinstance(kinds, str) else kinds)):
        yield f"{place}: {value!r} is no {kinds}"
        return
    if isinstance(value, dict):
        known = schema.get("properties", {})
        yield from (f"{place}: {key} is missing" for key in schema.get("required", ()) if key not in value)
        for key, each in value.items():
            if key in known:
                yield from _faults(each, known[key], root, f"{place}.{key}", strict)
            elif "additionalProperties" in schema:
                yield from _faults(each, schema["additionalProperties"], root, f"{place}.{key}", strict)
            elif strict:
                yield f"{place}: {key} is not listed"
    if isinstance(value, list):
        for at, each in enumerate(value):
            yield from _faults(each, schema.get("items", {}), root, f"{place}[{at}]", strict)


def _is(value: object, kind: str) -> bool:
    return isinstance(value, _TYPES[kind]) and (kind == "boolean" or not isinstance(value, bool))
