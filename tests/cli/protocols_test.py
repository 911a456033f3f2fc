"""The protocols in P: each passes, and each of its seeded defects is found and told as its README says."""

import pathlib
import re
import unittest

from support import CommandTest

PROTOCOLS = pathlib.Path(__file__).parents[2] / "examples" / "p" / "protocols"

# The tests without a defect whose states are visited completely within seconds; the others are too large.
COMPLETE = {
    "two_phase_commit": ["tcOneClient"],
    "paxos": ["tcTwoProposers"],
    "multi_paxos": ["tcOneLeader"],
    "chain_replication": ["tcTwoClients", "tcOneCrash", "tcTwoCrashes", "tcTwoClientsAndACrash"],
}
COMPLETE_WITH_LARGER_STEPS = {
    "two_phase_commit": ["tcOneClientAndACrash"],
    "paxos": ["tcOneProposer"],
    "multi_paxos": ["tcTwoLeaders"],
    "transactions": ["tcOneManager"],
}


PROJECTS = sorted(defects.parents[1].name for defects in PROTOCOLS.glob("*/PTst/Defects.p"))


def rows():
    """Of each row of the README's table of defects: project, test, the bug as it is told, strategy."""
    project = None
    for line in (PROTOCOLS / "README.md").read_text().splitlines():
        heading = re.fullmatch(r"## .*\(`(\w+)/`\)", line)
        if heading:
            project = heading[1]
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) == 5 and re.fullmatch(r"`tc\w+`", cells[1]):
            yield project, cells[1].strip("`"), cells[3], re.match(r"`(\w+)`", cells[4])[1]


class Protocols(CommandTest):
    def check(self, status, project, tests, *arguments):
        """The results of a check, by test; the name of one with a parameter is without its value."""
        chosen = [argument for test in tests for argument in ["-t", test]]
        self.expect(status, "check", PROTOCOLS / project, *chosen, "--json", "results.json", *arguments)
        results = self.results()
        return {test["test"].split("___")[0]: test for test in results.get("tests", [results])}

    def test_each_passes(self):
        for project, tests in COMPLETE.items():
            with self.subTest(project):
                results = self.check(0, project, tests, "--strategy", "states")
                self.assertEqual({name: test["verdict"] for name, test in results.items()}, dict.fromkeys(tests, "pass"))

    def test_each_passes_with_steps_of_whole_handlers(self):
        for project, tests in COMPLETE_WITH_LARGER_STEPS.items():
            with self.subTest(project):
                results = self.check(0, project, tests, "--strategy", "states", "--steps", "handlers")
                self.assertEqual({name: test["verdict"] for name, test in results.items()}, dict.fromkeys(tests, "pass"))

    def test_random_executions_of_the_large_ones_have_no_bug(self):
        for project in PROJECTS:
            text = (PROTOCOLS / project / "PTst" / "Tests.p").read_text()
            tests = re.findall(r"^test (\w+)", text, re.MULTILINE)
            for name, test in self.check(0, project, tests, "--strategy", "random", "--budget", "5000x").items():
                self.assertEqual((name, test.get("bugs", [])), (name, []))

    def test_each_defect_is_found_and_told_as_the_readme_says(self):
        for project, test, told, strategy in rows():
            with self.subTest(test):
                result = self.check(1, project, [test], "--strategy", strategy, "--budget", "60s")[test]
                self.assertEqual(result["bugs"][0]["message"], told, result["bugs"][0])

    def test_each_defect_is_in_the_readme(self):
        for project in PROJECTS:
            text = (PROTOCOLS / project / "PTst" / "Defects.p").read_text()
            tests = re.findall(r"^test (?:param \(.*?\) )?(\w+)", text, re.MULTILINE)
            self.assertEqual(tests, [test for of, test, *_ in rows() if of == project])


if __name__ == "__main__":
    unittest.main()
