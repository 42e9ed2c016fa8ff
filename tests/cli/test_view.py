"""crank view: pages read back by Python's own HTML and JSON readers; --html and --watch of crank run.

    test_view.py CRANK [TEMPLATE]

Tests use a tiny template through CRANK_PAGE; with TEMPLATE, the built one is tried too.
"""
# SPDX-License-Identifier: BSD-3-Clause
import base64
import html.parser
import json
import math
import os
import re
import signal
import struct
import subprocess
import sys
import time
import xml.etree.ElementTree as ElementTree
import zlib

from command import DONE, FAILED, MODEL, PENDULUM, USAGE, CommandTest, main

TEMPLATE = """<!doctype html>
<html><head><meta charset="utf-8"><title><!--crank:title--></title></head>
<body>
<!--crank:data-->
<script>viewer</script></body></html>
"""
BUILT = os.path.abspath(sys.argv.pop(2)) if len(sys.argv) > 2 and sys.argv[2].endswith(".html") else None
BODIES = """\
crank: mechanism
dimension: 2
gravity: [0, -9.81]
bodies: {rod: {mass: 1, inertia: 0.1, position: [0.5, 0]}}
joints: {pin: {type: revolute, between: [ground, rod], at: [0, 0]}}
simulate: {t_end: 0.2, points: 10}
"""
HOSTILE = ["</script><script>alert(1)</script>", "<!--<script>", "a\u2028b\u2029c", "\"quoted\" 'twice' \\",
           "&lt;&amp;&#60;", "]]><svg onload=alert(1)>", "\u03bb \U0001f600", "__proto__", "</title><img src=x>"]


class Page(html.parser.HTMLParser):
    """A page as a browser sees it: elements, and the text of each script element."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.tags, self.scripts, self.title, self.comments = [], [], "", []
        self.feed(text)
        self.close()
        self.elements = {attributes.get("id"): data for attributes, data in self.scripts}
        self.index = json.loads(self.elements["crank-index"])

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        if tag == "script":
            self.scripts.append([dict(attrs), ""])

    def handle_data(self, data):
        if self.tags and self.tags[-1] == "script" and self.scripts:
            self.scripts[-1][1] += data
        elif self.tags and self.tags[-1] == "title":
            self.title += data

    def handle_endtag(self, tag):
        self.tags.append("/" + tag)

    def handle_comment(self, data):
        self.comments.append(data)

    def column(self, name):
        """The numbers of a column, decoded as docs/develop/page.md says."""
        entry = next(column for column in self.index["columns"] if column["name"] == name)
        block = self.index["blocks"][entry["block"]]
        rows, width = self.index["rows"], 8 if block["type"] == "f64" else 4
        data = zlib.decompress(base64.b64decode(self.elements[f"crank-block-{entry['block']}"], validate=True))
        assert len(data) == block["columns"] * rows * width
        planes = data[entry["slot"] * rows * width:][:rows * width]
        mask, value, difference, out = (1 << 8 * width) - 1, 0, 0, []
        for i in range(rows):
            second = sum(planes[k * rows + i] << 8 * k for k in range(width))
            difference = difference + second & mask
            value = value + difference & mask
            out.append(struct.unpack("<d" if width == 8 else "<f", value.to_bytes(width, "little"))[0])
        return out


def single(value):
    return struct.unpack("<f", struct.pack("<f", value))[0]


class ViewTest(CommandTest):
    template = None

    def setUp(self):
        super().setUp()
        self.template = self.path(self.write(TEMPLATE, "template.html"))

    def environment(self):
        return dict(super().environment(), CRANK_PAGE=self.template)

    def page(self, name="page.html"):
        return Page(self.read(name))

    def view(self, *arguments, code=DONE, says=()):
        result = self.expect(code, "view", *arguments, "-o", "page.html", says=says)
        return self.page() if code == DONE else result

    def write_csv(self, names, rows, name="a.csv"):
        quoted = ['"' + n.replace('"', '""') + '"' for n in names]
        lines = [",".join(quoted)] + [",".join(repr(float(v)) for v in row) for row in rows]
        return self.write("\n".join(lines) + "\n", name)


def decode(data):
    """Width, height and pixels (rows of bytes) of a PNG file whose rows are differences to those above."""
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    place, chunks = 8, {}
    while place < len(data):
        size, = struct.unpack(">I", data[place:place + 4])
        name, body = data[place + 4:place + 8], data[place + 8:place + 8 + size]
        assert struct.unpack(">I", data[place + 8 + size:place + 12 + size])[0] == zlib.crc32(name + body)
        chunks[name] = body
        place += 12 + size
    width, height = struct.unpack(">II", chunks[b"IHDR"][:8])
    raw, rows, above = zlib.decompress(chunks[b"IDAT"]), [], bytes(3 * width)
    for j in range(height):
        line = raw[j * (3 * width + 1):(j + 1) * (3 * width + 1)]
        assert line[0] == 2
        above = bytes((a + b) & 255 for a, b in zip(line[1:], above))
        rows.append(above)
    return width, height, rows


class Picture(ViewTest):
    def setUp(self):
        super().setUp()
        self.write(BODIES + "view: {bodies: {rod: {color: '#ff0000', shapes: [{box: [1, 0.1, 0.1]}]}}}\n")
        self.expect(DONE, "run", "model.yaml", "--out", "r.h5", "--quiet")

    def read_bytes(self, name):
        with open(self.path(name), "rb") as file:
            return file.read()

    def test_picture_shows_the_body_in_its_colour_and_the_same_bytes_each_time(self):
        for name in ("a.png", "b.png"):
            self.expect(DONE, "view", "r.h5", "--picture", "0.1", "-o", name, "--width", "160", "--height", "90")
        width, height, rows = decode(self.read_bytes("a.png"))
        self.assertEqual((width, height), (160, 90))
        red = sum(row[3 * i] > 150 and row[3 * i + 1] < 60 for row in rows for i in range(width))
        self.assertGreater(red, 200)
        self.assertEqual(self.read_bytes("a.png"), self.read_bytes("b.png"))

    def test_wheels_on_one_axle_do_not_hide_each_other(self):
        disc = "  %s: {mass: 1, inertia: %s, position: [0, 0]}\n"
        wheels = [disc % ("small", 0.005), disc % ("large", 0.05)]
        for bodies in wheels, wheels[::-1]:
            self.write("crank: mechanism\ndimension: 2\nbodies:\n" + "".join(bodies) + "joints:\n"
                       "  a: {type: revolute, between: [ground, small], at: [0, 0]}\n  b: {type: revolute, between: [ground, large], at: [0, 0]}\n"
                       'view: {bodies: {small: {color: "#ff0000"}, large: {color: "#0000ff"}}}\nsimulate: {t_end: 0.1, points: 1}\n', "wheels.yaml")
            self.expect(DONE, "run", "wheels.yaml", "-o", "wheels.h5", "--quiet")
            self.expect(DONE, "view", "wheels.h5", "--picture", "0", "-o", "wheels.svg")
            text = self.read("wheels.svg")
            self.assertGreater(text.index("#f30000"), text.rindex("#0000f3"))

    def test_picture_as_svg_is_well_formed_and_has_the_colour(self):
        self.expect(DONE, "view", "r.h5", "--picture", "0.1", "-o", "a.svg", "--title", "a < b")
        text = self.read("a.svg")
        root = ElementTree.fromstring(text)
        self.assertEqual((root.get("width"), root.get("height")), ("1280", "720"))
        self.assertEqual(root[0].text, "a < b")
        fills = {element.get("fill") for element in root.iter()}
        self.assertTrue(any(re.fullmatch("#[c-f][0-9a-f][0-6][0-9a-f]{3}", fill or "") for fill in fills), fills)

    def test_picture_of_a_csv_result_takes_the_model(self):
        self.expect(DONE, "run", "model.yaml", "--out", "r.csv", "--quiet")
        self.expect(DONE, "view", "r.csv", "--model", "model.yaml", "--picture", "0.1", "-o", "a.svg")
        self.expect(DONE, "view", "r.h5", "--picture", "0.1", "-o", "b.svg")
        self.assertEqual(len(self.read("a.svg").splitlines()), len(self.read("b.svg").splitlines()))

    def test_mistakes_of_pictures_are_told(self):
        self.expect(USAGE, "view", "r.h5", "--picture", "0.3", "-o", "a.svg", says="from 0 to 0.2")
        self.expect(USAGE, "view", "r.h5", "--picture", "0.1", "-o", "a.html", says="FILE.svg")
        self.expect(USAGE, "view", "r.h5", "--picture", "0.1", says="FILE.svg")
        self.expect(USAGE, "view", "r.h5", "--picture", "0.1", "-o", "a.svg", "--frames", "5", says="for pages")
        self.expect(USAGE, "view", "r.h5", "-o", "a.html", "--width", "100", says="--picture and --film")
        self.expect(FAILED, "view", "r.h5", "--picture", "0.1", "-o", "a.png", "--width", "9", says="9 x 720")
        self.expect(FAILED, "view", "r.h5", "--picture", "0.1", "-o", "no/a.png", says="No such file")
        self.write("time,x\n0,1\n1,2\n", "n.csv")
        self.expect(FAILED, "view", "n.csv", "--picture", "0", "-o", "a.png", says="no scene to draw")

    def test_film_as_frames_has_one_for_each_moment(self):
        self.expect(DONE, "view", "r.h5", "--film", "f%03d.png", "--fps", "10", "--speed", "0.1", "--width", "64",
                    "--height", "48", says="21 frames")
        for number in range(21):
            self.assertEqual(decode(self.read_bytes(f"f{number:03d}.png"))[:2], (64, 48))
        self.assertFalse(os.path.exists(self.path("f021.png")))
        self.expect(DONE, "view", "r.h5", "--picture", "0.2", "-o", "last.png", "--width", "64", "--height", "48")
        self.assertEqual(self.read_bytes("f020.png"), self.read_bytes("last.png"))

    def program(self, text):
        """A program called ffmpeg that comes first in PATH."""
        os.makedirs(self.path("bin"), exist_ok=True)
        self.write("#!/bin/sh\n" + text, "bin/ffmpeg")
        os.chmod(self.path("bin/ffmpeg"), 0o755)
        self.programs = self.path("bin") + os.pathsep + os.environ["PATH"]

    def environment(self):
        return dict(super().environment(), PATH=getattr(self, "programs", os.environ["PATH"]))

    def test_film_hands_raw_frames_to_ffmpeg(self):
        self.program('for last; do :; done\necho "$@" > arguments\ncat > "${last#file:}"\n')
        self.expect(DONE, "view", "r.h5", "--film", "a.webm", "--fps", "10", "--speed", "0.1", "--width", "64",
                    "--height", "48", says="21 frames")
        self.assertEqual(len(self.read_bytes("a.webm")), 21 * 64 * 48 * 3)
        self.assertIn("-s 64x48 -r 10", self.read("arguments"))

    def test_film_without_ffmpeg_and_failures_of_it_are_told(self):
        self.programs = self.path(".")
        self.expect(FAILED, "view", "r.h5", "--film", "a.webm", says=("apt install ffmpeg", "%04d.png"))
        self.program("exit 3\n")
        self.expect(FAILED, "view", "r.h5", "--film", "a.webm", says="ffmpeg failed, exit status 3")

    def test_mistakes_of_films_are_told(self):
        for name in ("a.avi", "a.png", "a%s.png", "a%d%d.png", "a%5d.png"):
            self.expect(USAGE, "view", "r.h5", "--film", name, says="FILE.webm")
        self.expect(USAGE, "view", "r.h5", "--film", "a.webm", "-o", "a.html", says="two calls")
        self.expect(USAGE, "view", "r.h5", "--film", "a.webm", "--picture", "0", says="two calls")
        self.expect(USAGE, "view", "r.h5", "--film", "a.webm", "--width", "63", says="even")
        self.expect(USAGE, "view", "r.h5", "--film", "a.webm", "--speed", "0", says="must be positive")
        self.expect(USAGE, "view", "r.h5", "-o", "a.html", "--fps", "5", says="for --film")

    def test_interrupted_film_ends_where_it_was(self):
        self.program('for last; do :; done\ncat > "${last#file:}"\n')
        process = subprocess.Popen([self.crank, "view", "r.h5", "--film", "a.webm", "--speed", "1e-4"],
                                   cwd=self.place, env=self.environment(), stderr=subprocess.PIPE)
        while not os.path.exists(self.path("a.webm")) or os.path.getsize(self.path("a.webm")) == 0:
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        self.assertIn(b"interrupted: a.webm ends at t = ", process.communicate()[1])
        self.assertEqual(process.returncode, FAILED)
        self.assertEqual(os.path.getsize(self.path("a.webm")) % (1280 * 720 * 3), 0)


class View(ViewTest):
    def test_every_value_of_a_result_is_in_the_page(self):
        rows = [[0.1 * i, math.sin(i), math.cos(0.01 * i), 1e6 + 1e-6 * i] for i in range(500)]
        rows[7][1] = math.nan
        self.write_csv(["time", "x", "y", "energy"], rows)
        page = self.view("a.csv", "--title", "T", says="--model")
        self.assertEqual(page.title, "T")
        self.assertEqual(page.index["rows"], 500)
        self.assertEqual(page.column("time"), [row[0] for row in rows])
        self.assertEqual(page.column("energy"), [row[3] for row in rows])
        self.assertEqual(page.column("y"), [single(row[2]) for row in rows])
        for got, row in zip(page.column("x"), rows):
            self.assertTrue(got == single(row[1]) or (math.isnan(got) and math.isnan(row[1])))

    def test_all_formats_of_results_give_the_same_page(self):
        model = self.write(BODIES)
        pages = []
        for ending in ("h5", "mat"):
            self.expect(DONE, "run", model, "--out", "r." + ending, "--quiet")
            pages.append(self.view("r." + ending))
        for page in pages:
            self.assertEqual(page.index["scene"]["bodies"][0]["name"], "rod")
            self.assertEqual(page.index["model"], "model.yaml")
        self.assertEqual(pages[0].index["scene"], pages[1].index["scene"])
        self.assertEqual(pages[0].column("body.rod.x"), pages[1].column("body.rod.x"))

    def test_the_same_part_of_copied_assemblies_has_the_same_colour(self):
        self.write(BODIES.replace("simulate: {t_end: 0.2, points: 10}\n", "").replace("{rod:", "{weight: {mass: 1, inertia: 1}, rod:"),
                   "arm.yaml")
        self.write("crank: mechanism\ndimension: 2\nbodies: {base: {mass: 1, inertia: 1}}\nassemblies:\n"
                   "  left: {use: arm.yaml}\n  right: {use: arm.yaml, at: [1, 0]}\nsimulate: {t_end: 0.1, points: 2}\n")
        self.expect(DONE, "run", "model.yaml", "--out", "r.h5", "--quiet")
        bodies = self.view("r.h5").index["scene"]["bodies"]
        colours = {b["name"]: b.get("part", i) for i, b in enumerate(bodies)}
        self.assertEqual(colours["left.rod"], colours["right.rod"])
        self.assertEqual(colours["left.weight"], colours["right.weight"])
        self.assertEqual(len(set(colours.values())), 3, colours)

    def test_page_names_the_body_to_follow_if_all_leave_their_place(self):
        for speed, traveller in ((100, 0), (1, None)):
            self.write("crank: mechanism\ndimension: 2\nbodies:\n"
                       f"  a: {{mass: 1, inertia: 1, velocity: [{speed}, 0]}}\n"
                       f"  b: {{mass: 1, inertia: 1, position: [1, 0], velocity: [{speed}, 0]}}\n"
                       "simulate: {t_end: 1, points: 10}\n")
            self.expect(DONE, "run", "model.yaml", "--out", "r.h5", "--quiet")
            self.assertEqual(self.view("r.h5").index["traveller"], traveller)

    def test_scene_units_and_title_of_a_csv_result_come_from_the_model(self):
        model = self.write("title: A rod\n" + BODIES)
        self.expect(DONE, "run", model, "--out", "r.csv", "--quiet")
        page = self.view("r.csv", "--model", model)
        self.assertEqual(page.index["scene"]["bodies"][0]["name"], "rod")
        self.assertEqual(page.title, "A rod")
        self.assertEqual(page.index["model"], "model.yaml")
        units = {column["name"]: column["unit"] for column in page.index["columns"]}
        self.assertEqual(units["body.rod.x"], "m")
        self.assertEqual(units["time"], "s")

    def test_csv_without_model_draws_bodies_by_their_columns(self):
        self.expect(DONE, "run", self.write(BODIES), "--out", "r.csv", "--quiet")
        page = self.view("r.csv", says="--model")
        self.assertEqual(page.title, "r")
        body = page.index["scene"]["bodies"][0]
        self.assertEqual(body["name"], "rod")
        self.assertEqual(body["pose"], {"x": "body.rod.x", "y": "body.rod.y", "angle": "body.rod.angle"})

    def test_columns_that_the_scene_needs_but_the_result_has_not_are_told(self):
        model = self.write(BODIES)
        self.expect(DONE, "run", model, "--out", "r.csv", "--only", "body.rod.x", "--quiet")
        self.view("r.csv", "--model", model, says=("warning", "such as body.rod.y"))

    def test_frames_are_thinned_on_request(self):
        self.write_csv(["time", "x"], [[i, i] for i in range(101)])
        self.assertEqual(self.view("a.csv", "--frames", "5").column("time"), [0, 25, 50, 75, 100])

    def test_only_chooses_columns_besides_those_that_move_bodies(self):
        self.expect(DONE, "run", self.write(BODIES), "--out", "r.csv", "--quiet")
        names = [column["name"] for column in self.view("r.csv", "--only", "body.rod.vx").index["columns"]]
        self.assertEqual(set(names), {"time", "body.rod.x", "body.rod.y", "body.rod.angle", "body.rod.vx"})
        self.view("r.csv", "--only", "nothing.*", code=USAGE, says="nothing.*")

    def test_large_results_are_cut_to_the_limit_with_a_warning(self):
        state, rows = 1, []
        for i in range(4000):
            row = [0.001 * i]
            for _ in range(120):
                state = state * 6364136223846793005 + 1442695040888963407 & (1 << 64) - 1
                row.append((state >> 11) / 2**53)
            rows.append(row)
        names = ["time", "body.a.x", "body.a.y"] + [f"c{j}" for j in range(118)]
        self.write_csv(names, rows)
        page = self.view("a.csv", "--limit", "1", says=("warning", "of 121 columns are left out"))
        self.assertLessEqual(os.path.getsize(self.path("page.html")), 1e6)
        self.assertEqual(page.index["rows"], 4000)
        self.assertEqual(page.column("body.a.x"), [single(row[1]) for row in rows])
        left_out = page.index["left_out"]
        self.assertIn("c117", left_out)
        self.assertEqual(len(left_out) + len(page.index["columns"]), 121)
        page = self.view("a.csv", "--limit", "0.02", says=("warning", "of 4000 rows are in the page"))
        self.assertLess(page.index["rows"], 4000)
        self.assertEqual(page.index["result_rows"], 4000)
        self.assertEqual([page.column("time")[0], page.column("time")[-1]], [0, rows[-1][0]])

    def test_page_on_standard_output_from_standard_input(self):
        result = self.call("view", "-", "-o", "-", stdin=b"time,x\n0,1\n1,2\n")
        self.assertEqual(result.code, DONE, result.err)
        self.assertEqual(Page(result.out).column("x"), [1, 2])

    def test_cut_off_result_is_shown_with_a_warning(self):
        self.write("time,x\n0,1\n1,2\n2,", "a.csv")
        self.assertEqual(self.view("a.csv", says="warning").column("x"), [1, 2])

    def test_built_template_is_a_template(self):
        if BUILT is None:
            self.skipTest("the page is not built here (CRANK_PAGE is OFF)")
        self.assertTrue(os.path.exists(BUILT), f"{BUILT} is missing: see the build's messages, make page")
        self.template = BUILT
        self.write_csv(["time", "x"], [[0, 1], [1, 2]])
        page = self.view("a.csv", "--title", HOSTILE[0])
        self.assertEqual(page.column("x"), [1, 2])
        self.assertEqual(page.index["title"], HOSTILE[0])
        text = self.read("page.html")
        self.assertNotRegex(text, r"(?i)(src|href)\s*=\s*[\"']?(https?:)?//")
        self.assertIn("Content-Security-Policy", text)


class Hostile(ViewTest):
    def test_hostile_names_and_titles_read_back_exactly_and_never_stand_raw(self):
        self.write_csv(["time", *HOSTILE], [[i, *range(len(HOSTILE))] for i in range(3)])
        for title in HOSTILE:
            page = self.view("a.csv", "--title", title)
            self.assertEqual([column["name"] for column in page.index["columns"]], ["time", *HOSTILE])
            self.assertEqual(page.index["title"], title)
            self.assertEqual(page.title, title)
            self.check_harmless(page)

    def test_hostile_scenes_of_models_read_back_exactly(self):
        model = f"title: {json.dumps(HOSTILE[0])}\n" + BODIES
        self.expect(DONE, "run", self.write(model), "--out", "r.h5", "--quiet")
        page = self.view("r.h5")
        self.assertEqual(page.title, HOSTILE[0])
        self.check_harmless(page)

    def check_harmless(self, page):
        text = self.read("page.html")
        self.assertEqual(page.comments, [])
        running = [attributes for attributes, _ in page.scripts
                   if attributes.get("type") not in ("application/json", "application/octet-stream")]
        self.assertEqual(running, [{}])  # the template's own
        self.assertEqual(page.scripts[-1][1], "viewer")
        for tag in ("img", "svg"):
            self.assertNotIn(tag, page.tags)
        data = text[text.index("<body>") + 6:text.rindex("<script>viewer")]
        data = re.sub(r"</?script[^>]*>", "", data)
        self.assertNotRegex(data, "[<>&\u2028\u2029]")


class Mistakes(ViewTest):
    def setUp(self):
        super().setUp()
        self.write("time,x\n0,1\n1,2\n", "a.csv")

    def test_wrong_arguments_are_told(self):
        for arguments, says in ((("a.csv",), "-o FILE.html"),
                                (("a.csv", "-o", "a.png"), ".html"),
                                (("a.csv", "-o", "a.html", "--frames", "1"), "--frames 1"),
                                (("a.csv", "-o", "a.html", "--frames", "x"), "--frames"),
                                (("a.csv", "-o", "a.html", "--limit", "-3"), "--limit -3"),
                                (("a.csv", "-o", "a.html", "--limit", "nan"), "--limit"),
                                (("a.csv", "-o", "a.html", "--set", "a=1"), "--model"),
                                (("a.csv", "b.csv", "-o", "a.html"), "b.csv")):
            self.expect(USAGE, "view", *arguments, says=says)
        self.assertFalse(os.path.exists(self.path("a.html")))

    def test_missing_and_damaged_results_are_told(self):
        self.view("b.csv", code=FAILED, says=("b.csv", "No such file"))
        self.write("time,x\n0,one\n", "b.csv")
        self.view("b.csv", code=FAILED, says="b.csv:2:3")
        self.write(b"", "b.csv")
        self.view("b.csv", code=FAILED, says="b.csv")
        self.write(b"time,x\x00y\n0,1\n", "b.csv")
        self.view("b.csv", code=FAILED, says="b.csv")
        self.write("time,x\n", "b.csv")
        self.view("b.csv", code=FAILED, says="no rows")
        self.write(os.urandom(300), "b.h5")
        self.view("b.h5", code=FAILED, says="b.h5")
        os.mkdir(self.path("d.csv"))
        self.view("d.csv", code=FAILED, says="d.csv")

    def test_wrong_models_are_told(self):
        self.view("a.csv", "--model", "none.yaml", code=MODEL, says="none.yaml")
        self.view("a.csv", "--model", self.write("crank: equations\nfoo: 1\n"), code=MODEL, says="model.yaml:2")
        self.view("a.csv", "--model", self.write(BODIES), "--set", "nothing=1", code=USAGE, says="nothing")

    def test_pages_that_cannot_be_written_are_told(self):
        os.mkdir(self.path("d.html"))
        for path, says in (("d.html", "Is a directory"), ("no/where.html", "No such file"),
                           ("/dev/full", "No space left")):
            self.expect(FAILED, "view", "a.csv", "-o", path, says=(path, says))
        self.assertEqual(sorted(os.listdir(self.place)), ["a.csv", "d.html", "template.html"])

    def test_full_standard_output_is_told_once(self):
        with open("/dev/full", "wb") as full:
            done = subprocess.run([self.crank, "view", "a.csv", "-o", "-", "--quiet"], cwd=self.place, timeout=60,
                                  env=self.environment(), stdout=full, stderr=subprocess.PIPE, check=False)
        self.assertEqual(done.returncode, FAILED)
        self.assertEqual(done.stderr.decode(), "crank: standard output: cannot write: No space left on device\n")

    def test_missing_and_wrong_templates_are_told(self):
        self.template = self.path("none.html")
        self.view("a.csv", code=FAILED, says=("CRANK_PAGE", "none.html"))
        self.template = self.path(self.write("<html></html>", "other.html"))
        self.view("a.csv", code=FAILED, says=("other.html", "not the template"))
        self.assertFalse(os.path.exists(self.path("page.html")))


class Html(ViewTest):
    def test_run_writes_the_page_with_scene_and_all_columns(self):
        self.expect(DONE, "run", self.write(BODIES), "--out", "r.csv", "--html", "page.html", says="page.html")
        page = self.page()
        names, rows = self.table(self.read("r.csv"))
        self.assertEqual({column["name"] for column in page.index["columns"]}, set(names))
        self.assertEqual(page.column("time"), [row[0] for row in rows])
        self.assertEqual(page.index["scene"]["bodies"][0]["name"], "rod")

    def test_equations_get_plots(self):
        self.expect(DONE, "run", self.write(PENDULUM), "--out", "r.csv", "--html", "page.html")
        page = self.page()
        self.assertEqual(len(page.column("x")), page.index["rows"])

    def test_missing_template_is_told_before_the_run(self):
        self.template = self.path("none.html")
        self.expect(FAILED, "run", self.write(BODIES), "--out", "r.csv", "--html", "page.html", says="none.html")
        self.assertFalse(os.path.exists(self.path("r.csv")))

    def test_other_endings_are_refused(self):
        self.expect(USAGE, "run", self.write(BODIES), "--html", "page.pdf", says=".html")


class Watch(ViewTest):
    """Waits for what must happen, up to a minute; nothing depends on how fast."""

    def wait(self, condition, process):
        for _ in range(600):
            if condition():
                return
            self.assertIsNone(process.poll(), "it has ended")
            time.sleep(0.1)
        self.fail("waited for a minute")

    def version(self):
        try:
            return self.page().index["watch"]["version"]
        except FileNotFoundError:
            return 0

    def begin(self, model):
        with open(self.path("log"), "wb") as log:
            process = subprocess.Popen(
                [self.crank, "run", model, "--out", "r.csv", "--html", "page.html", "--watch"], cwd=self.place,
                env=self.environment(), stdin=subprocess.DEVNULL, stderr=log)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process

    def image(self, version):
        """Does the image beside the page say this version?"""
        size = f'width="{1 + version % 1024}" height="{1 + version // 1024 % 1024}"'
        return version > 0 and os.path.exists(self.path("page.html.version.svg")) and \
            size in self.read("page.html.version.svg")

    def next(self, process, before):
        self.wait(lambda: self.version() > before and self.image(self.version()), process)
        return self.page()

    def waits(self, process, count):
        self.wait(lambda: self.read("log").count("watching") >= count, process)

    def test_page_follows_the_model_through_edits_mistakes_and_renames(self):
        model = self.write("title: one\n" + BODIES)
        process = self.begin(model)
        self.wait(lambda: self.image(self.version()), process)
        first = self.version()
        self.assertEqual(self.page().title, "one")
        self.waits(process, 1)
        self.write("title: number two\n" + BODIES)  # in place
        page = self.next(process, first)
        self.assertEqual(page.title, "number two")
        self.assertEqual(page.index["watch"]["version"], first + 1)
        self.waits(process, 2)
        self.write("title: three\n" + BODIES, "new.yaml")  # as editors do that replace the file
        os.replace(self.path("new.yaml"), self.path(model))
        self.assertEqual(self.next(process, first + 1).title, "three")
        self.waits(process, 3)
        self.write("title: four\n" + BODIES.replace("revolute", "revolut"))  # a mistake: the page stays
        self.waits(process, 4)
        self.assertIn("revolut", self.read("log"))
        self.assertEqual(self.page().title, "three")
        self.write("title: five\n" + BODIES)
        self.assertEqual(self.next(process, first + 2).title, "five")
        self.waits(process, 5)
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(60), DONE, self.read("log"))
        self.assertFalse(os.path.exists(self.path("page.html.version.svg")))
        self.assertEqual(self.page().title, "five")

    def test_a_model_that_is_wrong_at_first_is_waited_for(self):
        process = self.begin(self.write(BODIES.replace("mass: 1", "mass: -1")))
        self.waits(process, 1)
        self.assertFalse(os.path.exists(self.path("page.html")))
        self.write(BODIES)
        self.next(process, 0)
        self.waits(process, 2)
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(60), DONE)

    def test_files_that_a_model_includes_are_watched_also_when_they_are_wrong(self):
        good = "crank: mechanism\nparameters: {m: 2}\n"
        self.write("crank: mechanism\nparameters: {m: }2\n", "part.yaml")
        process = self.begin(self.write("include: [part.yaml]\n" + BODIES.replace("mass: 1", "mass: m")))
        self.waits(process, 1)
        self.assertIn("part.yaml", self.read("log"))
        self.write(good, "part.yaml")
        self.next(process, 0)
        self.waits(process, 2)
        version = self.version()
        self.write(good + "# heavier\n", "part.yaml")
        self.assertEqual(self.next(process, version).index["watch"]["version"], version + 1)
        process.send_signal(signal.SIGTERM)
        process.wait(60)
        self.assertFalse(os.path.exists(self.path("page.html.version.svg")))


main()
