"""What is known of a model at one point: where it rests, how it vibrates."""
# SPDX-License-Identifier: BSD-3-Clause
from typing import Any

from .text import find, need_numpy


class Equilibrium:
    """Where a model rests: rest["body.rod.y"], and what is known about it.

    stability: "stable", "unstable", "indifferent" or "not known"; direction: along which motion it falls
    free, held, slides, turned: lists of texts: motions that nothing resists, friction that holds it, friction that does not, bodies
    that turned by more than a right angle on the way
    residual (of balances, relative), iterations, given (the start was one), relaxed, freedom, smallest (stiffness over inertia,
    1/s^2), damped (judged with dampers), undamped (why not), creep
    """

    def __init__(self, names: list[str], values: Any, about: dict[str, Any]):
        self._place = {name: i for i, name in enumerate(names)}
        self.values = values
        self.stability: str = about["stability"]
        self.direction: str = about["direction"]
        self.free: list[str] = about["free"]
        self.held: list[str] = about["held"]
        self.slides: list[str] = about["slides"]
        self.turned: list[str] = about["turned"]
        self.residual: float = about["residual"]
        self.iterations: int = about["iterations"]
        self.given: bool = about["given"]
        self.relaxed: bool = about["relaxed"]
        self.freedom: int = about["freedom"]
        self.smallest: float = about["smallest"]
        self.damped: bool = about["damped"]
        self.undamped: str = about["undamped"]
        self.creep: float = about["creep"]

    @property
    def columns(self) -> list[str]:
        """Names of the values."""
        return list(self._place)

    def __getitem__(self, name: str) -> float:
        return float(self.values[self._place[find(name, self._place)]])

    def __repr__(self):
        return f"<crankmbs.Equilibrium {self.stability}, {self.freedom} degrees of freedom>"


class Linear:
    """x' = A x + B u, y = C x + D u about a point, in coordinates that constraints leave independent.

    states, inputs, outputs: names; eigenvalues (complex, the slowest first), modes (a column each), frequency (Hz), damping (ratio),
    leaders (the velocity with the largest part in the energy of each mode); steady: the point rests or lies on a steady motion, else
    unsteady tells what changes; rough: which entry of B, C, D has no derivative, or "";
    corner: which of A, whose entries are then those of one side, or ""
    """

    def __init__(self, found: dict[str, Any]):
        numpy = need_numpy("linearize")
        n, inputs, outputs = found["sizes"]
        # matrices come column by column
        shape = {"A": (n, n), "B": (n, inputs), "C": (outputs, n), "D": (outputs, inputs), "modes": (2 * n, n)}
        part = {name: numpy.array(found[name]).ravel()[:rows * columns].reshape(columns, rows).T
                for name, (rows, columns) in shape.items()}
        self.A, self.B, self.C, self.D = (part[name] for name in "ABCD")
        self.modes = part["modes"][0::2] + 1j * part["modes"][1::2]
        self.eigenvalues = numpy.array(found["real"]) + 1j * numpy.array(found["imag"])
        self.frequency, self.damping = numpy.array(found["frequency"]), numpy.array(found["damping"])
        self.states: list[str] = found["states"]
        self.inputs: list[str] = found["inputs"]
        self.outputs: list[str] = found["outputs"]
        self.leaders: list[str] = found["leaders"]
        self.steady: bool = found["steady"]
        self.unsteady: str = found["unsteady"]
        self.rough: str = found["rough"]
        self.corner: str = found["corner"]

    def __repr__(self):
        return f"<crankmbs.Linear {len(self.states)} states, {len(self.inputs)} inputs, {len(self.outputs)} outputs>"
