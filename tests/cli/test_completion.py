"""Completion in shells: commands, options, methods and files, as the command's own tables have them. Shells that are
not installed are left out, and said so."""
# SPDX-License-Identifier: BSD-3-Clause
import os
import pathlib
import shutil
import subprocess

from command import DONE, CommandTest, main

SCRIPTS = pathlib.Path(__file__).resolve().parents[2] / "tools" / "completion"
# zsh completes in its line editor only: a terminal of its own, which lists what Tab offers
ZSH = """
zmodload zsh/zpty
zpty shell "TERM=dumb zsh -f -i"
zpty -w shell "PS1= PROMPT=; unsetopt zle_bracketed_paste 2>/dev/null; path=(%s $path); fpath=(%s $fpath); autoload -U compinit; compinit -u -D; LISTMAX=10000; zstyle ':completion:*' list-prompt ''; echo READY"
zpty -r shell answer '*READY*READY*'
zpty -w -n shell $'%s\\t\\t'
sleep 2
zpty -w -n shell $'\\C-c'
while zpty -r -t shell answer; do print -r -- $answer; done
zpty -d shell
"""


class Completion(CommandTest):
    def run_shell(self, shell, script):
        if shutil.which(shell) is None:
            self.skipTest(shell + " is not installed")
        where = os.path.dirname(self.crank) + os.pathsep + os.environ["PATH"]
        return subprocess.run([shell, "-c", script], cwd=self.place, capture_output=True, text=True, check=False,
                              timeout=60, env={**os.environ, "PATH": where, "HOME": self.place}).stdout

    def bash(self, line):
        words = line.split(" ")
        quoted = " ".join(f"'{word}'" for word in words)
        script = (f"compopt() {{ :; }}; source {SCRIPTS}/crank.bash; COMP_WORDS=({quoted}); COMP_CWORD={len(words) - 1}; "
                  f"_crank crank '{words[-1]}' '{words[-2]}'; printf '%s\\n' \"${{COMPREPLY[@]}}\"")
        return self.run_shell("bash", script).split()

    def fish(self, line):
        return [text.split("\t")[0] for text in
                self.run_shell("fish", f"source {SCRIPTS}/crank.fish; complete -C '{line}'").splitlines()]

    def check(self, offers):
        self.assertEqual(set(offers("crank li")), {"linearize"})
        self.assertTrue({"--method", "--rtol", "--set", "--help"} <= set(offers("crank run x.yaml --")))
        self.assertNotIn("--sample", offers("crank run --"))
        self.assertEqual(set(offers("crank run --method psf-r")), {"psf-radau", "psf-rosenbrock"})
        self.assertIn("atol_lambda=", offers("crank run --option atol_l"))
        self.assertEqual(set(offers("crank check --coordinates j")), {"joint"})

    def test_bash_offers_what_the_tables_have(self):
        self.check(self.bash)

    def test_fish_offers_what_the_tables_have(self):
        self.check(self.fish)

    def test_zsh_offers_what_the_tables_have(self):
        build = os.path.dirname(os.path.abspath(self.crank))
        text = self.run_shell("zsh", ZSH % (build, SCRIPTS, "crank run --method psf-"))
        for name in ("psf-radau", "psf-bdf", "psf-rosenbrock"):
            self.assertIn(name, text)

    def test_every_command_tells_its_table(self):
        for line in self.expect(DONE, "--complete").out.splitlines():
            name, summary = line.split("\t")
            self.assertTrue(summary)
            rows = [row.split("\t") for row in self.expect(DONE, name, "--complete").out.splitlines()]
            self.assertTrue(all(len(row) == 3 and row[0].startswith("-") and row[2] for row in rows), name)
            shown = self.expect(DONE, name, "--help").out
            for row in rows:
                self.assertIn("  " + (row[0] + " " + row[1]).strip(), shown)


main()
