"""The page of a watch is for whoever has its address, and for nobody else."""

from __future__ import annotations

import http.client
import json
import queue
import re
import socket
from collections.abc import Iterator, Mapping
from urllib.parse import urlsplit

import pytest

from harness.learning.server import HOST, Server

ASKED: queue.SimpleQueue[str] = queue.SimpleQueue()


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    """A server of a page with one word."""
    server = Server("<p>page</p>", {"hint": lambda: ASKED.put("hint")})
    yield server
    server.close()


def answer(
    server: Server, path: str | None = None, method: str = "GET", headers: Mapping[str, str | None] | None = None
) -> tuple[int, str]:
    """The status and the body of one request; by default for the page, as its browser asks."""
    where = urlsplit(server.address)
    connection = http.client.HTTPConnection(HOST, where.port, timeout=10)
    own = {"Host": where.netloc, **(headers or {})}
    connection.putrequest(method, path or where.path, skip_host=True, skip_accept_encoding=True)
    for name, value in own.items():
        if value is not None:
            connection.putheader(name, value)
    connection.putheader("Content-Length", "0")
    connection.endheaders()
    got = connection.getresponse()
    body = got.read().decode()
    connection.close()
    return got.status, body


def token(server: Server) -> str:
    return urlsplit(server.address).path


def origin(server: Server) -> str:
    return f"http://{urlsplit(server.address).netloc}"


def test_the_page_is_there_for_its_address(server):
    assert answer(server) == (200, "<p>page</p>")
    assert answer(server, headers={"Host": urlsplit(server.address).netloc.replace(HOST, "localhost")})[0] == 200
    assert answer(server, headers={"Sec-Fetch-Site": "none"})[0] == 200


@pytest.mark.parametrize("path", ["/", "/events", "/x/", "/hint", f"/{'A' * 32}/", f"/{'A' * 32}/events"])
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_without_the_token_nothing_is_there(path, method, server):
    status, body = answer(server, path, method, {"Origin": origin(server)})

    assert (status, body) == (403, "403 Forbidden\n")


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": f"http://{HOST}:1"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
    ids=str,
)
@pytest.mark.parametrize("place", ["", "events", "hint"])
def test_another_origin_is_refused(headers, place, server):
    assert answer(server, token(server) + place, "POST" if place == "hint" else "GET", headers)[0] == 403
    assert ASKED.empty()


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:80", HOST, f"{HOST}:1", f"{HOST}.evil.example", "", None]
)
def test_a_name_that_was_pointed_here_is_refused(host, server):
    """With its own name in the request a foreign site would be of the same origin."""
    assert answer(server, headers={"Host": host})[0] in (400, 403)
    if host:
        assert answer(server, token(server) + "hint", "POST", {"Host": host, "Origin": f"http://{host}"})[0] == 403
    assert ASKED.empty()


@pytest.mark.parametrize(
    "path",
    [
        "../../../../etc/passwd",
        "%2e%2e/%2e%2e/etc/passwd",
        "..%2f..%2fetc%2fpasswd",
        "../",
        "./",
        "/",
        "//etc/passwd",
        "events/../../x",
        "page/view.js",
        "problem.mojo",
    ],
)
def test_nothing_is_served_but_what_was_made(path, server):
    """As it stands in the request: clients would resolve a path that climbs before they ask."""
    status, body = answer(server, token(server) + path)

    assert status in (403, 404) and re.fullmatch(r"40[34] \w+( \w+)?\n", body)


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "OPTIONS"])
def test_other_methods_are_refused(method, server):
    assert answer(server, method=method, headers={"Origin": origin(server)})[0] == 405


def test_a_click_is_heard_of_the_page_alone(server):
    assert answer(server, token(server) + "hint", "POST")[0] == 403  # no browser leaves the origin out
    assert answer(server, token(server) + "reset", "POST", {"Origin": origin(server)})[0] == 404
    assert answer(server, token(server) + "hint", "GET")[0] == 404
    assert ASKED.empty()

    assert answer(server, token(server) + "hint", "POST", {"Origin": origin(server)})[0] == 204
    assert ASKED.get(timeout=5) == "hint"


def test_who_follows_hears_news_and_who_comes_later_the_last_of_each(server):
    server.publish("state", {"of": 1})
    server.publish("state", {"of": "둘\n"})
    server.publish("picture", [])

    def follow() -> tuple[socket.socket, Iterator[str]]:
        where = urlsplit(server.address)
        stream = socket.create_connection((HOST, where.port), timeout=10)
        stream.sendall(f"GET {where.path}events HTTP/1.1\r\nHost: {where.netloc}\r\n\r\n".encode())
        return stream, iter(stream.makefile(encoding="utf-8"))

    def news(lines: Iterator[str]) -> tuple[str, object]:
        name = next(line for line in lines if line.startswith("event: "))
        return name.strip().removeprefix("event: "), json.loads(next(lines).removeprefix("data: "))

    stream, lines = follow()
    assert [news(lines), news(lines)] == [("state", {"of": "둘\n"}), ("picture", [])]
    server.publish("state", {"of": 3})
    assert news(lines) == ("state", {"of": 3})
    stream.close()
    stream, lines = follow()
    assert [news(lines), news(lines)] == [("picture", []), ("state", {"of": 3})]
    stream.close()


def test_it_listens_on_the_loopback_interface_alone(server):
    assert server._socket.getsockname()[0] == HOST


def test_closed_it_is_gone_with_those_who_follow():
    server = Server("", {})
    where = urlsplit(server.address)
    with socket.create_connection((HOST, where.port), timeout=10) as stream:
        stream.sendall(f"GET {where.path}events HTTP/1.1\r\nHost: {where.netloc}\r\n\r\n".encode())
        assert stream.recv(100)
        server.close()
        while stream.recv(4096):
            pass
    with pytest.raises(OSError):
        socket.create_connection((HOST, where.port), timeout=10)
