"""scripts/linkcheck finds what is missing or loaded from elsewhere, and nothing else."""
# SPDX-License-Identifier: BSD-3-Clause
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

linkcheck = sys.argv.pop(1)


class LinkCheck(unittest.TestCase):
    def check(self, **pages):
        """Writes pages (a_html="...") and checks them: exit status and messages."""
        with tempfile.TemporaryDirectory() as directory:
            for name, text in pages.items():
                (Path(directory) / name.replace("_", ".")).write_text(text, encoding="utf-8")
            done = subprocess.run([sys.executable, linkcheck, directory], capture_output=True, text=True, check=False)
            return done.returncode, done.stderr

    def test_links_that_lead_somewhere_are_fine(self):
        status, said = self.check(a_html='<p id="x"><a href="b.html#y">b</a><a href="#x">x</a><a href="https://a.org">a</a>',
                                  b_html='<h1 id="y"><a href="a.html">a</a>')
        self.assertEqual((status, said), (0, ""))

    def test_missing_pages_are_found(self):
        status, said = self.check(a_html='<a href="b.html">b</a>')
        self.assertEqual(status, 1)
        self.assertIn("b.html is not there", said)

    def test_missing_places_are_found(self):
        status, said = self.check(a_html='<a href="#nowhere">b</a>')
        self.assertEqual(status, 1)
        self.assertIn("no such place", said)

    def test_images_scripts_and_styles_from_elsewhere_are_found(self):
        for text in ('<img src="https://a.org/x.png">', '<script src="//a.org/x.js"></script>',
                     '<link rel="stylesheet" href="http://a.org/x.css">', '<img srcset="https://a.org/x.png 2x">'):
            status, said = self.check(a_html=text)
            self.assertEqual(status, 1, text)
            self.assertIn("loads", said)

    def test_style_sheets_that_load_from_elsewhere_are_found(self):
        for text in ("p { background: url(https://a.org/x.png); }", '@import "x.css";'):
            status, _ = self.check(a_html="<p>", a_css=text)
            self.assertEqual(status, 1, text)

    def test_links_out_of_the_directory_are_found(self):
        status, said = self.check(a_html='<a href="../../etc/passwd">b</a>')
        self.assertEqual(status, 1)
        self.assertIn("leads out of the site", said)

    def test_a_directory_without_pages_is_a_failure(self):
        self.assertEqual(self.check()[0], 1)


unittest.main()
