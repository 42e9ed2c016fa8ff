"""Models, runs, results, equations and failures are made and destroyed many times in one process: nothing stays.

    check_leaks.py CYCLES

What the C library has handed out (mallinfo2: Python's own small objects have another allocator) is the same after CYCLES cycles as
after the first thousand, up to SLACK bytes: of 10,000 cycles the smallest block of memory that is lost in every tenth exceeds that.
"""
# SPDX-License-Identifier: BSD-3-Clause
import ctypes
import gc
import sys
import warnings

import numpy as np

import crankmbs

SLACK = 16384
TEXT = """
crank: equations
parameters: {m: 1, L: 1, grav: 9.81}
positions:  {x: {start: 1}, y: {start: 0}}
velocities: {vx: {of: x}, vy: {of: y}}
mass:       {diagonal: [m, m]}
forces:     [0, -m*grav]
holonomic:  {length: x^2 + y^2 - L^2}
simulate:   {t_end: 0.01, points: 2}
"""


class Memory(ctypes.Structure):
    _fields_ = [(name, ctypes.c_size_t) for name in ("arena", "ordblks", "smblks", "hblks", "hblkhd", "usmblks", "fsmblks",
                                                     "uordblks", "fordblks", "keepcost")]


def in_use():
    gc.collect()
    libc = ctypes.CDLL(None)
    libc.mallinfo2.restype = Memory
    now = libc.mallinfo2()
    return now.uordblks + now.hblkhd


def refused(action):
    try:
        action()
    except (crankmbs.Error, ValueError):
        return
    raise AssertionError("not refused")


def wrong_size(t, y):
    return [1, 2]


def cycle(i):
    model = crankmbs.Model("p.yaml", text=TEXT)
    result = model.simulate(method="psf-radau", rtol=1e-3, atol=1e-3)
    x = result["x"]
    assert x[0] == 1.0
    if i % 10 == 0:  # what costs more, a tenth of the cycles
        with model.run() as run:
            data = run.save()
            run.step()
        with model.run() as other:
            other.load(data)
        model.linearize()
        crankmbs.rollout(model, {"grav": [1, 2]}, threads=2, points=1)
        crankmbs.solve_dae(lambda t, y: -y, (0, 0.1), [1.0], dense_output=True)
        crankmbs.solve_eom(lambda t, p, v: -p, (0, 0.1), [1.0], [0.0])
        refused(lambda: crankmbs.solve_dae(wrong_size, (0, 1), [1.0]))
        refused(lambda: crankmbs.Model("p.yaml", text=TEXT.replace("[0, -m*grav]", "[0]")))
        refused(lambda: model.simulate(set={"nothing": 1}))


def main(cycles):
    warnings.simplefilter("ignore")
    np.zeros(1)
    for i in range(1000):  # until caches of the interpreter are full
        cycle(i)
    before = in_use()
    for i in range(cycles):
        cycle(i)
    more = in_use() - before
    print(f"{cycles} cycles: {more} bytes more than the {before} before")
    print("1 passed, 0 failed" if more <= SLACK else "0 passed, 1 failed")
    return 0 if more <= SLACK else 1


sys.exit(main(int(sys.argv[1])))
