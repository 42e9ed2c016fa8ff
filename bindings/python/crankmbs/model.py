"""Models and their runs."""
# SPDX-License-Identifier: BSD-3-Clause
import math
import os
from array import array
from typing import Any, Mapping, Sequence

from . import _crank
from .errors import Error
from .result import Result, _array
from .study import Equilibrium, Linear
from .text import end_time, find, names, positive, texts


Path = str | os.PathLike[str]
Values = Mapping[str, Any]  # of parameters and start values: numbers, or texts with units


def _read(path, text, set, model, coordinates, compile, vary):
    return Model(path, text=text, set=set, model=model, coordinates=coordinates, compile=compile, vary=vary)


def _numbers(entries):
    return {name: float(value) if "." in value or "e" in value or "n" in value else int(value) for name, value in entries}


class Model:
    """A model from a file (mechanism, equations, dae; URDF, MJCF; Modelica), or from its text.

    set: other values of parameters and start values, {"mass": 2, "body.rod.x": 0.1}
    model: of a Modelica file, "Package.Model"
    coordinates: "joint", "absolute" or "auto"
    compile: through the system's C compiler
    vary: names of parameters that runs will set, so that nothing is made again for them
    """

    def __init__(self, path: Path, *, text: str | None = None, set: Values | None = None, model: str | None = None,
                 coordinates: str | None = None, compile: bool = False, vary: Sequence[str] | None = None):
        path = os.fspath(path)
        self._made_from: tuple[Any, ...] = (path if text is not None else os.path.abspath(path), text, dict(set or {}), model,
                           coordinates, compile, list(vary or []))
        self._model = _crank.read_model(path, text, texts(set), model, coordinates, compile, list(vary or []))

    @property
    def _file(self):
        """Its file; None: it was made without one."""
        return self._made_from[0] if self._made_from[1] is None else None

    def __reduce__(self):
        return _read, self._made_from

    @property
    def title(self) -> str:
        """As the file has it."""
        return self._model.title

    @property
    def kind(self) -> str:
        """"mechanism", "equations", "dae", ..."""
        return self._model.kind

    @property
    def parameters(self) -> dict[str, float]:
        """Names and values."""
        return {name: value for name, value, _ in self._model.parameters()}

    @property
    def columns(self) -> list[str]:
        """Names of what results hold."""
        return [name for name, _, _ in self._model.columns()]

    @property
    def units(self) -> dict[str, str]:
        """Units by names of columns."""
        return {name: unit for name, unit, _ in self._model.columns()}

    def run(self, *, t_end: float | None = None, method: str | None = None, set: Values | None = None,
            compile: bool = False, **options: Any) -> "Run":
        """A run from the start on, to be led step by step. options: those of crankmbs.options(), such as rtol=1e-8."""
        return Run(self, _crank.open_run(self._model, method, texts(set), texts(options), end_time(t_end), compile))

    def simulate(self, *, t_end: float | None = None, method: str | None = None, set: Values | None = None,
                 outputs: Sequence[str] | None = None, points: int | None = None, every: float | None = None,
                 times: Sequence[float] | None = None, steps: bool = False, out: Path | None = None,
                 compile: bool = False, **options: Any) -> Result:
        """To the end; the result has the rows that the command writes: `points` intervals, `every` so many seconds, at
        `times`, or at all `steps`. outputs: names of the columns that are wanted. out: a file that is written, too, with all
        columns. A run that fails raises Error, whose `result` has the rows until then; so has the file."""
        for name in names(outputs or (), "outputs"):
            find(name, ["time", *self.columns])
        with self.run(t_end=t_end, method=method, set=set, compile=compile, **options) as run:
            try:
                result = run.record(points=points, every=every, times=times, steps=steps)
            except Error as error:
                if out is not None and error.result is not None:
                    error.result.save(out)
                raise
        if out is not None:
            result.save(out)
        return result if outputs is None else _chosen(result, names(outputs, "outputs"))

    def equilibrium(self, *, set: Values | None = None, **options: Any) -> Equilibrium:
        """Where it rests, beginning at its start: rest["body.rod.y"], rest.stability."""
        with self.run(set=set, **options) as run:
            return run.equilibrium()

    def linearize(self, *, inputs: Sequence[str] = (), outputs: Sequence[str] = (), equilibrium: bool = False,
                  set: Values | None = None, out: Path | None = None, **options: Any) -> Linear:
        """A, B, C, D, eigenvalues and modes about its start; equilibrium: about the rest that the start leads to. About a row of a
        result: run.begin_from(result, t), then run.linearize()."""
        with self.run(set=set, **options) as run:
            if equilibrium:
                run.equilibrium()
            return run.linearize(inputs, outputs, out)

    def __repr__(self):
        return f"<crankmbs.Model {self.title}: {self.kind}, {len(self.columns)} columns>"


def _chosen(result: Result, wanted: Sequence[str]) -> Result:
    result._place = {name: result._place[name] for name in ["time", *(n for n in wanted if n != "time")]}
    return result


class Run:
    """The motion of a model from its start on: `advance`, `step`, values by name. One thread at a time.

        with model.run(t_end=10) as run:
            while not run.finished:
                run.step()
                print(run.time, run["body.rod.x"])
    """

    def __init__(self, model: Model, run: _crank.Run):
        self.model = model
        self._run = run

    def __enter__(self):
        return self

    def __exit__(self, *ignored):
        self.close()

    def close(self) -> None:
        """Frees what it has; `with` does so."""
        self._run.close()

    @property
    def time(self) -> float:
        """Where it is, s."""
        return self._run.where()[0]

    @property
    def end(self) -> float:
        """Where it ends, s."""
        return self._run.where()[2]

    @property
    def finished(self) -> bool:
        """It is at its end, or an event has ended it."""
        return self._run.where()[3]

    @property
    def stopped(self) -> bool:
        """An event has ended the run."""
        return self._run.where()[4]

    @property
    def method(self) -> str:
        """The method that integrates."""
        return self._run.method()

    @property
    def state(self):
        """The unknowns at the present time, a copy."""
        return _array(self._run.state())

    @property
    def values(self):
        """All columns at the present time, a copy."""
        return _array(self._run.values())

    @property
    def statistics(self) -> dict[str, float]:
        """The counters of the run so far."""
        return _numbers(self._run.statistics())

    def __getitem__(self, name: str) -> float:
        column = self._run.find(str(name))
        if column < 0:
            find(name, self.model.columns)
        return float(self.values[column])

    def set(self, name: str, value: float) -> None:
        """Another value for a parameter or a start value, before the first step."""
        self._run.set(name, float(value))

    def begin_from(self, result: Result, t: float | None = None) -> None:
        """Begins at the row of a result of this model that is nearest to t (None: at its last row), before the first step."""
        self._run.begin_from(result._table, math.nan if t is None else float(t))

    def equilibrium(self) -> Equilibrium:
        """Looks for the rest that the start leads to; the run begins there then. Before the first step."""
        about = self._run.find_equilibrium()
        return Equilibrium(self.model.columns, self.values, about)

    def linearize(self, inputs: Sequence[str] = (), outputs: Sequence[str] = (), out: Path | None = None) -> Linear:
        """About the beginning of the run. inputs: parameters or inputs of drives; outputs: columns; out: a file (.json, .mat,
        .csv) that is written, too."""
        return Linear(self._run.linearize(names(inputs, "inputs"), names(outputs, "outputs"), None if out is None else os.fspath(out)))

    def initialize(self) -> None:
        """Consistent initial values; done by the first call that needs them."""
        self._run.initialize()

    def advance(self, t: float) -> None:
        """To t, through events; a run that has ended stays where it is, so that t beyond its end leads to the end."""
        if math.isnan(float(t)):
            raise ValueError("advance to nan: a time is needed")
        self._run.advance(float(t))

    def step(self) -> None:
        """One step, with what happens at its end."""
        self._run.step()

    def record(self, *, points: int | None = None, every: float | None = None, times: Sequence[float] | None = None,
               steps: bool = False) -> Result:
        """To the end, with rows as the command writes them."""
        if (points is not None) + (every is not None) + (times is not None) + bool(steps) > 1:
            raise ValueError("points, every, times and steps exclude each other")
        rows = array("d", times) if times is not None else None
        apart, intervals = positive(every, "every"), int(positive(points, "points", whole=True))
        try:
            table = self._run.record(apart, intervals, rows, bool(steps))
        except Error as error:
            until_then = Result(error.table, self.statistics) if hasattr(error, "table") else ()
            error.result = until_then or None
            raise
        return Result(table, self.statistics)

    def save(self) -> bytes:
        """A checkpoint: everything that decides how the run goes on, for the same build of crank."""
        return self._run.save()

    def load(self, data: bytes) -> None:
        """Goes to where another run of the same model and method was saved."""
        self._run.load(data)
