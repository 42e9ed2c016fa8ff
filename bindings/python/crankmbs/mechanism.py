"""Mechanisms built in Python."""
# SPDX-License-Identifier: BSD-3-Clause
from typing import Any, Sequence

from . import _crank
from .model import Model, Values
from .text import texts, value_text


class _Draft(Model):
    """A model of what was drawn up."""

    def __init__(self, kind, entries, set=None, coordinates=None, vary=None):
        self._made_from = (kind, entries, dict(set or {}), coordinates, list(vary or []))
        self._model = _crank.draft_model(kind, entries, texts(set), coordinates, list(vary or []))

    @property
    def _file(self):
        return None

    def __reduce__(self):
        return type(self), self._made_from


class Mechanism:
    """A mechanism without a file, with the keys and meanings of mechanism files:

        m = Mechanism(dimension=2, gravity=[0, -9.81])
        m.body("rod", mass=1, inertia=0.1, position=[0.5, 0])
        m.joint("pin", "revolute", between=["ground", "rod"], at=[0, 0])
        result = m.model().simulate(t_end=2)
    """

    def __init__(self, **keys: Any):
        self._entries: list[tuple[str, str]] = []
        for name, value in keys.items():
            self.set(name, value)

    def set(self, place: str, value: Any) -> None:
        """A value at a place of the file, keys with dots between: set("parameters.k", 4)."""
        self._entries.append((place, value_text(value)))

    def _add(self, section, name, keys):
        for key, value in keys.items():
            self.set(f"{section}.{name}.{key}", value)

    def body(self, name: str, **keys: Any) -> None:
        """A body: mass, inertia, position, ..."""
        self._add("bodies", name, keys)

    def joint(self, name: str, type: str, **keys: Any) -> None:
        """A joint: between=[a, b], at, axis, ..."""
        self._add("joints", name, {"type": type, **keys})

    def force(self, name: str, type: str, **keys: Any) -> None:
        """A force: between=[a, b], stiffness, ..."""
        self._add("forces", name, {"type": type, **keys})

    def output(self, name: str, expression: str) -> None:
        """A column of results more, by a formula."""
        self.set(f"outputs.{name}", expression)

    def model(self, *, set: Values | None = None, coordinates: str | None = None,
              vary: Sequence[str] | None = None) -> Model:
        """The model as it is drawn up so far."""
        return _Draft("mechanism", list(self._entries), set, coordinates, vary)
