#!/usr/bin/env python3
"""links.py SITE: every link of a built site leads to a file and an anchor that exist, and nothing is loaded from elsewhere.
links.py --markdown ROOT: every relative link of the Markdown files of the repository leads to a file."""
import re
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


class Page(HTMLParser):
    def __init__(self):
        super().__init__()
        self.anchors, self.links, self.loads = {""}, [], []

    def handle_starttag(self, tag, attributes):
        a = dict(attributes)
        self.anchors |= {a[k] for k in ("id", "name") if a.get(k)}
        if tag == "a" and a.get("href"):
            self.links.append(a["href"])
        if tag == "link" and a.get("href") and a.get("rel") != "canonical":
            self.loads.append(a["href"])
        if tag in ("img", "script", "iframe", "source") and a.get("src"):
            self.loads.append(a["src"])


def check_site(site):
    pages = {}
    for file in site.rglob("*.html"):
        pages[file.resolve()] = page = Page()
        page.feed(file.read_text())
    wrong = []
    for file, page in pages.items():
        if file.name == "404.html":
            continue  # its links are those of a server
        for link in page.links + page.loads:
            url = urlsplit(link)
            if url.scheme or url.netloc:
                if link in page.loads and url.scheme != "data":
                    wrong.append(f"{file.relative_to(site.resolve())}: loads {link}")
                continue
            target = (file.parent / unquote(url.path)).resolve() if url.path else file
            if not target.is_file():
                wrong.append(f"{file.relative_to(site.resolve())}: no file {link}")
            elif target in pages and unquote(url.fragment) not in pages[target].anchors:
                wrong.append(f"{file.relative_to(site.resolve())}: no anchor {link}")
    return len(pages), wrong


def check_markdown(root):
    wrong, files = [], [*root.glob("*.md"), *(root / "docs").rglob("*.md")]
    for file in files:
        for link in re.findall(r"\]\(([^)\s]+)\)", re.sub(r"^```.*?^```|`[^`\n]*`", "", file.read_text(), flags=re.M | re.S)):
            url = urlsplit(link)
            if not url.scheme and url.path and not (file.parent / unquote(url.path)).exists():
                wrong.append(f"{file.relative_to(root)}: no file {link}")
    return len(files), wrong


if __name__ == "__main__":
    count, wrong = check_markdown(Path(sys.argv[2])) if sys.argv[1] == "--markdown" else check_site(Path(sys.argv[1]))
    print("\n".join(wrong) or f"links of {count} pages: all lead somewhere")
    sys.exit(bool(wrong) or count == 0)
