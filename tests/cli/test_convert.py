"""crank convert: results from one format to another, some of their columns, what killed runs leave; and whether
Octave sees the same numbers in MAT and HDF5 files."""
# SPDX-License-Identifier: BSD-3-Clause
import os
import shutil
import subprocess
import sys
import unittest

from command import DONE, FAILED, PENDULUM, USAGE, CommandTest, main

OCTAVE = shutil.which("octave-cli") or shutil.which("octave")


class Convert(CommandTest):
    def setUp(self):
        super().setUp()
        self.write(PENDULUM)
        self.expect(DONE, "run", "model.yaml", "--quiet", "--points", "30", "--out", "a.csv")

    def test_every_format_gives_the_same_numbers(self):
        for name in ("a.h5", "a.mat", "b.hdf5", "a.nc"):
            self.expect(DONE, "run", "model.yaml", "--quiet", "--points", "30", "--out", name)
            self.expect(DONE, "convert", name, "back.csv")
            self.assertEqual(self.read("back.csv"), self.read("a.csv"), name)
        self.expect(DONE, "convert", "a.h5", "c.mat")
        self.expect(DONE, "convert", "c.mat", "c.nc")
        self.expect(DONE, "convert", "c.nc", "c.h5")
        self.expect(DONE, "convert", "c.h5", "back.csv")
        self.assertEqual(self.read("back.csv"), self.read("a.csv"))

    def test_netcdf_is_plotted_and_shown_as_other_results_are_and_studies_are_tables_of_members(self):
        self.expect(DONE, "run", "model.yaml", "--quiet", "--points", "30", "--out", "a.nc")
        self.expect(DONE, "convert", "a.nc", "a.h5")
        for name in ("a.nc", "a.h5"):
            self.expect(DONE, "plot", name, "x", "-o", name + ".svg")
        self.assertEqual(self.read("a.nc.svg"), self.read("a.h5.svg"))
        self.expect(DONE, "run", "model.yaml", "--from", "a.nc@1", "--quiet", "--out", "b.nc")
        self.expect(DONE, "sweep", "model.yaml", "--sweep", "grav=1:2:3", "--final", "x", "-o", "s.nc")
        self.expect(FAILED, "plot", "s.nc", "--list", says="s.nc: is a study of 3 runs")
        self.expect(DONE, "convert", "s.nc", "s.csv")

    def test_xarray_has_the_same_numbers(self):
        self.expect(DONE, "run", "model.yaml", "--quiet", "--points", "30", "--out", "a.nc")
        script = ("import xarray, csv; d = xarray.open_dataset('a.nc'); rows = list(csv.reader(open('a.csv')))\n"
                  "for j, name in enumerate(rows[0]):\n"
                  "    assert list(d[name].values) == [float(r[j]) for r in rows[1:]], name\n"
                  "print(d['x'].dims, d.time.dtype)")
        if subprocess.run([sys.executable, "-c", "import xarray"], capture_output=True, check=False).returncode != 0:
            self.skipTest("xarray is not installed")
        done = subprocess.run([sys.executable, "-c", script], cwd=self.place, capture_output=True, text=True, check=False)
        self.assertEqual(done.stdout, "('time',) float64\n", done.stderr)

    def test_only_keeps_the_first_column_and_what_matches(self):
        done = self.expect(DONE, "convert", "a.csv", "-", "--only", "v*", "--only", "energy")
        rows = [line.split(",") for line in done.out.splitlines()]
        self.assertEqual(rows[0], ["time", "vx", "vy", "energy"])
        whole = [line.split(",") for line in self.read("a.csv").splitlines()]
        places = [whole[0].index(name) for name in rows[0]]
        self.assertEqual(rows, [[row[j] for j in places] for row in whole])

    def test_pattern_without_a_column_is_a_mistake(self):
        done = self.expect(USAGE, "convert", "a.csv", "b.csv", "--only", "enrgy")
        self.assertIn("did you mean energy", done.err)
        self.assertFalse(os.path.exists(self.path("b.csv")))

    def test_unknown_formats_are_a_mistake(self):
        done = self.expect(USAGE, "convert", "a.csv", "b.txt")
        self.assertIn(".csv", done.err)
        self.expect(USAGE, "convert", "a.csv")
        done = self.expect(USAGE, "convert", "a.csv", "a.csv")
        self.assertIn("the same file", done.err)

    def test_files_that_cannot_be_read_or_written_are_told(self):
        done = self.expect(FAILED, "convert", "nothing.h5", "b.csv")
        self.assertIn("nothing.h5: cannot open: No such file", done.err)
        done = self.expect(FAILED, "convert", "a.csv", "nowhere/b.mat")
        self.assertIn("nowhere/b.mat", done.err)
        done = self.expect(FAILED, "convert", "model.yaml", "b.mat")
        self.assertIn("model.yaml:", done.err)
        self.write(b"\x00\x01\x02", "broken.mat")
        done = self.expect(FAILED, "convert", "broken.mat", "b.csv")
        self.assertIn("broken.mat", done.err)
        done = self.expect(FAILED, "convert", "a.csv", "/dev/full")
        self.assertIn("No space left", done.err)

    def test_a_device_without_end_is_not_read_to_its_end(self):
        self.expect(FAILED, "convert", "/dev/zero", "b.csv", says=("/dev/zero", "it holds a zero byte"))

    def test_units_and_descriptions_are_kept(self):
        self.expect(DONE, "run", "model.yaml", "--quiet", "--points", "3", "--out", "a.h5")
        self.expect(DONE, "convert", "a.h5", "a.mat", "--only", "lambda.*")
        with open(self.path("a.mat"), "rb") as file:
            data = file.read()
        self.assertIn(b"multiplier of constraint length", data)
        self.assertIn(b"[s]", data)

    @unittest.skipUnless(OCTAVE, "octave is not installed")
    def test_octave_sees_the_same_numbers(self):
        self.write(PENDULUM + "title: L\u00e4ufer\n")
        self.expect(DONE, "run", "model.yaml", "--quiet", "--points", "30", "--out", "a.h5")
        self.expect(DONE, "convert", "a.h5", "a.mat")
        self.expect(DONE, "convert", "a.h5", "a.nc")
        script = """
            h = load('a.h5'); m = load('a.mat');
            c = dlmread('a.csv', ',', 1, 0);
            if ! isequal(h.values', c), error('HDF5 differs'); end
            if ! isequal(m.data_2', c), error('MAT differs'); end
            n = load('-hdf5', 'a.nc');
            if ! isequal(n.time', c(:, 1)) || ! isequal(n.x', c(:, 2)), error('netCDF differs'); end
            names = strsplit(fgetl(fopen('a.csv')), ',');
            for i = 1:numel(names)
              if ! strcmp(strtrim(strrep(m.name(:, i)', char(0), ' ')), names{i}), error('MAT name %d', i); end
              if ! strcmp(strtrim(strrep(h.names(i, :), char(0), ' ')), names{i}), error('HDF5 name %d', i); end
            end
            if ! strcmp(strtrim(m.Aclass(4, :)), 'binTrans'), error('Aclass'); end
            if ! isequal(size(m.dataInfo), [4, numel(names)]), error('dataInfo'); end
            if h.row_count != 31, error('row_count'); end
            if ! isequal(h.model_title, m.model_title), error('title'); end
            puts('equal');
        """
        done = subprocess.run([OCTAVE, "--no-gui", "--norc", "--eval", script], cwd=self.place,
                              capture_output=True, text=True, timeout=120, check=False)
        self.assertEqual(done.stdout, "equal", done.stderr)


main()
