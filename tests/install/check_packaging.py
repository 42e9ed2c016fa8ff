"""What debian/ says of the packages is true of the tree, checked without building them.

    python3 check_packaging.py BUILD      installs the build below a temporary folder

Version, library name, what is installed and by which package, build dependencies, licences of what the page bundles, manual
pages, reasons of overrides.
"""
# SPDX-License-Identifier: BSD-3-Clause
import fnmatch
import json
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
DEBIAN = ROOT / "debian"
PACKAGES = ["crank", "libcrank0", "libcrank-dev", "python3-crankmbs", "octave-crank"]
failures = []


def check(condition, text):
    if not condition:
        failures.append(text)


def version():
    header = (ROOT / "include/crank/base.h").read_text()
    return [re.search(rf"CRANK_VERSION_{part} (\d+)", header)[1] for part in ("MAJOR", "MINOR", "PATCH")]


def check_version():
    own = ".".join(version())
    said = re.match(r"crank \(([^)]*)\)", (DEBIAN / "changelog").read_text())[1]
    check(said == own, f"debian/changelog is of version {said}, the tree of {own}")
    soname = f"libcrank.so.{version()[0]}"
    first = (DEBIAN / f"libcrank{version()[0]}.symbols").read_text().split()[0]
    check(first == soname, f"the symbols file is of {first}, the library is {soname}")


def check_control():
    control = (DEBIAN / "control").read_text()
    check(re.findall(r"^Package: (.*)$", control, re.M) == PACKAGES, "packages of debian/control")
    needed = re.search(r"^Build-Depends:\n((?: .*\n)*)", control, re.M)[1]
    setup = (ROOT / "scripts/setup").read_text()
    for package in re.findall(r"^ ([a-z0-9.+-]+)", needed, re.M):
        package = {"debhelper-compat": "debhelper", "dh-sequence-python3": "dh-python"}.get(package, package)
        check(re.search(rf"\b{re.escape(package)}\b", setup), f"scripts/setup does not install {package}")


def check_licences():
    text = (DEBIAN / "copyright").read_text()
    for package in json.loads((ROOT / "viewer/package.json").read_text())["dependencies"]:
        check(re.search(rf"\b{package}\b", text), f"debian/copyright does not name {package}, which the page bundles")


def check_installed(build):
    patterns = []
    for package in PACKAGES:
        for line in (DEBIAN / f"{package}.install").read_text().splitlines():
            if not line.startswith("debian/"):
                patterns.append(line)
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["cmake", "--install", build, "--prefix", f"{folder}/usr"], check=True, stdout=subprocess.DEVNULL)
        files = [str(path.relative_to(folder)) for path in pathlib.Path(folder).rglob("*") if not path.is_dir()]
        # where libraries lie depends on the prefix: Debian's have a folder for the machine
        files = [re.sub(r"^usr/lib(/[^/]*-linux-gnu[^/]*)?/", "usr/lib/machine/", file) for file in files]
        for pattern in patterns:
            if "octave" not in pattern and "python3" not in pattern:
                check(any(fnmatch.fnmatch(file, pattern) or fnmatch.fnmatch(file, pattern + "/*") for file in files),
                      f"nothing is installed for {pattern}")
        for file in files:
            check(file == "usr/bin/crank-mpi" or any(fnmatch.fnmatch(file, p) or fnmatch.fnmatch(file, p + "/*") for p in patterns),
                  f"no package has {file}")
        pages = {pathlib.Path(file).name for file in files if "/man1/" in file}
    for page in ROOT.glob("docs/man/*.1"):
        check(page.name in pages, f"{page.name} is not installed")


def check_overrides():
    for file in DEBIAN.glob("*lintian-overrides"):
        before = ""
        for line in file.read_text().splitlines():
            check(line.startswith("#") or not line or before.startswith("#"), f"{file.name}: no reason for {line}")
            before = line


def check_tests():
    for name in re.findall(r"^Tests: (.*)$", (DEBIAN / "tests/control").read_text(), re.M):
        path = DEBIAN / "tests" / name
        check(path.exists() and path.stat().st_mode & 0o111, f"debian/tests/{name} is not a program")
        check(subprocess.run(["sh", "-n", str(path)]).returncode == 0, f"debian/tests/{name} is no shell script")


check_version()
check_control()
check_licences()
check_installed(sys.argv[1])
check_overrides()
check_tests()
sys.exit("\n".join(failures) or 0)
