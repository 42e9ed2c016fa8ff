"""Values as model files say them; numbers as arrays."""
# SPDX-License-Identifier: BSD-3-Clause
import difflib
import json
import math
import numbers
from collections.abc import Mapping
from typing import Any


def need_numpy(what: str) -> Any:
    """The module numpy, which some functions cannot do without."""
    try:
        import numpy
    except ImportError:
        raise ImportError(f"{what}: numpy is needed (Debian: python3-numpy)") from None
    return numpy


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
    if values is not None and not isinstance(values, Mapping):
        raise TypeError(f'settings are a dict such as {{"mass": 2}}, not {type(values).__name__}')
    return {str(name): value_text(value) for name, value in (values or {}).items()}


def names(given, what: str) -> list[str]:
    """A list of names; one alone may stand for itself."""
    listed = [given] if isinstance(given, str) else list(given)
    for name in listed:
        if not isinstance(name, str):
            raise TypeError(f"{what}: a name is str, not {type(name).__name__}")
    return listed


def end_time(given) -> float:
    """Where a run ends, as the library takes it: NaN if the model says so."""
    if given is None:
        return math.nan
    if not math.isfinite(float(given)):
        raise ValueError(f"t_end is {given}: it must be finite")
    return float(given)


def positive(given, what: str, whole: bool = False) -> float:
    """A number above zero, or 0 if none is given."""
    if given is None:
        return 0
    if not (float(given) > 0 and math.isfinite(float(given))) or (whole and float(given) != int(given)):
        raise ValueError(f"{what} is {given}: it must be {'a whole number, at least 1' if whole else 'positive'}")
    return int(given) if whole else float(given)


def find(name: Any, known: Any) -> Any:
    """name, if it is known; else a KeyError that proposes another."""
    if name not in known:
        near = difflib.get_close_matches(str(name), known, 1)
        raise KeyError(f'no column "{name}"' + (f'; did you mean "{near[0]}"?' if near else ""))
    return name
