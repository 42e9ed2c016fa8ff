"""Results: columns by name."""
# SPDX-License-Identifier: BSD-3-Clause
import html
import os
import tempfile
from typing import Any

from .text import find


def _array(values) -> Any:
    """numpy's view of the library's numbers, or a memoryview without numpy."""
    try:
        import numpy
    except ImportError:
        return memoryview(values)
    return numpy.asarray(values)


def _page_template() -> str | None:
    """The package's own template of pages; None: where the library looks for it."""
    own = os.path.join(os.path.dirname(__file__), "page.html")
    return own if os.path.exists(own) else None


class Result:
    """Rows of a run: `result.t`, `result["body.rod.x"]`. Columns are views of the library's numbers, which cannot be
    written to; copy what is to be changed."""

    def __init__(self, table, statistics: dict[str, float] | None = None):
        self._table = table
        self._place = {name: i for i, name in enumerate(table.names)}
        self.statistics: dict[str, float] = statistics or {}

    @property
    def t(self) -> Any:
        """The times of the rows."""
        return self["time"]

    @property
    def columns(self) -> list[str]:
        """Names of the columns."""
        return list(self._place)

    @property
    def units(self) -> dict[str, str]:
        """Units by names of columns."""
        return dict(zip(self._table.names, self._table.units))

    @property
    def descriptions(self) -> dict[str, str]:
        """What columns are, by name."""
        return dict(zip(self._table.names, self._table.descriptions))

    @property
    def title(self) -> str | None:
        """The model's title; None: not known."""
        return self._table.title

    @property
    def method(self) -> str | None:
        """The method of the run; None: not known."""
        return self._table.method

    def __len__(self) -> int:
        return len(self._table.column(0)) if self._place else 0

    def __contains__(self, name):
        return name in self._place

    def __iter__(self):
        return iter(self._place)

    def __getitem__(self, name: str) -> Any:
        return _array(self._table.column(self._place[find(name, self._place)]))

    def to_pandas(self):
        """A DataFrame with the time as index."""
        import pandas  # type: ignore[import]

        frame = {name: self[name] for name in self._place if name != "time"}
        return pandas.DataFrame(frame, index=pandas.Index(self.t, name="time"))

    def to_xarray(self):
        """A Dataset over the coordinate time, with units and descriptions as attributes."""
        import xarray

        units, about = self.units, self.descriptions
        data = {
            name: ("time", self[name], {"units": units[name], "long_name": about[name]})
            for name in self._place
            if name != "time"
        }
        return xarray.Dataset(data, coords={"time": ("time", self.t, {"units": "s"})}, attrs={"title": self.title or ""})

    def plot(self, *names, axes=None):
        """Curves over time with matplotlib; returns the axes."""
        if axes is None:
            from matplotlib import pyplot  # type: ignore[import]

            axes = pyplot.figure().add_subplot()
        units = self.units
        for name in names:
            axes.plot(self.t, self[name], label=f"{name} ({units[name]})" if units[name] else name)
        axes.set_xlabel("time (s)")
        if names:
            axes.legend()
        return axes

    def save(self, path) -> None:
        """Writes the result; the format follows from the ending: .csv, .h5, .mat, .nc."""
        self._table.write(os.fspath(path))

    def page(self, path) -> None:
        """Writes the page that shows the result move: one file for any browser."""
        self._table.write_page(os.fspath(path), _page_template())

    def _repr_html_(self):
        """The page, in a notebook."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "page.html")
            try:
                self.page(path)
            except RuntimeError as error:
                return f"<p>{html.escape(repr(self))}<br>{html.escape(str(error))}</p>"
            with open(path, encoding="utf-8") as file:
                text = file.read()
        return f'<iframe srcdoc="{html.escape(text)}" style="width: 100%; height: 540px; border: 0"></iframe>'

    def __repr__(self):
        span = f", t = {self.t[0]:g} to {self.t[-1]:g} s" if len(self) else ""
        return f"<crankmbs.Result {self.title or ''}: {len(self)} rows, {len(self._place)} columns{span}>"
