"""Many runs of one model, each with parameters of its own, in memory."""
# SPDX-License-Identifier: BSD-3-Clause
import os
from typing import Any, Mapping, Sequence

from . import _crank
from .model import Model
from .text import end_time, find, names, need_numpy, positive, texts


class Rollout:
    """Runs of one model with parameters of their own: rollout["column"] is runs x times; NaN where a run failed or had ended.

    t: times; parameters: what was given, by name; status: "OK" or the library's status of each run, messages: why
    """

    def __init__(self, t: Any, columns: list[str], values: Any, parameters: dict[str, Any], status: list[str],
                 messages: list[str]):
        self.t, self.parameters, self.status, self.messages = t, parameters, status, messages
        self._place = {name: values[k] for k, name in enumerate(columns)}

    @property
    def columns(self) -> list[str]:
        """Names of what was kept."""
        return list(self._place)

    @property
    def success(self) -> Any:
        """Whether each run went well."""
        return need_numpy("rollout").array([one == "OK" for one in self.status])

    def __len__(self) -> int:
        return len(self.status)

    def __getitem__(self, name: str) -> Any:
        return self._place[find(name, self._place)]

    def __repr__(self):
        return f"<crankmbs.Rollout {len(self)} runs, {len(self._place)} columns, {len(self.t)} times>"


def rollout(model: Model, params: Mapping[str, Any] | Sequence[Mapping[str, float]], *, threads: int | None = None,
            outputs: Sequence[str] | None = None, t_end: float | None = None, points: int | None = None,
            times: Sequence[float] | None = None, method: str | None = None, **options: Any) -> Rollout:
    """Runs a model many times, in several threads.

    params: a value each of parameters or start values: {"mass": [1, 2, 3], "body.rod.x": [...]}, or a dict a run. Parameters named
        in Model(vary=...) cost nothing to change; for others the model is made again.
    threads: None: as many as there are processors. outputs: columns that are kept; None: all. times, or points intervals: rows.
    A run that fails is a result: its status and message tell. What cannot be set in any run raises Error.
    """
    numpy = need_numpy("rollout")
    if not isinstance(model, Model):
        raise TypeError(f"the first argument is a crankmbs.Model, not {type(model).__name__}")
    if not isinstance(params, Mapping):
        first = list(params[0]) if len(params) else []
        if any(list(one) != first for one in params):
            raise ValueError("params: every run needs the same parameters, in the same order")
        params = {name: [one[name] for one in params] for name in first}
    values = {str(name): numpy.asarray(value, dtype=float) for name, value in params.items()}
    lengths = {value.shape for value in values.values()}
    if len(lengths) != 1 or len(next(iter(lengths))) != 1:
        raise ValueError("params: one number a run is needed of each, not " +
                         (", ".join(f"{name}: shape {value.shape}" for name, value in values.items()) or "none at all"))
    table = numpy.ascontiguousarray(numpy.array(list(values.values())).T)
    if not numpy.isfinite(table).all():
        raise ValueError("params: all numbers must be finite")
    kept = names(outputs, "outputs") if outputs is not None else model.columns
    for name in kept:
        find(name, model.columns)
    given = model._model.simulate()
    end = given["t_end"] if t_end is None else end_time(t_end)
    if times is not None and points is not None:
        raise ValueError("points and times exclude each other")
    if times is None:
        count = int(positive(points, "points", whole=True) or given["points"] or 200)
        begin = given["t_start"]
        times = [begin + (end - begin) * i / count for i in range(count)] + [end]
    rows = numpy.array(times, dtype=float)
    found, status, messages = _crank.rollout(model._model, list(values), table, kept, rows, len(table), method, texts(options),
                                             end, threads or os.cpu_count() or 1)
    data = numpy.asarray(found).reshape(len(kept), len(table), len(rows))
    return Rollout(rows, kept, data, values, status, messages)
