#!/usr/bin/env python3
"""accepts.py PROGRAM ROOT [--write]: the table of docs/accepts.md is what `ricochet methods NAME` says."""
import re
import subprocess
import sys
from pathlib import Path

kinds = ["contacts", "holonomic constraints", "nonholonomic constraints", "forces", "degenerate Lagrangians"]


def table(program):
    said = lambda *a: subprocess.run([program, "methods", *a], check=True, text=True, capture_output=True).stdout
    names = re.findall(r"^  (\S+)", said().split("discretizations")[0], re.M)
    lines = [f"| method | {' | '.join(kinds)} | laws | discretizations |", "|---" * (len(kinds) + 3) + "|"]
    for name in names:
        facts = dict(re.findall(r"^  (takes|laws|discretizations)\s+(.*)$", said(name), re.M))
        takes = [t.strip() for t in facts.get("takes", "").split(",")]
        unknown = [t for t in takes if t and t not in kinds]
        assert not unknown, f"{name} takes {unknown}: one more column"
        cells = ["yes" if k in takes else "" for k in kinds]
        lines.append(f"| [`{name}`](methods/{name}.md) | {' | '.join(cells)} | {facts.get('laws', '')} | {facts.get('discretizations', '')} |")
    return "\n".join(lines)


page = Path(sys.argv[2]) / "docs/accepts.md"
text = page.read_text()
fresh = re.sub(r"(?<=<!-- table -->\n\n).*?(?=\n\n<!-- end -->)", lambda _: table(sys.argv[1]), text, flags=re.S)
if "--write" in sys.argv:
    page.write_text(fresh)
elif fresh != text:
    sys.exit("docs/accepts.md is not what the program says: python3 tests/docs/accepts.py PROGRAM . --write")
