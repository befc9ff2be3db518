"""Run the demo and draw its terminal as docs/demo.svg, the picture of the README."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

from rich._export_format import CONSOLE_SVG_FORMAT
from rich.console import Console

from collector.demo.run import run_demo

# Without the fonts that rich's template loads from elsewhere: any monospace font will do.
FORMAT = re.sub(r"@font-face \{\{.*?\}\}\n", "", CONSOLE_SVG_FORMAT, flags=re.DOTALL).replace("Fira Code, ", "")

if __name__ == "__main__":
    # What is recorded is the picture; the live screen itself goes nowhere.
    with Path(os.devnull).open("w", encoding="utf-8") as nowhere:
        console = Console(
            record=True, width=140, height=40, file=nowhere, force_terminal=False, color_system="truecolor"
        )
        code = run_demo(exit_when_done=True, console=console)
        picture = console.export_svg(title="groundwire demo", code_format=FORMAT)
    Path(__file__).with_name("demo.svg").write_text(picture, encoding="utf-8")
    sys.exit(code)
