import pytest

from tests.models.needed import minilm


@pytest.fixture(scope="session")
def embedder_folder():
    return minilm()


@pytest.fixture(scope="session")
def nli(tmp_path_factory):
    from tests.models.training import trained

    folder = tmp_path_factory.mktemp("models") / "tiny-nli"
    trained(minilm(), folder)
    return folder


@pytest.fixture
def no_network(monkeypatch):
    def refuse(*_):
        raise AssertionError("a model reached for the network")

    monkeypatch.setattr("socket.socket.connect", refuse)
    monkeypatch.setattr("socket.getaddrinfo", refuse)
