"""The manual page and the completions for shells, which are made from the table of options."""

import re
import shutil
import subprocess
import unittest

from support import CommandTest

COMMANDS = ["check", "replay", "show", "ui", "trace", "races", "dap", "mcp", "profile", "tests", "run", "split", "part",
            "merge", "pages"]


class Pages(CommandTest):
    def page(self, kind):
        return self.expect(0, "pages", kind).stdout

    def options(self, command):
        return set(re.findall(r"^  .*?(--[a-z-]+)", self.expect(0, command, "--help-all").stdout, re.MULTILINE)) - {"--help"}

    def test_each_names_every_option_of_every_command(self):
        for kind, mark in [("man", "\\-\\-"), ("bash", "--"), ("zsh", "--"), ("fish", "-l ")]:
            page = self.page(kind)
            for command in COMMANDS:
                self.assertIn(command, page)
                for option in self.options(command):
                    self.assertIn(mark + option[2:].replace("-", "\\-" if kind == "man" else "-"), page, kind)

    def complete(self, *words):
        """What bash offers for the last word."""
        script = self.write("ravel.bash", self.page("bash"))
        run = f'source {script}; COMP_WORDS=({" ".join(words)}); COMP_CWORD={len(words) - 1}; _ravel; echo "${{COMPREPLY[@]}}"'
        return subprocess.run(["bash", "-c", run], check=True, capture_output=True, text=True).stdout.split()

    def test_bash_completes_commands_options_and_words(self):
        self.assertEqual(self.complete("ravel", "re"), ["replay"])
        self.assertEqual(self.complete("ravel", "check", "--strate"), ["--strategy"])
        self.assertEqual(self.complete("ravel", "check", "--strategy", "d"), ["dpor", "delay", "dfs"])
        self.assertEqual(self.complete("ravel", "races", "--vari"), ["--variant"])
        self.assertEqual(self.complete("ravel", "check", "x"), [])  # files

    def test_other_shells_read_theirs(self):
        for kind, check in [("zsh", ["zsh", "-n"]), ("fish", ["fish", "--no-execute"])]:
            if shutil.which(check[0]):
                subprocess.run([*check, self.write(f"ravel.{kind}", self.page(kind))], check=True)

    def test_the_manual_page_is_without_warnings(self):
        if shutil.which("groff"):
            run = subprocess.run(["groff", "-ww", "-man", "-Tutf8", self.write("ravel.1", self.page("man"))], capture_output=True, text=True)
            self.assertEqual((run.returncode, run.stderr), (0, ""))

    def test_another_kind_is_refused(self):
        self.refused("pages", "html", says="man, bash, zsh, fish")


if __name__ == "__main__":
    unittest.main()
