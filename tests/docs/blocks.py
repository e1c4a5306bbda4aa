#!/usr/bin/env python3
"""blocks.py PROGRAM ROOT [PAGE…]: runs every code block of README.md and docs/, or fails.

Each page has a folder of its own to work in, and its blocks are done from top to bottom:
  toml    `# NAME.toml` on its first line: that file is written; `# add to NAME.toml`: appended to it; a block with a title: `scenario.toml`;
          `# part of NAME`: put into the scenario NAME of the gallery, which is run for a moment. A block without any of these is an error.
  sh      the commands are run; what they print must be the block `output` that follows, if one does. `# exit 3` at the end of the last line is the exit code.
  output  `…` stands for anything within a line, a line `…` for any lines; the width of columns does not count.
  python  is run.
  cpp, cmake   are built by tests/install and must stand in a page that it knows.
  text    is no code: a diagram or a pattern of usage.
"""
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

built_by_install = {"README.md", "docs/cpp.md"}


def matches(expected, printed):
    pattern = []
    printed = re.sub(r"[ \t]+", " ", printed)  # columns may be wider
    for line in re.sub(r"[ \t]+", " ", expected).rstrip("\n").split("\n"):
        pattern.append("(?:.*\n)*?" if line.strip() == "…" else ".*".join(re.escape(p) for p in line.rstrip().split("…")) + r"[ \t]*\n")
    return re.fullmatch("".join(pattern), printed.rstrip("\n") + "\n") is not None


class Runner:
    def __init__(self, program, root):
        self.program, self.root = Path(program).resolve(), Path(root).resolve()
        self.done = 0

    def shell(self, text, folder, code=0):
        bin = folder / ".bin"
        if not bin.exists():
            bin.mkdir()
            (bin / "ricochet").symlink_to(self.program)
            (folder / "ricochet").symlink_to(self.program)
        env = {**os.environ, "PATH": f"{bin}:{os.environ['PATH']}", "RICOCHET_SCENARIOS": str(self.root / "scenarios"), "NO_COLOR": "1"}
        r = subprocess.run(["bash", "-euc", text], cwd=folder, env=env, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=300)
        if r.returncode != code:
            raise AssertionError(f"exit code {r.returncode}, not {code}, of\n{text}\n{r.stdout}")
        return r.stdout

    def toml(self, body, folder):
        first = body.split("\n", 1)[0]
        if m := re.match(r"# add to (\S+\.toml)", first):
            with open(folder / m[1], "a") as f:
                f.write(body)
        elif m := re.match(r"# (\S+\.toml)", first):
            (folder / m[1]).write_text(body)
        elif m := re.match(r"# part of (\S+)", first):
            base = (self.root / f"scenarios/{m[1]}.toml").read_text()
            for table in re.findall(r"^\[\w[^\]]*\]", body + "\n[expect]\n", re.M):  # replaces that of the scenario
                base = re.sub(rf"^{re.escape(table)}.*?(?=^\[|\Z)", "", base, flags=re.M | re.S)
            (folder / "part.toml").write_text(base + "\n" + body)
            self.shell("ricochet run part.toml -o part --quiet --set run.duration=1e-3", folder)
        elif re.search(r"^title\s*=|^\[continuum\]", body, re.M):
            (folder / "scenario.toml").write_text(body)
            self.shell("ricochet run scenario.toml --quiet", folder)
        else:
            raise AssertionError("says neither which file it is nor of which scenario it is a part:\n" + body)

    def page(self, path):
        name = str(path.relative_to(self.root))
        blocks = re.findall(r"^```([^\n]*)\n(.*?)^```[ ]*$", path.read_text(), re.M | re.S)
        with tempfile.TemporaryDirectory() as d:
            folder, printed = Path(d), None
            for language, body in blocks:
                if language == "toml":
                    self.toml(body, folder)
                elif language == "sh":
                    code = re.search(r"# exit (\d+)\s*$", body)
                    printed = self.shell(body, folder, int(code[1]) if code else 0)
                elif language == "python":
                    (folder / "block.py").write_text(body)
                    printed = self.shell("/usr/bin/python3 block.py", folder)
                elif language == "output":
                    if printed is None or not matches(body, printed):
                        raise AssertionError(f"the page says\n{body}\nand the program\n{printed}")
                elif language in ("cpp", "cmake"):
                    if name not in built_by_install:
                        raise AssertionError("tests/install does not build this page")
                elif language != "text":
                    raise AssertionError(f"a block without a known language: '{language}'\n{body}")
                self.done += 1


def main(program, root, *pages):
    runner, failed = Runner(program, root), 0
    root = Path(root).resolve()
    for path in [Path(p).resolve() for p in pages] or [root / "README.md", *sorted((root / "docs").rglob("*.md"))]:
        try:
            runner.page(path)
        except (AssertionError, subprocess.TimeoutExpired) as error:
            failed += 1
            print(f"{path.relative_to(root)}: {error}", file=sys.stderr)
    print(f"{runner.done} blocks of the documentation were run")
    return bool(failed) or runner.done == 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
