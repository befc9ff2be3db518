"""The command line. The only package that reads the environment or ends the process."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NoReturn

import typer
from typer.core import TyperGroup

from collector.cli import (
    agent,
    benchmark,
    canaries,
    catalog,
    dashboards,
    evaluation,
    evaluations,
    files,
    gates,
    incidents,
    listings,
    mcp,
    notify,
    people,
    reports,
    retrieval,
    reviews,
    streams,
    thresholds,
)
from collector.cli.completion import whole_words
from collector.cli.shared import EXIT_USAGE, PLAN, tell

EXIT_INTERRUPTED = 130


class Commands(TyperGroup):
    """The commands. `gate plan` stands beside `gate NAME`: no gate may have that name."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Return the command that ``args`` begin with, and the arguments after its name."""
        joined = [PLAN, *args[2:]] if args[:2] == PLAN.split() else args
        name, command, rest = super().resolve_command(ctx, joined)
        stray = _stray_configuration(command, rest)
        if stray is not None:
            ctx.fail(f"Got unexpected extra argument ({stray}). Give a configuration as --config {stray}")
        return name, command, rest


def _stray_configuration(command: Any, args: Sequence[str]) -> str | None:
    """Return the file of a configuration that is given without its option to a command that takes no files."""
    takes_files = any(each.param_type_name == "argument" for each in command.params)
    if takes_files or not any("--config" in each.opts for each in command.params):
        return None
    plain = (each for before, each in pairwise(["", *args]) if not before.startswith("-") and each[:1] != "-")
    return next((each for each in plain if each.endswith((".yaml", ".yml"))), None)


app = typer.Typer(
    name="groundwire",
    cls=Commands,
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    help="Watch production RAG answers: receive traces, score answers, and judge slices that drift.",
)
app.callback()(agent.root)
app.command()(agent.run)
app.command()(agent.demo)
app.command()(agent.check)
app.command()(people.init)
app.command()(people.status)
app.command()(people.decisions)
app.command()(people.answers)
app.command()(people.explain)
app.command()(people.tail)
app.command()(people.doctor)
app.command()(files.adapt)
app.command()(files.record)
app.command()(files.score)
app.command()(evaluation.evaluate)
app.command()(evaluation.compare)
review_app = typer.Typer(no_args_is_help=True, help="Have people label answers, blind, and settle their labels.")
app.add_typer(review_app, name="review")
review_app.command("make")(reviews.review_make)
review_app.command("next")(reviews.review_next)
review_app.command("label")(reviews.review_label)
review_app.command("serve")(reviews.review_serve)
review_app.command("close")(reviews.review_close)
incident_app = typer.Typer(no_args_is_help=True, help="Turn an incident of production into rows of a suite.")
app.add_typer(incident_app, name="incident")
incident_app.command("export")(incidents.incident_export)
incident_app.command("verify")(incidents.incident_verify)
app.command()(reports.report)
threshold_app = typer.Typer(
    no_args_is_help=True, help="Choose a similarity threshold of retrieval; no agent is needed."
)
app.add_typer(threshold_app, name="threshold")
threshold_app.command("sweep")(thresholds.threshold_sweep)
threshold_app.command("measure")(thresholds.threshold_measure)
threshold_app.command("replay")(thresholds.threshold_replay)
retrieval_app = typer.Typer(no_args_is_help=True, help="Judge another index or retriever by recorded answers.")
app.add_typer(retrieval_app, name="retrieval")
retrieval_app.command("compare")(retrieval.retrieval_compare)
benchmark_app = typer.Typer(
    no_args_is_help=True, help="Generate a labelled benchmark, and report on it; no agent is needed."
)
app.add_typer(benchmark_app, name="benchmark")
benchmark_app.command("generate")(benchmark.benchmark_generate)
benchmark_app.command("report")(benchmark.benchmark_report)
app.command()(benchmark.fit)
app.command()(gates.gate)
app.command(PLAN)(evaluations.gate_plan)
app.command()(gates.change)
app.command()(gates.rebaseline)
app.command()(gates.label)
app.command()(evaluations.replay)
app.command()(mcp.mcp)
evaluations_app = typer.Typer(no_args_is_help=True, help="Export evaluations from a store; the agent may be running.")
app.add_typer(evaluations_app, name="evaluations")
evaluations_app.command("export")(evaluations.evaluations_export)
audit_app = typer.Typer(no_args_is_help=True, help="Verify and export the decision log; the agent may be running.")
app.add_typer(audit_app, name="audit")
audit_app.command("verify")(gates.audit_verify)
audit_app.command("export")(gates.audit_export)
audit_app.command("acknowledge")(gates.audit_acknowledge)
notify_app = typer.Typer(no_args_is_help=True, help="Try out who is notified of decisions.")
app.add_typer(notify_app, name="notify")
notify_app.command("test")(notify.notify_test)
app.command()(dashboards.boards)
app.command()(dashboards.rules)
catalog_app = typer.Typer(no_args_is_help=True, help="Check, show, compare and search catalogs; no agent is needed.")
app.add_typer(catalog_app, name="catalog")
catalog_app.command("check")(catalog.catalog_check)
catalog_app.command("show")(catalog.catalog_show)
catalog_app.command("diff")(catalog.catalog_diff)
catalog_app.command("search")(catalog.catalog_search)
catalog_app.command("coverage")(catalog.catalog_coverage)
canary_app = typer.Typer(no_args_is_help=True, help="Questions of the catalog that an agent asks before users do.")
app.add_typer(canary_app, name="canary")
canary_app.command("list")(canaries.canary_list)
canary_app.command("run")(canaries.canary_run)
canary_app.command("results")(canaries.canary_results)
from_app = typer.Typer(no_args_is_help=True, help="List what a source of documents has as a catalog.")
catalog_app.add_typer(from_app, name="from")
from_app.command("directory")(listings.from_directory)
from_app.command("git")(listings.from_git)
from_app.command("s3")(listings.from_s3)
from_app.command("confluence")(listings.from_confluence)
from_app.command("sharepoint")(listings.from_sharepoint)
from_app.command("notion")(listings.from_notion)
from_app.command("pgvector")(listings.from_pgvector)
from_app.command("rows")(listings.from_rows)
from_app.command("llamaindex")(listings.from_llamaindex)
from_app.command("chroma")(listings.from_chroma)
from_app.command("qdrant")(listings.from_qdrant)
from_app.command("weaviate")(listings.from_weaviate)
catalog_app.command("lag")(listings.catalog_lag)
app.command()(agent.version)


def main() -> NoReturn:
    """Run the command line."""
    streams.take()
    code: Any = 0
    try:
        try:
            with whole_words():
                app(prog_name="groundwire")
        except SystemExit as ended:
            code = ended.code
        if sys.stdout is not None:
            sys.stdout.flush()
    except KeyboardInterrupt:
        code = EXIT_INTERRUPTED
    except streams.ReaderLeftError:
        pass
    except streams.UnwritableError as error:
        tell(str(error))
        code = EXIT_USAGE
    sys.exit(code)
