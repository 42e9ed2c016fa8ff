"""Equations that Python functions evaluate: ordinary ones and DAEs, in the way of SciPy's solve_ivp."""
# SPDX-License-Identifier: BSD-3-Clause
from array import array
from typing import Any, Callable, Sequence

from . import _crank
from .text import texts


def _numpy() -> Any:
    try:
        import numpy
    except ImportError:
        raise ImportError("solve_dae needs numpy (Debian: python3-numpy)") from None
    return numpy


class Solution(dict):
    """Results by name, as attributes: those of solve_ivp, and `index`, `consistent`, `method`."""

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None

    def __dir__(self):
        return list(self)


class Dense:
    """The solution at any time of the interval: within each step the polynomial through points of it."""

    def __init__(self, times, values):
        numpy = _numpy()
        order = 8
        self._t = times.reshape(-1, order)
        self._y = values.reshape(-1, order, values.shape[1])
        self._forward = self._t[-1, -1] >= self._t[0, 0]
        self.t_min, self.t_max = sorted((self._t[0, 0], self._t[-1, -1]))
        place = numpy.arange(order)
        self._weight = (-1.0) ** place
        self._weight[[0, -1]] *= 0.5
        self._ends = self._t[:, -1] if self._forward else -self._t[:, -1]

    def _at(self, t):
        numpy = _numpy()
        step = min(int(numpy.searchsorted(self._ends, t if self._forward else -t)), len(self._ends) - 1)
        away = t - self._t[step]
        if (away == 0).any():
            return self._y[step][away == 0][0]
        part = self._weight / away
        return part @ self._y[step] / part.sum()

    def __call__(self, t):
        numpy = _numpy()
        t = numpy.asarray(t, dtype=float)
        return self._at(float(t)) if t.ndim == 0 else numpy.array([self._at(float(one)) for one in t]).T


def _caller(function, shape, what, args):
    """function(t, y, *args) as the library takes it: a buffer of doubles, matrices by columns."""
    numpy = _numpy()

    def call(t, y):
        value = numpy.asarray(function(t, numpy.array(y), *args), dtype=float)
        if value.shape != shape and not (shape == (1,) and value.shape == ()):
            raise ValueError(f"{what} returned an array of shape {value.shape} where {shape} is needed")
        return numpy.asfortranarray(value).ravel(order="F")

    return call


def _buffer(code, values):
    return array(code, values) if values is not None else None


def solve_dae(fun: Callable, t_span: Sequence[float], y0: Any, mass: Any = None, *, t_eval: Any = None,
              dense_output: bool = False, events: Any = None, args: tuple = (), first_step: float | None = None,
              max_step: float | None = None, rtol: float = 1e-6, atol: Any = 1e-6, jac: Any = None,
              index: Any = None, method: str | None = None, **options: Any) -> Solution:
    """Solves mass y' = fun(t, y), y(t_span[0]) = y0, with results as solve_ivp has them.

    mass: None (y' = fun), a matrix, or a function mass(t, y); where it is singular the equations are a DAE. Its index
        (1 to 3) and hidden constraints are found at the start, and y0 is moved onto them: `consistent` tells whether that
        was needed, a warning if more than algebraic unknowns had to change. An index above 3 is refused.
    t_eval: times of the columns of `y`; None: the ends of steps.
    events: a function event(t, y), or a list of them, with attributes `terminal` (True, or how many times) and `direction`.
    jac: None, a matrix, or a function jac(t, y).
    index: of each unknown as you know it (1, 2, 3), or one for all; refused where the equations have a higher one.
    method, options: of the library; by default auto, for DAEs index3-radau.

    Result: t, y (n x points), sol, t_events, y_events, nfev (all calls of fun), njev, nlu, status (0: the end was reached,
    1: a terminal event, -1: it failed), message, success; besides index, consistent and method.
    """
    numpy = _numpy()
    start = numpy.array(y0, dtype=float)
    if start.ndim != 1 or start.size == 0:
        raise ValueError(f"y0 must be one-dimensional with at least one value, not of shape {start.shape}")
    n = start.size
    t0, t_end = map(float, t_span)
    square = (n, n)
    matrix, mass_function = None, None
    if callable(mass):
        mass_function = _caller(mass, square, "mass", args)
    elif mass is not None:
        matrix = numpy.asarray(mass, dtype=float)
        if matrix.shape != square:
            raise ValueError(f"mass has shape {matrix.shape} where {square} is needed")
        matrix = numpy.asfortranarray(matrix).ravel(order="F")
    if jac is not None and not callable(jac):
        constant = numpy.asarray(jac, dtype=float)
        jac = lambda t, y, *more: constant  # noqa: E731
    times = None
    if t_eval is not None:
        times = numpy.asarray(t_eval, dtype=float)
        ahead = numpy.diff(times) * (1 if t_end >= t0 else -1)
        if times.ndim != 1 or times.size == 0 or (ahead <= 0).any():
            raise ValueError("t_eval must be a sequence of times in the direction of t_span")
        if times.min() < min(t0, t_end) or times.max() > max(t0, t_end):
            raise ValueError("values in t_eval are not within t_span")
        times = times if t_end >= t0 else 2 * t0 - times
    list_of_events = [] if events is None else [events] if callable(events) else list(events)
    watch = None
    if list_of_events:
        def watch(t, y):
            point = numpy.array(y)
            return numpy.array([float(one(t, point, *args)) for one in list_of_events])
    tolerance = numpy.broadcast_to(numpy.asarray(atol, dtype=float), (n,))
    given = None if index is None else numpy.broadcast_to(numpy.asarray(index, dtype=int), (n,))
    chosen = {"h_start": first_step, "h_max": max_step, **options}
    found = _crank.solve_dae(
        _caller(fun, (n,), "fun", args), mass_function, matrix, _caller(jac, square, "jac", args) if jac is not None else None,
        watch, _buffer("b", [int(numpy.sign(getattr(e, "direction", 0))) for e in list_of_events]) if list_of_events else None,
        _buffer("i", [int(getattr(e, "terminal", 0) or 0) for e in list_of_events]) if list_of_events else None,
        t0, t_end, start, times, float(rtol), numpy.ascontiguousarray(tolerance), _buffer("i", given), method,
        texts({name: value for name, value in chosen.items() if value is not None and value != float("inf")}), dense_output)
    rows, zeros = numpy.array(found["rows"]), numpy.array(found["events"])
    t, y = rows[:, 0].copy(), rows[:, 1:].T.copy()
    failed, stopped = found["error"] is not None, found["stopped"]
    by_event = [zeros[zeros[:, -1] == i] for i in range(len(list_of_events))]
    sol = None
    if dense_output and len(found["between"]):
        between = numpy.array(found["between"])
        sol = Dense(between[:, 0], between[:, 1:])
    return Solution(
        t=t, y=y, sol=sol,
        t_events=[one[:, 0] for one in by_event] if list_of_events else None,
        y_events=[one[:, 1:-1] for one in by_event] if list_of_events else None,
        nfev=found["nfev"], njev=found["njev"], nlu=found["nlu"],
        status=-1 if failed else 1 if stopped else 0, success=not failed,
        message=found["error"] if failed else "A termination event occurred." if stopped else
        "The solver successfully reached the end of the integration interval.",
        index=found["index"], consistent=found["consistent"], method=found["method"])
