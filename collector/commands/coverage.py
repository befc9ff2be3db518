"""`groundwire catalog coverage`: how much of what answers in files retrieved a catalog lists, and what to map."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TextIO

from adapters.base import AdaptOptions, MalformedRecord
from collector.commands.columns import aligned
from collector.commands.objects import object_line
from collector.commands.progress import watched
from collector.commands.reading import answers
from collector.security.text import one_line
from gates.verdicts.summary import counted
from scorers.catalog import Catalog
from scorers.catalog.coverage import CatalogCoverage, CoverageCount

_LONGEST = 200
COVERED, GAPS = 0, 1


def print_coverage(
    catalog: Catalog, files: Sequence[Path], options: AdaptOptions, *, as_json: bool, out: TextIO, err: TextIO
) -> int:
    """Print the coverage; return 1 if any passage is matched to no entry or to several, and where there are none."""
    count = CoverageCount(catalog)
    unreadable = 0
    with watched(out, err, at_end=True) as progress:
        for _, answer in answers(files, options, progress):
            if isinstance(answer, MalformedRecord):
                unreadable += 1
            else:
                count.add(answer)
    if unreadable:
        err.write(f"{counted(unreadable, 'record')} cannot be read; `groundwire adapt` names what is wrong\n")
    found = count.result()
    if as_json:
        out.write(object_line(found.model_dump(mode="json")))
    else:
        _print_table(found, out)
    return COVERED if found.share == 1 else GAPS


def _print_table(found: CatalogCoverage, out: TextIO) -> None:
    if found.share is None:
        out.write(f"no passages in {found.answers:,} answer{'' if found.answers == 1 else 's'}\n")
        return
    out.write(f"{found.share:.1%} of {found.passages:,} passages in {found.answers:,} answers are in the catalog\n\n")
    rows = [("matched by", "passages"), *((join, f"{count:,}") for join, count in found.joins.items())]
    rows += [("one of several versions", f"{found.unclear:,}"), ("nothing", f"{found.unmatched:,}")]
    out.writelines(aligned(rows))
    if found.documents:
        named = ((one_line(one.uri or one.id, _LONGEST), f"{one.passages:,}") for one in found.documents)
        out.write("\n")
        out.writelines(aligned([("not in the catalog", "passages"), *named]))
    if found.keys:
        keys = (
            (one_line(one.key, _LONGEST), f"{one.passages:,}", one.field or "", one_line(one.example, _LONGEST))
            for one in found.keys
        )
        out.write("\n")
        out.writelines(aligned([("key of their metadata", "passages", "is", "such as"), *keys]))
    if found.advice:
        out.write("\n")
        out.writelines(f"{one_line(line, _LONGEST)}\n" for line in found.advice)
