"""The tutorial notebook runs as it is, each cell without an error; its result shows itself as the page, its plots are pictures.

    check_notebook.py docs/python-tutorial.ipynb [page]    in the project's folder; page: the template is there
    status 77: nbclient, a kernel or matplotlib is not installed
"""
# SPDX-License-Identifier: BSD-3-Clause
import importlib.util
import json
import os
import sys
import tempfile

NEEDED = ("nbclient", "nbformat", "ipykernel", "matplotlib", "numpy")


def outputs(notebook, kind):
    return [output["data"][kind] for cell in notebook.cells for output in cell.get("outputs", []) if kind in output.get("data", {})]


def main(path, with_page):
    missing = [name for name in NEEDED if importlib.util.find_spec(name) is None]
    if missing:
        print(f"not installed: {', '.join(missing)} (Debian: python3-nbclient python3-ipykernel python3-matplotlib)")
        return 77
    import nbclient
    import nbformat

    with open(path, encoding="utf-8") as file:
        assert not any(cell.get("outputs") for cell in json.load(file)["cells"]), "stored without outputs"
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    with tempfile.TemporaryDirectory() as folder:
        # a kernel of this interpreter, whatever others are installed
        kernel = os.path.join(folder, "kernels", "python3")
        os.makedirs(kernel)
        with open(os.path.join(kernel, "kernel.json"), "w", encoding="utf-8") as file:
            json.dump({"argv": [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"], "language": "python",
                       "display_name": "Python 3"}, file)
        os.environ.update(JUPYTER_PATH=folder, JUPYTER_RUNTIME_DIR=folder, IPYTHONDIR=folder, MPLCONFIGDIR=folder)
        nbclient.NotebookClient(notebook, timeout=600, kernel_name="python3", resources={"metadata": {"path": os.getcwd()}}).execute()
    pictures, pages = outputs(notebook, "image/png"), outputs(notebook, "text/html")
    errors = [output for cell in notebook.cells for output in cell.get("outputs", []) if output["output_type"] == "error"]
    told = "".join(output.get("text", "") for cell in notebook.cells for output in cell.get("outputs", []))
    good = len(pictures) == 2 and len(pages) == 1 and not errors
    if with_page:
        good = good and "<iframe srcdoc=" in pages[0] and "crank-index" in pages[0]
    good = good and all(word in told for word in ("stable", "index 3", "ESINGULAR"))
    print(told)
    print("1 passed, 0 failed" if good else f"0 passed, 1 failed: {len(pictures)} pictures, {len(pages)} pages, {errors}")
    return 0 if good else 1


sys.exit(main(sys.argv[1], "page" in sys.argv[2:]))
