"""crank for Python: mechanisms and differential-algebraic equations.

    import crankmbs
    model = crankmbs.Model("four-bar.yaml")
    result = model.simulate(t_end=2)
    result.t, result["joint.crank.angle"]
    result.page("four-bar.html")

A model is constant and may be shared by threads; what changes lives in runs and results. All numbers are in SI units, all names are those of the command's results.
"""
# SPDX-License-Identifier: BSD-3-Clause
from . import _crank
from .errors import CrankWarning, Error
from .mechanism import Mechanism
from .model import Model, Run
from .result import Result
from .solve import Solution, solve_dae

_crank.set_exceptions(Error, CrankWarning)

__version__ = _crank.version()
__all__ = ["CrankWarning", "Error", "Mechanism", "Model", "Result", "Run", "Solution", "methods", "options", "read",
           "solve_dae"]


def methods() -> dict[str, str]:
    """Names of all methods, with a line about each."""
    return dict(_crank.methods())


def options() -> dict[str, tuple[str, str]]:
    """Names of all options: admissible values with the default, and what the option means."""
    return {name: (values, text) for name, values, text in _crank.options()}


def read(path) -> Result:
    """A result from a file: CSV, HDF5 or MAT."""
    import os

    return Result(_crank.read_table(os.fspath(path)))
