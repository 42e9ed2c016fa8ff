# SPDX-License-Identifier: BSD-3-Clause
import sys
from typing import Any, final

STEP_POINTS: int

@final
class Array:
    def __len__(self) -> int: ...
    if sys.version_info >= (3, 12):
        def __buffer__(self, flags: int, /) -> memoryview: ...

@final
class Model:
    title: str
    kind: str
    def parameters(self) -> list[tuple[str, float, bool]]: ...
    def columns(self) -> list[tuple[str, str, str]]: ...
    def simulate(self) -> dict[str, Any]: ...
    def scene(self) -> str | None: ...

@final
class Table:
    names: list[str]
    units: list[str]
    descriptions: list[str]
    title: str | None
    method: str | None
    def column(self, j: int, /) -> Array: ...
    def write(self, path: str, /) -> None: ...
    def write_page(self, path: str, template: str | None, /) -> None: ...

@final
class Run:
    def begin_from(self, table: Table, t: float, /) -> None: ...
    def find_equilibrium(self) -> dict[str, Any]: ...
    def linearize(self, inputs: list[str], outputs: list[str], path: str | None, /) -> dict[str, Any]: ...
    def initialize(self) -> None: ...
    def advance(self, t: float, /) -> None: ...
    def step(self) -> None: ...
    def set(self, name: str, value: float, /) -> None: ...
    def record(self, every: float, points: int, times: Any, steps: bool, /) -> Table: ...
    def values(self) -> Array: ...
    def find(self, name: str, /) -> int: ...
    def state(self) -> Array: ...
    def statistics(self) -> list[tuple[str, str]]: ...
    def where(self) -> tuple[float, float, float, bool, bool]: ...
    def method(self) -> str: ...
    def save(self) -> bytes: ...
    def load(self, data: bytes, /) -> None: ...
    def close(self) -> None: ...

def version() -> str: ...
def methods() -> list[tuple[str, str]]: ...
def options() -> list[tuple[str, str, str]]: ...
def set_exceptions(error: type, warning: type, /) -> None: ...
def read_model(
    path: str,
    text: str | None,
    set: dict[str, str],
    model: str | None,
    coordinates: str | None,
    compile: bool,
    vary: list[str],
    /,
) -> Model: ...
def draft_model(
    kind: str, entries: list[tuple[str, str]], set: dict[str, str], coordinates: str | None, vary: list[str], /
) -> Model: ...
def open_run(
    model: Model, method: str | None, set: dict[str, str], options: dict[str, str], t_end: float, compile: bool, /
) -> Run: ...
def read_table(path: str, /) -> Table: ...
def solve_dae(
    fun: Any,
    mass: Any,
    matrix: Any,
    jac: Any,
    events: Any,
    direction: Any,
    terminal: Any,
    t0: float,
    t_end: float,
    y0: Any,
    times: Any,
    rtol: float,
    atol: Any,
    index: Any,
    method: str | None,
    options: dict[str, str],
    dense: bool,
    /,
) -> dict[str, Any]: ...
def solve_eom(
    f: Any,
    M: Any,
    matrix: Any,
    g: Any,
    G: Any,
    constraints: int,
    events: Any,
    direction: Any,
    terminal: Any,
    t0: float,
    t_end: float,
    p0: Any,
    v0: Any,
    times: Any,
    method: str | None,
    options: dict[str, str],
    dense: bool,
    /,
) -> dict[str, Any]: ...
def between(times: Any, values: Any, t: float, /) -> Array: ...
def rollout(
    model: Model,
    names: list[str],
    values: Any,
    outputs: list[str],
    times: Any,
    count: int,
    method: str | None,
    options: dict[str, str],
    t_end: float,
    threads: int,
    /,
) -> tuple[Array, list[str], list[str]]: ...
def sweep(
    path: str,
    is_study: bool,
    vary: list[tuple[str, str]],
    keep: list[tuple[str, str]],
    sampling: str | None,
    count: int,
    seed: int,
    rows: int,
    limit: float,
    set: dict[str, str],
    options: dict[str, str],
    method: str | None,
    t_end: float,
    model: str | None,
    compile: bool,
    out: str,
    threads: int,
    shard: int,
    shards: int,
    /,
) -> tuple[int, int, int, int, int, int]: ...
def read_study(path: str, /) -> dict[str, Any]: ...
def write_study_page(path: str, out: str, template: str | None, /) -> None: ...
