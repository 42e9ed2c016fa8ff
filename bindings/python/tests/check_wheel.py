#!/usr/bin/env python3
# A wheel of the built package is installed in a fresh environment, without a network, and simulates there.
#
#     check_wheel.py build/python/crankmbs VERSION
# SPDX-License-Identifier: BSD-3-Clause
import os
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
PROGRAM = """
import crankmbs
model = crankmbs.Model({model!r})
print(crankmbs.__file__, len(model.simulate(t_end=0.1, points=5)))
"""


def main(package, version):
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    with tempfile.TemporaryDirectory() as folder:
        order = [sys.executable, str(HERE.parent / "wheel.py"), package, version, folder]
        wheel = subprocess.run(order, check=True, capture_output=True, text=True).stdout.strip()
        place = Path(folder) / "venv"
        subprocess.run([sys.executable, "-m", "venv", "--system-site-packages", str(place)], check=True)
        python = str(place / "bin" / "python")
        subprocess.run([python, "-m", "pip", "install", "--quiet", "--no-index", wheel], check=True, env=environment)
        model = str(HERE.parents[2] / "models" / "pendulum" / "pendulum.yaml")
        done = subprocess.run([python, "-c", PROGRAM.format(model=model)], check=True, env=environment,
                              capture_output=True, text=True, cwd=folder)
    print(done.stdout)
    where, rows = done.stdout.split()
    good = str(place) in where and rows == "6"
    print("1 passed, 0 failed" if good else "0 passed, 1 failed")
    return 0 if good else 1


sys.exit(main(*sys.argv[1:]))
