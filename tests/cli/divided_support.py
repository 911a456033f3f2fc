"""What tests of searches that are divided into files have in common."""

import subprocess

import support


class Divided(support.CommandTest):
    def call(self, *arguments, folder=None):
        return subprocess.run([support.RAVEL, *map(str, arguments)], cwd=folder or self.folder, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, text=True, timeout=300)

    def parts(self):
        return sorted((self.folder / "s").glob("*.part"))

    def run_all(self, budget):
        for part in self.parts():
            said = self.call("part", part, "--budget", budget)
            self.assertEqual(said.returncode, 0, said.stdout)

    def merge(self, *arguments):
        return self.call("merge", "s", *arguments, "--json", "results.json")

    def finish(self, budget, *arguments):
        """Rounds until the search is over."""
        for _ in range(60):
            self.run_all(budget)
            said = self.merge(*arguments)
            if said.returncode != 3:
                return said
        self.fail("the search does not end")

    def told(self):
        test = self.results()
        told = {name: test[name] for name in ["verdict", "stop", "executions", "redundant", "abandoned", "erroneous_executions"]}
        told["bugs"] = sorted((bug["kind"], bug["message"], bug["preemptions"], bug["executions"]) for bug in test["bugs"])
        return told
