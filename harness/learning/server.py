"""Serve one page on the loopback interface, at a secret address: push events to it, run actions it asks for.

Tornado serves it, one package that needs no other: the server of the standard library says of itself that it only does
basic security checks. No request reads a file, so no path can lead to one.
"""

from __future__ import annotations

import asyncio
import hmac
import json
import logging
import secrets
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from http import HTTPStatus
from typing import Any

from tornado.httpserver import HTTPServer
from tornado.iostream import StreamClosedError
from tornado.netutil import bind_sockets
from tornado.web import Application, HTTPError, RequestHandler

__all__ = ["HOST", "Server"]

HOST = "127.0.0.1"
STILL_SECONDS = 15.0  # without news, until a follower is looked for: one that is gone is forgotten
MOST_BODY = 1024  # bytes of a request; no request has any


class Server:
    """Serves a page, the events it follows, and the actions it may call, from construction until `close`.

    Attributes:
        address: The URL of the page, with its secret token.

    Args:
        page: HTML; its scripts follow the event stream `events` beside it.
        actions: The actions of the page's buttons, by name; called on the server's own thread.

    Raises:
        OSError: There is no port to listen on.
    """

    def __init__(self, page: str, actions: Mapping[str, Callable[[], object]]) -> None:
        self._token = secrets.token_urlsafe(24)
        (self._socket,) = bind_sockets(0, HOST)
        self._port = self._socket.getsockname()[1]
        self.address = f"http://{HOST}:{self._port}/{self._token}/"
        self._page, self._actions = page.encode(), dict(actions)
        self._latest_events: dict[str, tuple[int, str]] = {}
        self._number, self._open = 0, True
        self._loop = asyncio.new_event_loop()
        self._changed = asyncio.Event()
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def publish(self, name: str, data: Any) -> None:
        """Send an event to all followers, from any thread, without waiting; who connects later gets the latest event of
        each name.

        Args:
            name: The name of the event.
            data: What is sent, encoded as JSON.
        """
        text = json.dumps(data, ensure_ascii=False)  # one line, as an event needs
        self._loop.call_soon_threadsafe(self._store_event, name, text)

    def close(self) -> None:
        """End all connections, stop serving, and wait for the server's thread."""
        asyncio.run_coroutine_threadsafe(self._end(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def _store_event(self, name: str, text: str) -> None:
        self._number += 1
        self._latest_events[name] = self._number, text
        self._changed.set()
        self._changed = asyncio.Event()

    def _serve(self) -> None:
        logging.getLogger("tornado").addHandler(logging.NullHandler())  # a terminal is the learner's
        asyncio.set_event_loop(self._loop)
        application = Application([(r".*", _Handler, {"server": self})], log_function=lambda _: None)
        self._server = HTTPServer(application, max_body_size=MOST_BODY, max_header_size=1 << 14)
        self._server.add_sockets([self._socket])
        self._loop.run_forever()

    async def _end(self) -> None:
        self._open = False
        self._changed.set()
        self._server.stop()
        await self._server.close_all_connections()


class _Handler(RequestHandler):
    """Answers one request for the page, its events or an action."""

    def initialize(self, server: Server) -> None:
        """Store the server that the request is for; Tornado calls it."""
        self._server = server

    def set_default_headers(self) -> None:
        """Set headers that forbid caching, referrers, frames, use by other origins and guesses of the content's type;
        remove the one that names the server.
        """
        self.clear_header("Server")
        self.set_header("Cache-Control", "no-store")
        self.set_header("Referrer-Policy", "no-referrer")
        self.set_header("X-Content-Type-Options", "nosniff")
        self.set_header("X-Frame-Options", "DENY")
        self.set_header("Cross-Origin-Resource-Policy", "same-origin")

    def prepare(self) -> None:
        """Refuse a request with 403 unless it has the token, names this host, and comes from the page itself.

        A foreign site may point a name of its own at this machine, so the host's name is checked too.

        Stores the rest of the path, after the token, in `_rest`.
        """
        origins = {f"http://{name}:{self._server._port}" for name in (HOST, "localhost")}
        headers = self.request.headers
        is_own_host = f"http://{headers.get('Host', '')}" in origins
        # A page that is opened has no origin; what changes something has one in every browser.
        origin = headers.get("Origin", "" if self.request.method == "GET" else "none")
        is_same_site = headers.get("Sec-Fetch-Site", "none") in ("none", "same-origin")
        token, _, self._rest = self.request.path.removeprefix("/").partition("/")
        has_token = hmac.compare_digest(token.encode(), self._server._token.encode())
        if not (is_own_host and is_same_site and has_token and (not origin or origin in origins)):
            raise HTTPError(HTTPStatus.FORBIDDEN)

    async def get(self) -> None:
        """Answer with the page (empty rest of the path), or stream its events until either side closes (`events`); else
        404.
        """
        if self._rest == "":
            self.set_header("Content-Type", "text/html; charset=utf-8")
            self.write(self._server._page)
        elif self._rest == "events":
            with suppress(StreamClosedError):
                await self._follow()
        else:
            raise HTTPError(HTTPStatus.NOT_FOUND)

    def post(self) -> None:
        """Call the action that the path names, on the server's thread, and answer 204; 404 if there is none."""
        if self._rest not in self._server._actions:
            raise HTTPError(HTTPStatus.NOT_FOUND)
        self._server._actions[self._rest]()
        self.set_status(HTTPStatus.NO_CONTENT)

    def write_error(self, status_code: int, **_: Any) -> None:
        """Answer with the status code and its phrase alone, as plain text."""
        self.set_header("Content-Type", "text/plain; charset=utf-8")
        self.finish(f"{status_code} {HTTPStatus(status_code).phrase}\n")

    async def _follow(self) -> None:
        self.set_header("Content-Type", "text/event-stream; charset=utf-8")
        last_sent = 0
        while self._server._open:
            changed = self._server._changed  # before the news: what comes while they are sent is not missed
            for name, (number, text) in sorted(self._server._latest_events.items(), key=lambda news: news[1][0]):
                if number > last_sent:
                    self.write(f"event: {name}\ndata: {text}\n\n")
                    last_sent = number
            await self.flush()
            try:
                await asyncio.wait_for(changed.wait(), STILL_SECONDS)
            except TimeoutError:
                self.write(":\n\n")
