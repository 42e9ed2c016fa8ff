"""Values as model files say them."""
# SPDX-License-Identifier: BSD-3-Clause
import json
import math
import numbers


def number(value) -> str:
    """A number that reads back to the same bits."""
    value = float(value)
    if not math.isfinite(value):
        raise ValueError(f"{value} is no number that a model can have")
    return repr(value)


def value_text(value) -> str:
    """str as it is (an expression, "30 deg"); bool, numbers, sequences and dicts as a file would have them."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, numbers.Integral):
        return str(int(value))
    if isinstance(value, numbers.Real):
        return number(value)
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(str(key))}: {inner(item)}" for key, item in value.items()) + "}"
    if hasattr(value, "tolist"):
        return value_text(value.tolist())
    try:
        return "[" + ", ".join(inner(item) for item in value) + "]"
    except TypeError:
        raise TypeError(f"a value is str, bool, a number, a sequence or a dict, not {type(value).__name__}") from None


def inner(value) -> str:
    """The same within a list or dict, where texts are quoted."""
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str) else value_text(value)


def texts(values) -> dict[str, str]:
    """A dict of settings or options as the library takes it."""
    return {str(name): value_text(value) for name, value in (values or {}).items()}
