#!/usr/bin/env python3
"""Whether documentation and code can be read: lines that fit, pages that end, links that lead somewhere.

What is held:
1. A line of a *.md file has at most 100 columns. Exempt are tables, code blocks, and lines of one word (a long link).
2. A page of docs/design has fewer than 250 lines, README.md fewer than 200.
3. Each relative link leads to a file of the project, and its #anchor to a heading there.
4. A line of C++ has at most as many columns as .clang-format says, but in the programs that tests check, whose lines
   results name.

usage: prose_test.py [FOLDER]     FOLDER is the top of the project
"""

import pathlib
import re
import sys
import tempfile
import unittest

COLUMNS_MAX = 100
CHECKED_PROGRAMS = re.compile(r"^tests/(.*/)?(programs|package|threads_libraries)/")
DESIGN_LINES_MAX = 249
README_LINES_MAX = 199

ROOT = pathlib.Path(__file__).resolve().parents[2]
SKIPPED_FOLDERS = re.compile(r"^(\.|build|_build|deps$|node_modules$)")

FENCE = re.compile(r"^\s*(```|~~~)")
LIST_ITEM = re.compile(r"^\s*([-*+]|\d+\.)\s")
CODE_SPAN = re.compile(r"(`+)(?!`).+?(?<!`)\1(?!`)")
LINK = re.compile(r"!?\[[^\]]*\]\(([^()\s]+)\)")
HEADING = re.compile(r"^#{1,6}\s+(.*?)\s*#*$")


def pages(root):
    """The *.md files of the project: not those of a build folder, nor of a hidden one."""
    found = []
    for child in sorted(root.iterdir()):
        if SKIPPED_FOLDERS.match(child.name):
            continue
        if child.is_dir():
            found += pages(child)
        elif child.suffix == ".md":
            found.append(child)
    return found


def prose_lines(text):
    """Yields (number, line) of each line that is no part of a code block."""
    in_fence = in_list = False
    blank_before = True
    in_indented = False
    for number, line in enumerate(text.split("\n"), 1):
        if FENCE.match(line):
            in_fence = not in_fence
            blank_before = False
            continue
        if in_fence:
            continue
        if not line.strip():
            blank_before = True
            yield number, line
            continue
        if LIST_ITEM.match(line) and not line.startswith("    "):
            in_list = True
        elif not line.startswith(" "):
            in_list = False
        # Four spaces after a blank line begin a code block; within a list they may be a paragraph of an item.
        in_indented = line.startswith("    ") and (in_indented or (blank_before and not in_list))
        blank_before = False
        if not in_indented:
            yield number, line


def too_long(text):
    """The numbers of the lines that have too many columns."""
    return [
        number
        for number, line in prose_lines(text)
        if len(line) > COLUMNS_MAX
        and not line.lstrip().startswith("|")
        and len(LIST_ITEM.sub("", line).split()) > 1
    ]


def anchors(text):
    """What a #anchor may name in a page: its headings, as GitHub spells them."""
    found, seen = set(), {}
    for _, line in prose_lines(text):
        heading = HEADING.match(line)
        if not heading:
            continue
        name = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading[1]).lower()
        name = re.sub(r"[^\w\- ]", "", name).replace(" ", "-")
        count = seen.get(name, 0)
        seen[name] = count + 1
        found.add(f"{name}-{count}" if count else name)
    return found


def broken_links(page):
    """(number, link) of each relative link of a page that leads nowhere."""
    broken = []
    text = "\n".join(f"{number}\0{line}" for number, line in prose_lines(page.read_text(encoding="utf-8")))
    # A link's text may go on in the next line; its number is that of the line in which it ends.
    plain = CODE_SPAN.sub("", text)
    for match in LINK.finditer(plain):
        link = match[1]
        if re.match(r"[a-z]+:", link):
            continue
        number = int(plain[: match.end()].rsplit("\n", 1)[-1].split("\0", 1)[0])
        name, _, anchor = link.partition("#")
        target = page.parent / name if name else page
        if not target.exists():
            broken.append((number, link))
        elif anchor and (target.suffix != ".md" or anchor not in anchors(target.read_text(encoding="utf-8"))):
            broken.append((number, link))
    return broken


def code_columns_max(root):
    return int(re.search(r"^ColumnLimit: (\d+)$", (root / ".clang-format").read_text(), re.MULTILINE)[1])


def sources(root):
    """The C++ files of the project, apart from programs that are checked."""
    for folder in ("src", "tests"):
        for path in sorted((root / folder).rglob("*.*")):
            if path.suffix in (".cc", ".h") and not CHECKED_PROGRAMS.match(str(path.relative_to(root))):
                yield path


def wide_code(root):
    """One sentence for each line of C++ that has too many columns."""
    most = code_columns_max(root)
    return [
        f"{path.relative_to(root)}:{number}: more than {most} columns"
        for path in sources(root)
        for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1)
        if len(line) > most
    ]


def lines_max(page, root):
    if page == root / "README.md":
        return README_LINES_MAX
    if page.parent == root / "docs" / "design":
        return DESIGN_LINES_MAX
    return None


def complaints(root):
    """One sentence for each thing that is wrong below a folder."""
    found = []
    for page in pages(root):
        name = page.relative_to(root)
        text = page.read_text(encoding="utf-8")
        found += [f"{name}:{number}: more than {COLUMNS_MAX} columns" for number in too_long(text)]
        found += [f"{name}:{number}: {link} leads nowhere" for number, link in broken_links(page)]
        most = lines_max(page, root)
        if most is not None and text.count("\n") > most:
            found.append(f"{name}: {text.count(chr(10))} lines, which is more than {most}")
    return found


class TheProject(unittest.TestCase):
    def test_its_pages_can_be_read(self):
        self.assertGreater(len(pages(ROOT)), 30)
        self.assertEqual(complaints(ROOT), [])

    def test_its_code_fits(self):
        self.assertGreater(len(list(sources(ROOT))), 500)
        self.assertEqual(wide_code(ROOT), [])


class TheCheckItself(unittest.TestCase):
    """A check that cannot fail holds nothing."""

    def complaints_about(self, text, name="page.md", **others):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for path, content in {name: text, **others}.items():
                (root / path).parent.mkdir(parents=True, exist_ok=True)
                (root / path).write_text(content, encoding="utf-8")
            return complaints(root)

    def test_a_long_line_is_found(self):
        self.assertEqual(self.complaints_about("short\n" + "word " * 21), ["page.md:2: more than 100 columns"])
        self.assertEqual(len(self.complaints_about("- " + "word " * 21)), 1)
        self.assertEqual(len(self.complaints_about("- item\n\n    " + "word " * 21)), 1)

    def test_tables_code_and_long_words_may_be_long(self):
        self.assertEqual(self.complaints_about("| " + "word " * 30 + "|"), [])
        self.assertEqual(self.complaints_about("```\n" + "word " * 30 + "\n```\n"), [])
        self.assertEqual(self.complaints_about("text\n\n    " + "word " * 30), [])
        self.assertEqual(self.complaints_about("- <https://example.org/" + "x" * 100 + ">"), [])

    def test_prose_after_a_code_block_is_prose_again(self):
        self.assertEqual(len(self.complaints_about("```\ncode\n```\n" + "word " * 30)), 1)

    def test_a_link_to_nothing_is_found(self):
        self.assertEqual(self.complaints_about("a\n[here](gone.md)"), ["page.md:2: gone.md leads nowhere"])
        self.assertEqual(len(self.complaints_about("[over two\nlines](gone.md)")), 1)
        self.assertEqual(len(self.complaints_about("| [in a table](gone.md) |")), 1)
        self.assertEqual(self.complaints_about("`[no link](gone.md)` and [far](https://example.org/x)"), [])

    def test_a_link_to_a_heading_that_is_not_there_is_found(self):
        other = "# A page\n\n## What `--time` is, and is not\n\n## Twice\n\n## Twice\n\n```\n# no heading\n```\n"
        for good in ["#a-page", "#what---time-is-and-is-not", "#twice", "#twice-1", ""]:
            self.assertEqual(self.complaints_about(f"[x](b.md{good})", **{"b.md": other}), [])
        for bad in ["#a_page", "#twice-2", "#no-heading"]:
            self.assertEqual(len(self.complaints_about(f"[x](b.md{bad})", **{"b.md": other})), 1, bad)
        self.assertEqual(self.complaints_about("# Here\n[x](#here)"), [])
        self.assertEqual(len(self.complaints_about("# Here\n[x](#there)")), 1)

    def test_a_page_that_is_too_long_is_found(self):
        self.assertEqual(self.complaints_about("x\n" * 249, "docs/design/a.md"), [])
        self.assertEqual(len(self.complaints_about("x\n" * 250, "docs/design/a.md")), 1)
        self.assertEqual(len(self.complaints_about("x\n" * 200, "README.md")), 1)
        self.assertEqual(self.complaints_about("x\n" * 300, "docs/a.md"), [])

    def test_code_that_is_too_wide_is_found(self):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for name in ("src/a", "tests/golden/programs"):
                (root / name).mkdir(parents=True)
            (root / ".clang-format").write_text("ColumnLimit: 20\n")
            (root / "src/a/a.cc").write_text("short\n" + "/" * 20 + "\n" + "ö" * 21)
            (root / "tests/golden/programs/b.cc").write_text("/" * 21)
            self.assertEqual(wide_code(root), ["src/a/a.cc:3: more than 20 columns"])


if __name__ == "__main__":
    if len(sys.argv) > 1 and not sys.argv[1].startswith("-"):
        ROOT = pathlib.Path(sys.argv.pop(1)).resolve()
    unittest.main()
