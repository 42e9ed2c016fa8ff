"""Sweeps: studies of many runs, as files that go on where they were stopped."""
# SPDX-License-Identifier: BSD-3-Clause
import os
import shutil
import tempfile
import weakref
from typing import Any, Mapping, Sequence

from . import _crank
from .model import Model, Path, Values
from .result import _array, _page_template
from .text import end_time, find, names, positive, texts, value_text


class Study:
    """A sweep: study["final of a column"] has a number a run, study.course("column") rows over study.t a run.

    factors: names of what was varied; status (0 done, 1 stopped by an event, 2 failed, 3 too slow, -1 not run) and reasons, a run each
    """

    def __init__(self, path: Path):
        self.path = os.fspath(path)
        found = _crank.read_study(self.path)
        members = found["members"]
        self._members = {name: _array(values) for name, _, values in members}
        self._units = {name: unit or "" for name, unit, _ in members}
        self._units.update({name: unit or "" for name, unit in found["columns"]})
        self._courses = {name: k for k, (name, _) in enumerate(found["columns"])}
        self._kept = found["kept"]
        self._values = _array(found["values"])
        self.factors: list[str] = [name for name, _, _ in members[1:1 + found["factors"]]]
        self.reasons: list[str] = found["reasons"]
        self.t = _array(found["time"])

    @property
    def columns(self) -> list[str]:
        """What is known of each run: factors, status and what was kept of the whole run."""
        return list(self._members)

    @property
    def courses(self) -> list[str]:
        """What was kept over time."""
        return list(self._courses)

    @property
    def units(self) -> dict[str, str]:
        """Of columns and courses."""
        return dict(self._units)

    @property
    def status(self) -> Any:
        """How each run ended."""
        return self["status"]

    def __len__(self) -> int:
        return len(self.reasons)

    def __getitem__(self, name: str) -> Any:
        return self._members[find(name, self._members)]

    def course(self, name: str) -> Any:
        """runs x times; NaN behind the last row of a run."""
        k = self._courses[find(name, self._courses)]
        return self._values[k * self._kept:(k + 1) * self._kept]

    def page(self, path: Path) -> None:
        """Writes the page that shows it: one file for any browser."""
        _crank.write_study_page(self.path, os.fspath(path), _page_template())

    def __repr__(self):
        return f"<crankmbs.Study {len(self)} runs of {', '.join(self.factors)}>"


def _range(value):
    """A factor as the library takes it: a text, (from, to), (from, to, count), or values."""
    if isinstance(value, str):
        return value
    if isinstance(value, tuple) and len(value) in (2, 3):
        return ":".join(value_text(one) for one in value)
    listed = list(value)
    return ",".join(value_text(float(one)) for one in listed)


def sweep(model: Model | Path, vary: Mapping[str, Any] | None = None, *, out: Path | None = None,
          sample: str | None = None, count: int = 0, seed: int = 0, final: Sequence[str] = (), minimum: Sequence[str] = (),
          maximum: Sequence[str] = (), integral: Sequence[str] = (), columns: Sequence[str] = (), points: int | None = None,
          time_limit: float | None = None, set: Values | None = None, method: str | None = None, t_end: float | None = None,
          threads: int | None = None, shard: tuple[int, int] = (1, 1), **options: Any) -> Study | None:
    """A study of many runs, as `crank sweep` does it: members in threads, appended to logs beside `out` (FILE.nc), so that what was
    stopped goes on when it is called again; results do not depend on threads and shards.

    model: a file, or a Model that was read from one; without `vary` a study file.
    vary: {"mass": (1, 2, 5)} from, to, how many; (1, 2) for sample="latin" or "sobol" with count; [1, 1.5] these values.
    final, minimum, maximum, integral: columns of which one number a run is kept; columns: of which all rows are.
    shard: (i, n): members i, i + n, ... alone. out None: a file that goes with the result.
    None is returned while members are left to other shards.
    """
    given, which, compile = dict(set or {}), None, False
    if isinstance(model, Model):
        if model._file is None:
            raise ValueError("a sweep reads the file of its model; this one was made without: use rollout")
        path, _, own, which, coordinates, compile, _ = model._made_from
        given = {**own, **given}
        options = {"coordinates": coordinates, **options} if coordinates is not None else options
    else:
        path = os.fspath(model)
    keep = [(kind, name) for kind, given_names in (("final", final), ("minimum", minimum), ("maximum", maximum), ("integral", integral),
                                                   ("columns", columns)) for name in names(given_names, kind)]
    if out is None and tuple(shard) != (1, 1):
        raise ValueError("shards meet in one file: give out")
    folder = tempfile.mkdtemp() if out is None else None
    to = os.fspath(out or os.path.join(folder or "", "study.nc"))
    try:
        *_, missing = _crank.sweep(
            path, vary is None, [(str(name), _range(value)) for name, value in (vary or {}).items()], keep, sample, int(count),
            int(seed), int(positive(points, "points", whole=True)), positive(time_limit, "time_limit"), texts(given), texts(options), method,
            end_time(t_end), which, compile, to, threads or os.cpu_count() or 1,
            *map(int, shard))
        study = Study(to) if missing == 0 else None
    except BaseException:
        shutil.rmtree(folder or "", ignore_errors=True)
        raise
    if study is not None and folder is not None:
        weakref.finalize(study, shutil.rmtree, folder, ignore_errors=True)
    return study
