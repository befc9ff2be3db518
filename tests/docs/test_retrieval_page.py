"""What the page on other indexes shows is what the command prints."""

import http.server
import json
import re
import threading
from pathlib import Path

import pytest

from tests.command import command

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "retrieval.md").read_text(encoding="utf-8")
LEAVE = "Employees receive 20 weeks of paid parental leave."
TRAVEL = "The hotel allowance in Lisbon is 180 EUR per night."


class Search(http.server.BaseHTTPRequestHandler):
    """An index that lost the policy on travel."""

    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
        text, name = (LEAVE, "leave") if asked["q"] == "leave?" else ("Dogs may come on Fridays.", "pets")
        reply = json.dumps({"hits": [{"document": {"body": text, "name": name}, "score": 0.8}]}).encode()
        self.send_response(200)
        self.send_header("content-length", str(len(reply)))
        self.end_headers()
        self.wfile.write(reply)

    def log_message(self, *_):
        pass


@pytest.fixture
def port():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Search)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield server.server_port
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.mark.slow
def test_the_command_prints_what_the_page_shows(tmp_path, port):
    blocks = dict(reversed(re.findall(r"```(\w*)\n(.*?)```", PAGE, re.DOTALL)))
    (tmp_path / "next.yaml").write_text(blocks["yaml"].replace(":9200", f":{port}"))
    rows = []
    for number in range(200):
        text, name = ((LEAVE, "leave"), (TRAVEL, "travel"))[number % 2]
        passage = {"id": "p", "text": text, "doc_id": name}
        rows.append({"id": f"a{number}", "question": f"{name}?", "answer": text, "passages": [passage]})
    (tmp_path / "yesterday.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    first = blocks["sh"].splitlines()[0].removeprefix("groundwire ").split()
    done = command(*first, "--workers", "1", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout == blocks[""]
