"""mypy finds nothing in the package, its stub says of the extension what is there, and a user's program with a mistake is refused.

    check_types.py build/python      status 77: mypy is not installed
"""
# SPDX-License-Identifier: BSD-3-Clause
import importlib.util
import os
import subprocess
import sys
import tempfile
from pathlib import Path

GOOD = """\
import crankmbs
model = crankmbs.Model("a.yaml", set={"m": 1}, vary=["m"])
result = model.simulate(t_end=1.0, rtol=1e-8, outputs=["x"])
columns: list[str] = result.columns
rest: crankmbs.Equilibrium = model.equilibrium()
word: str = rest.stability
many: crankmbs.Rollout = crankmbs.rollout(model, {"m": [1.0, 2.0]}, threads=2)
study = crankmbs.sweep("a.yaml", {"m": (1, 2, 3)}, final=["x"])
"""
BAD = {"model.simulat()": "has no attribute", "crankmbs.Model(7)": "incompatible type", "number: int = rest.stability": "Incompatible types",
       "crankmbs.rollout(model)": "Missing positional argument"}


def mypy(folder, *arguments):
    environment = {**os.environ, "MYPYPATH": folder, "PYTHONPATH": folder}
    order = [sys.executable, "-m", *arguments]
    with tempfile.TemporaryDirectory() as cache:
        more = ["--cache-dir", cache] if arguments[0] == "mypy" else []
        done = subprocess.run(order + more, capture_output=True, text=True, env=environment, cwd=folder)
    return done.returncode, done.stdout + done.stderr


def main(folder):
    if importlib.util.find_spec("mypy") is None:
        print("mypy is not installed (Debian: mypy)")
        return 77
    bad = []
    for what in (["mypy", "crankmbs"], ["mypy.stubtest", "crankmbs._crank"]):
        code, text = mypy(folder, *what)
        if code != 0:
            bad.append(f"{' '.join(what)}\n{text}")
    with tempfile.TemporaryDirectory() as place:
        program = Path(place) / "program.py"
        program.write_text(GOOD + "".join(f"{line}\n" for line in BAD))
        code, text = mypy(folder, "mypy", str(program))
        lines = text.splitlines()
        first = GOOD.count("\n") + 1
        for i, (line, words) in enumerate(BAD.items()):
            if not any(f"program.py:{first + i}:" in told and words in told for told in lines):
                bad.append(f"no error at {line}:\n{text}")
        if sum(": error:" in told for told in lines) != len(BAD):
            bad.append(f"other errors than {len(BAD)}:\n{text}")
    print("\n".join(bad) or "1 passed, 0 failed")
    return 1 if bad else 0


sys.exit(main(os.path.abspath(sys.argv[1])))
