"""Tables of a real PostgreSQL with pgvector, as LangChain and others keep chunks in them."""

from __future__ import annotations

import json
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import parse_qs, urlsplit

import pytest

from collector.catalog.listings.base import ListingRun
from collector.catalog.listings.pgvector import PAGE, PgVectorIndex
from collector.clock import instant
from collector.errors import ConfigError
from tests.collector.catalog.conftest import NOW

psycopg = pytest.importorskip("psycopg")
pgserver = pytest.importorskip("pgserver")

LANGCHAIN = """
CREATE EXTENSION vector;
CREATE TABLE langchain_pg_collection (uuid uuid PRIMARY KEY, name varchar, cmetadata json);
CREATE TABLE langchain_pg_embedding (
    id varchar PRIMARY KEY, collection_id uuid REFERENCES langchain_pg_collection (uuid), embedding vector(3),
    document varchar, cmetadata jsonb);
INSERT INTO langchain_pg_collection VALUES
    ('00000000-0000-0000-0000-000000000001', 'handbook'), ('00000000-0000-0000-0000-000000000002', 'other');
CREATE SCHEMA "own data";
CREATE TABLE "own data"."chunks"(key int, body text, url text, changed timestamptz, note numeric);
INSERT INTO "own data"."chunks" VALUES (7, 'By train.', 'https://docs.test/b', '2026-01-02T03:04:05Z', 1.5);
"""


@pytest.fixture(scope="module")
def database():
    """The options that lead to a database with both kinds of tables.

    Its folder is none of pytest's, which are closed to the user that the server runs as where tests run as root.
    """
    with TemporaryDirectory(prefix="pg") as folder, pgserver.get_server(folder) as server:
        uri = server.get_uri()
        with psycopg.connect(uri) as connection:
            connection.execute(LANGCHAIN)
            rows = [
                (
                    f"c{n}",
                    n % 2 + 1,
                    f"Chunk {n}.",
                    json.dumps({"source": f"/srv/{n % 7}.md", "last_modified": "2026-01-01"}),
                )
                for n in range(2 * PAGE + 6)
            ]
            with connection.cursor() as cursor:
                cursor.executemany(
                    "INSERT INTO langchain_pg_embedding VALUES"
                    " (%s, ('00000000-0000-0000-0000-00000000000' || %s)::uuid, '[1,2,3]', %s, %s)",
                    rows,
                )
        yield {"host": parse_qs(urlsplit(uri).query)["host"][0], "user": "postgres"}


def listed(**options):
    return list(PgVectorIndex(**options).entries(ListingRun(instant(NOW), where="catalog.indexes[0]")))


def test_a_collection_of_langchain_is_read_whole(database):
    found = listed(**database, collection="handbook")
    assert len(found) == PAGE + 3
    first = next(one for one in found if one.text == "Chunk 0.")
    assert (first.id, first.uri, str(first.modified_at)) == ("/srv/0.md", "/srv/0.md", "2026-01-01 00:00:00+00:00")
    assert len(listed(**database)) == 2 * PAGE + 6


def test_a_table_of_ones_own_is_read_by_its_columns(database):
    (found,) = listed(
        **database,
        table="own data.chunks",
        id_column="key",
        text_column="body",
        metadata_column=None,
        columns=("url", "changed", "note"),
    )
    assert (found.uri, found.text) == ("https://docs.test/b", "By train.")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"table": 'x"; DROP TABLE langchain_pg_embedding; --'}, "does not exist"),
        ({"text_column": "nothing"}, "does not exist"),
        ({"database": "no_such"}, "does not exist"),
        ({"host": "127.0.0.1", "port": 1}, "refused"),
    ],
)
def test_what_cannot_be_read_is_one_line(database, change, said):
    with pytest.raises(ConfigError, match=said) as caught:
        listed(**{**database, **change})
    (line,) = caught.value.problems
    assert line.startswith("postgresql://")
    assert "\n" not in line
    assert len(listed(**database)) == 2 * PAGE + 6, "nothing was dropped"


def test_nothing_is_written_whatever_the_user_may(database):
    with psycopg.connect(host=database["host"], user="postgres", dbname="postgres") as connection:
        connection.execute("CREATE SEQUENCE s")
        connection.execute("CREATE VIEW writes AS SELECT nextval('s') AS id, '' AS document, '{}'::jsonb AS cmetadata")
    with pytest.raises(ConfigError, match="read-only transaction"):
        listed(**database, table="writes")


def test_a_password_comes_from_its_file(database, tmp_path: Path):
    (tmp_path / "password").write_text("not-asked-for")
    assert listed(**database, password_file=tmp_path / "password", collection="nothing") == []
    with pytest.raises(ConfigError, match=r"catalog\.indexes\[0\]\.password_file.*cannot be read"):
        listed(**database, password_file=tmp_path / "gone")
