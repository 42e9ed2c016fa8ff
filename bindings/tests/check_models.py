"""Results of Python and Octave equal those of the command bit for bit, on every model: rows, columns, rows until a failure.

    check_models.py CRANK OCTAVE FOLDER SHARE [MODEL ...]

CRANK: the command; OCTAVE, FOLDER: the interpreter and the folder with crank's functions ("": Python alone); crankmbs is
imported. SHARE of each model's time is simulated (1: all of it). MODEL: a text that paths of models contain; none: all.
"""
# SPDX-License-Identifier: BSD-3-Clause
import csv
import struct
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path

import crankmbs

ROOT = Path(__file__).resolve().parents[2]
IN_OCTAVE = """
warning('off', 'all');
try
  r = crank_run('{model}', 't_end', {t_end});
  names = r.names; values = r.values;
catch err
  names = {{}}; values = [];
  fprintf('%s', err.message);
end
f = fopen('{out}', 'w'); fwrite(f, size(values), 'double'); fwrite(f, values, 'double'); fclose(f);
f = fopen('{out}.names', 'w'); fprintf(f, '%s\\n', names{{:}}); fclose(f);
"""


def all_models():
    return [path for ending in ("yaml", "urdf", "xml", "mo") for path in sorted((ROOT / "models").glob(f"*/*.{ending}"))]


def bits(value):
    return "nan" if value != value else struct.pack("d", value)


def of_command(command, model, t_end, folder):
    """(exit code, columns by name)"""
    out = Path(folder) / "out.csv"
    done = subprocess.run([command, "run", str(model), "--out", str(out), "--quiet"] + (["--t-end", repr(t_end)] if t_end else []),
                          capture_output=True, text=True)
    if not out.exists():
        return done.returncode, {}
    with open(out, newline="") as file:
        names, *rows = csv.reader(file)
    out.unlink()
    return done.returncode, {name: [float(row[j]) for row in rows] for j, name in enumerate(names)}


def of_python(model, t_end):
    try:
        result = crankmbs.Model(model).simulate(t_end=t_end)
    except crankmbs.Error as error:
        return 1, {name: list(error.result[name]) for name in error.result} if error.result is not None else {}
    return 0, {name: list(result[name]) for name in result}


def of_octave(octave, functions, model, t_end, folder):
    out = Path(folder) / "out.bin"
    script = IN_OCTAVE.format(model=model, t_end="[]" if t_end is None else repr(t_end), out=out)
    subprocess.run([octave, "--norc", "--path", functions, "--eval", script], check=True, capture_output=True)
    data = out.read_bytes()
    rows, columns = map(int, struct.unpack("2d", data[:16]))
    names = Path(f"{out}.names").read_text().split("\n")[:-1]
    values = struct.unpack(f"{rows * columns}d", data[16:])
    return (0 if names else 1), {name: list(values[j * rows:(j + 1) * rows]) for j, name in enumerate(names)}


def difference(theirs, ours):
    """Why the columns `ours` are not those of the command; "" if they are"""
    for name, values in ours.items():
        if name not in theirs:
            return f"no column {name} of the command"
        if len(values) != len(theirs[name]):
            return f"{len(values)} rows, not {len(theirs[name])}"
        for i, (a, b) in enumerate(zip(theirs[name], values)):
            if bits(a) != bits(b):
                return f"{name}, row {i}: {a!r} by the command, {b!r} here"
    more = [name for name in theirs if ours and name not in ours and not name.startswith(("step.", "residual."))]
    return f"no column {more[0]}" if more else ""


def check(command, octave, functions, share, model, folder):
    t_end = None
    if share < 1:
        try:
            given = crankmbs.Model(model)._model.simulate()
            t_end = given["t_start"] + share * (given["t_end"] - given["t_start"])
        except crankmbs.Error:
            pass
    code, theirs = of_command(command, model, t_end, folder)
    failures = []
    results = [("Python", of_python(model, t_end))]
    if functions:
        results.append(("Octave", of_octave(octave, functions, model, t_end, folder)))
    for language, (failed, ours) in results:
        if bool(code) != bool(failed):
            failures.append(f"{language}: the command ended with {code}, this {'failed' if failed else 'did not fail'}")
        elif language == "Python" or not code:  # a failed run of Octave has no rows
            why = difference(theirs, ours)
            if why or (not ours and theirs and not code):
                failures.append(f"{language}: {why or 'nothing'}")
    return code, len(next(iter(theirs.values()), [])), failures


def main(command, octave, functions, share, *wanted):
    warnings.simplefilter("ignore")
    passed = failed = 0
    for model in all_models():
        name = str(model.relative_to(ROOT / "models"))
        if wanted and not any(text in name for text in wanted):
            continue
        with tempfile.TemporaryDirectory() as folder:
            code, rows, failures = check(command, octave, functions, float(share), model, folder)
        print(f"{'FAIL' if failures else 'ok  '} {name}: {rows} rows, exit code {code}  {'; '.join(failures)}", flush=True)
        passed, failed = passed + (not failures), failed + bool(failures)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


sys.exit(main(*sys.argv[1:]))
