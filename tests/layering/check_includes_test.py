#!/usr/bin/env python3
"""Tests of check_includes.py on small source trees made for the purpose."""

import pathlib
import tempfile
import unittest

from check_includes import check

TABLE = """base base
engine engine base
strategy strategy engine
erlang_term erlang/term base
"""


class CheckIncludes(unittest.TestCase):
    def complaints(self, files, table=TABLE):
        with tempfile.TemporaryDirectory() as root:
            for name, text in files.items():
                path = pathlib.Path(root, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            return check(table, root)

    def test_includes_along_the_direction_are_fine(self):
        self.assertEqual(
            self.complaints({
                "strategy/a.h": '#include "engine/x.h"\n#include "base/check.h"\n#include <vector>\n',
                "erlang/term/b.cc": '#include "erlang/term/b.h"\n#include <iostream>\n',
            }), [])

    def test_an_include_against_the_direction_is_named(self):
        (one,) = self.complaints({"engine/a.cc": '\n#include "strategy/x.h"\n'})
        self.assertIn("engine/a.cc:2", one)

    def test_strategies_know_no_language(self):
        self.assertEqual(len(self.complaints({"strategy/a.cc": '#include "erlang/term/term.h"\n'})), 1)

    def test_a_heavy_header_is_refused_in_headers_only(self):
        self.assertEqual(len(self.complaints({"base/a.h": "#include <iostream>\n"})), 1)

    def test_a_relative_include_is_refused(self):
        self.assertEqual(len(self.complaints({"base/a.cc": '#include "a.h"\n'})), 1)

    def test_a_generated_table_is_fine(self):
        self.assertEqual(self.complaints({"base/a.cc": '#include "table.inc"\n'}), [])
        self.assertEqual(len(self.complaints({"base/a.cc": '#include "engine/table.inc"\n'})), 1)

    def test_editing_the_table_does_not_allow_a_forbidden_arrow(self):
        self.assertTrue(self.complaints({}, TABLE + "strategy2 strategy/sub erlang_term\n"))


if __name__ == "__main__":
    unittest.main()
