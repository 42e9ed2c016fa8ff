"""crank for Python: mechanisms and differential-algebraic equations.

    import crankmbs
    model = crankmbs.Model("four-bar.yaml")
    result = model.simulate(t_end=2)
    result.t, result["joint.crank.angle"]
    result.page("four-bar.html")

A model is constant and may be shared by threads; what changes lives in runs and results. All numbers are in SI units, all names are those of the command's results.
"""
# SPDX-License-Identifier: BSD-3-Clause
import os

from . import _crank
from .errors import CrankWarning, Error
from .mechanism import Mechanism
from .model import Model, Path, Run
from .result import Result
from .rollout import Rollout, rollout
from .solve import Solution, solve_dae, solve_eom
from .study import Equilibrium, Linear
from .sweep import Study, sweep

_crank.set_exceptions(Error, CrankWarning)

__version__ = _crank.version()
__all__ = ["CrankWarning", "Equilibrium", "Error", "Linear", "Mechanism", "Model", "Result", "Rollout", "Run", "Solution", "Study",
           "methods", "options", "read", "read_study", "rollout", "solve_dae", "solve_eom", "sweep"]


def methods() -> dict[str, str]:
    """Names of all methods, with a line about each."""
    return dict(_crank.methods())


def options() -> dict[str, tuple[str, str]]:
    """Names of all options: admissible values with the default, and what the option means."""
    return {name: (values, text) for name, values, text in _crank.options()}


def read(path: Path) -> Result:
    """A result from a file: CSV, HDF5, MAT or netCDF."""
    return Result(_crank.read_table(os.fspath(path)))


def read_study(path: Path) -> Study:
    """A study from the file that a sweep has written, FILE.nc."""
    return Study(path)
