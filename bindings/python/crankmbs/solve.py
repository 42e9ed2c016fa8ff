"""Equations that Python functions evaluate, in the way of SciPy's solve_ivp: ordinary ones and DAEs (solve_dae), equations of
motion (solve_eom)."""
# SPDX-License-Identifier: BSD-3-Clause
from array import array
from typing import Any, Callable, Sequence

from . import _crank
from .text import need_numpy, texts


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

    def __init__(self, times: Any, values: Any):
        numpy = need_numpy("dense output")
        self._t = numpy.ascontiguousarray(times).reshape(-1, _crank.STEP_POINTS)
        self._y = numpy.ascontiguousarray(values).reshape(-1, _crank.STEP_POINTS, values.shape[1])
        self._sign = 1.0 if self._t[-1, -1] >= self._t[0, 0] else -1.0
        self._ends = self._sign * self._t[:, -1]
        self.t_min, self.t_max = sorted((float(self._t[0, 0]), float(self._t[-1, -1])))
        self._numpy = numpy

    def _at(self, t):
        step = min(int(self._numpy.searchsorted(self._ends, self._sign * t)), len(self._ends) - 1)
        return self._numpy.array(_crank.between(self._t[step], self._y[step], t))

    def __call__(self, t: Any) -> Any:
        """y at t: a vector, or of several times a column each."""
        t = self._numpy.asarray(t, dtype=float)
        return self._at(float(t)) if t.ndim == 0 else self._numpy.array([self._at(float(one)) for one in t]).T


# ---- what is given ----


def _doubles(value, what):
    """An array; sparse matrices become full ones."""
    numpy = need_numpy(what)
    value = numpy.asarray(value.toarray() if hasattr(value, "toarray") else value)
    if numpy.iscomplexobj(value):
        raise TypeError(f"{what} has complex numbers, where real ones are needed")
    return value.astype(float, copy=False)


def _span(t_span):
    times = list(t_span)
    if len(times) != 2:
        raise ValueError(f"t_span is (begin, end), not {len(times)} times")
    return float(times[0]), float(times[1])


def _vector(values, what):
    vector = _doubles(values, what).copy()
    if vector.ndim != 1 or vector.size == 0:
        raise ValueError(f"{what} must be one-dimensional with at least one value, not of shape {vector.shape}")
    return vector


def _shaped(value, shape, what):
    """Doubles by columns; a vector of one value may be a number."""
    numpy = need_numpy(what)
    value = _doubles(value, what)
    if value.shape != shape and not (shape == (1,) and value.shape == ()):
        raise ValueError(f"{what} of shape {value.shape} where {shape} is needed")
    return numpy.asfortranarray(value).ravel(order="F")


def _caller(function, shape, what, args):
    """function(t, y, *args) or function(t, p, v, *args) as the library calls it: with None for what is left out."""
    numpy = need_numpy(what)

    def call(t, a, b):
        point = (numpy.array(a),) if b is None else (numpy.array(a), numpy.array(b))
        return _shaped(function(t, *point, *args), shape, f"{what} returned an array")

    return call


def _matrix(given, n, what, args):
    """(function, matrix) of what may be either, or None"""
    if callable(given):
        return _caller(given, (n, n), what, args), None
    return None, None if given is None else _shaped(given, (n, n), f"{what} is")


def _times(t_eval, t0, t_end):
    if t_eval is None:
        return None
    times = _vector(t_eval, "t_eval")
    sign = 1 if t_end >= t0 else -1
    if not ((times[1:] - times[:-1]) * sign > 0).all():
        raise ValueError("t_eval must be a sequence of times in the direction of t_span")
    if not (times.min() >= min(t0, t_end) and times.max() <= max(t0, t_end)):
        raise ValueError("values in t_eval are not within t_span")
    return times if sign > 0 else 2 * t0 - times


def _watch(events, args):
    """(how many, function of all, directions, occurrences that end the run)"""
    numpy = need_numpy("events")
    functions = [] if events is None else [events] if callable(events) else list(events)
    if not functions:
        return 0, None, None, None

    def watch(t, a, b):
        point = (numpy.array(a),) if b is None else (numpy.array(a), numpy.array(b))
        return numpy.array([float(one(t, *point, *args)) for one in functions])

    return (len(functions), watch, array("b", [int(numpy.sign(getattr(e, "direction", 0))) for e in functions]),
            array("i", [int(getattr(e, "terminal", 0) or 0) for e in functions]))


def _options(first_step, max_step, options):
    chosen = {"h_start": first_step, "h_max": max_step, **options}
    return texts({name: value for name, value in chosen.items() if value is not None and value != float("inf")})


def _solution(found, events, dense_output):
    numpy = need_numpy("solve_dae")
    rows, zeros, between = (numpy.array(found[name]) for name in ("rows", "events", "between"))
    failed, stopped = found["error"] is not None, found["stopped"]
    by_event = [zeros[zeros[:, -1] == i] for i in range(events)]
    return Solution(
        t=rows[:, 0].copy(), y=rows[:, 1:].T.copy(),
        sol=Dense(between[:, 0], between[:, 1:]) if dense_output and len(between) else None,
        t_events=[one[:, 0] for one in by_event] if events else None,
        y_events=[one[:, 1:-1] for one in by_event] if events else None,
        nfev=found["nfev"], njev=found["njev"], nlu=found["nlu"],
        status=-1 if failed else 1 if stopped else 0, success=not failed,
        message=found["error"] if failed else "A termination event occurred." if stopped else
        "The solver successfully reached the end of the integration interval.",
        index=found["index"], consistent=found["consistent"], method=found["method"])


# ---- the functions ----


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
    numpy = need_numpy("solve_dae")
    start = _vector(y0, "y0")
    n = start.size
    t0, t_end = _span(t_span)
    mass_function, matrix = _matrix(mass, n, "mass", args)
    jac_function, jac_matrix = _matrix(jac, n, "jac", args)
    if jac_matrix is not None:
        jac_function = lambda t, y, nothing: jac_matrix  # noqa: E731
    count, watch, direction, terminal = _watch(events, args)
    if numpy.ndim(rtol) != 0:
        raise ValueError("rtol is one number; atol may have one for each unknown")
    tolerance = numpy.ascontiguousarray(numpy.broadcast_to(numpy.asarray(atol, dtype=float), (n,)))
    given = None if index is None else array("i", numpy.broadcast_to(numpy.asarray(index, dtype=int), (n,)))
    found = _crank.solve_dae(_caller(fun, (n,), "fun", args), mass_function, matrix, jac_function, watch, direction, terminal,
                             t0, t_end, start, _times(t_eval, t0, t_end), float(rtol), tolerance, given, method,
                             _options(first_step, max_step, options), dense_output)
    return _solution(found, count, dense_output)


def solve_eom(f: Callable, t_span: Sequence[float], p0: Any, v0: Any, *, M: Any = None, g: Callable | None = None,
              G: Callable | None = None, t_eval: Any = None, dense_output: bool = False, events: Any = None, args: tuple = (),
              first_step: float | None = None, max_step: float | None = None, method: str | None = None,
              **options: Any) -> Solution:
    """Solves equations of motion: p' = v, M(t, p, v) v' = f(t, p, v) - G(t, p)^T lambda, 0 = g(t, p), with G = dg/dp.

    f: f(t, p, v); M: None (the unit matrix), a matrix, or a function M(t, p, v); g: g(t, p), a vector of constraints;
    G: G(t, p), constraints x positions; None: by differences, which cost calls and digits.
    events: event(t, p, v), as those of solve_dae; options: rtol, atol and all others of the library.

    Result: that of solve_dae, in which y is [p; v], and p, v and multipliers (n x points each). The start is made consistent,
    and all constraints, also the hidden ones, hold at every point.
    """
    p, v = _vector(p0, "p0"), _vector(v0, "v0")
    if p.shape != v.shape:
        raise ValueError(f"p0 has {p.size} values and v0 has {v.size}")
    n, (t0, t_end) = p.size, _span(t_span)
    constraints = 0
    if g is not None:
        constraints = _vector(need_numpy("solve_eom").atleast_1d(g(t0, p.copy(), *args)), "g").size
    mass_function, matrix = _matrix(M, n, "M", args)
    count, watch, direction, terminal = _watch(events, args)
    found = _crank.solve_eom(
        _caller(f, (n,), "f", args), mass_function, matrix,
        _caller(g, (constraints,), "g", args) if g is not None else None,
        _caller(G, (constraints, n), "G", args) if g is not None and G is not None else None, constraints, watch, direction,
        terminal, t0, t_end, p, v, _times(t_eval, t0, t_end), method, _options(first_step, max_step, options), dense_output)
    solution = _solution(found, count, dense_output)
    y = solution["y"]
    solution.update(y=y[:2 * n], p=y[:n], v=y[n:2 * n], multipliers=y[2 * n:])
    del solution["index"]
    return solution
