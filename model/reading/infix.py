"""An expression as people write it: `ratio(EQL-088,product(EQL-055,K2-024))` is EQL-088 / (EQL-055 x K2-024).

Text in, text out. What has no operator keeps the name of its function: `base latency (FPX-002, FPX-001 / FPX-013)`.
"""

import re

_TOKEN = re.compile(r"[\w.\-]+|[(),]")
_FACT = re.compile(r"[A-Z][A-Z0-9]*-\d+")
_SUM, _PRODUCT, _ATOM = 1, 2, 3  # how tightly a part binds
_JOINED = {  # the operator, how tightly it binds, how tightly each part on its right must
    "ratio": (" / ", _PRODUCT, _ATOM),
    "per_desktop": (" / ", _PRODUCT, _ATOM),
    "block_kib": (" / ", _PRODUCT, _ATOM),
    "product": (" x ", _PRODUCT, _ATOM),
    "total": (" + ", _SUM, _SUM),
    "difference": (" - ", _SUM, _PRODUCT),
}
_LEAST = {" / ": _PRODUCT, " x ": _PRODUCT, " + ": _SUM, " - ": _SUM}  # of the part on the left

Part = tuple[str, int]


def infix(expression: str) -> str:
    """Return an expression that `derive` accepts with operators and brackets; one without facts stays as it is."""
    if not _FACT.search(expression):
        return expression
    return _part(_TOKEN.findall(expression))[0]


def _part(tokens: list[str]) -> Part:
    """Read one expression off the front of `tokens`; return its text and how tightly it binds."""
    word = tokens.pop(0)
    if tokens[:1] != ["("]:
        return word, _ATOM
    parts: list[Part] = []
    while tokens[0] != ")":
        tokens.pop(0)  # the bracket, or a comma
        if tokens[0] != ")":
            parts.append(_part(tokens))
    tokens.pop(0)
    return _called(word, parts)


def _called(name: str, parts: list[Part]) -> Part:
    if name == "number":
        return parts[0]
    if name == "complement":
        return f"1 - {_bound(parts[0], _PRODUCT)}", _SUM
    if name == "one_minus_ratio":
        return f"1 - {_called('ratio', parts)[0]}", _SUM
    if name in _JOINED:
        operator, own, right = _JOINED[name]
        texts = (_bound(parts[0], _LEAST[operator]), *(_bound(each, right) for each in parts[1:]))
        return operator.join(texts), own
    return f"{name.replace('_', ' ')} ({', '.join(text for text, _ in parts)})", _ATOM


def _bound(part: Part, least: int) -> str:
    text, own = part
    return text if own >= least else f"({text})"
