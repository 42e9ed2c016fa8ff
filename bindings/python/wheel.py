#!/usr/bin/env python3
# Packs a built package as a wheel, without a network and without other tools: the format is a zip file with three
# files of its own (packaging.python.org, "Binary distribution format"). The same input gives the same bytes.
#
#     wheel.py build/python/crankmbs VERSION DIRECTORY
# SPDX-License-Identifier: BSD-3-Clause
import base64
import hashlib
import sys
import sysconfig
import zipfile
from pathlib import Path

METADATA = """\
Metadata-Version: 2.1
Name: crankmbs
Version: {version}
Summary: Multibody dynamics and differential-algebraic equations
License: BSD-3-Clause
Requires-Python: >=3.11
"""
WHEEL = """\
Wheel-Version: 1.0
Generator: crank
Root-Is-Purelib: false
Tag: {tag}
"""


def main(package, version, directory):
    package = Path(package)
    tag = "cp311-abi3-" + sysconfig.get_platform().replace("-", "_").replace(".", "_")
    info = f"crankmbs-{version}.dist-info"
    contents = {
        f"crankmbs/{file.name}": file.read_bytes()
        for file in sorted(package.iterdir())
        if file.suffix in {".py", ".pyi", ".so", ".html"} or file.name == "py.typed"
    }
    contents[f"{info}/METADATA"] = METADATA.format(version=version).encode()
    contents[f"{info}/WHEEL"] = WHEEL.format(tag=tag).encode()
    record = ""
    for name, data in contents.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        record += f"{name},sha256={digest},{len(data)}\n"
    contents[f"{info}/RECORD"] = f"{record}{info}/RECORD,,\n".encode()
    path = Path(directory) / f"crankmbs-{version}-{tag}.whl"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as wheel:
        for name, data in contents.items():
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.external_attr = 0o644 << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            wheel.writestr(entry, data)
    print(path)


if __name__ == "__main__":
    main(*sys.argv[1:])
