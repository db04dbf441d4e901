"""One page on the loopback interface, for whoever has its address: it follows what it is told.

Tornado serves it, one package that needs no other: the server of the standard library says of itself that it only does
basic security checks. Nothing is read from a disk, so no path leads anywhere but to what was made here.
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
    """A page, the news that it follows, and what it may ask for.

    Attributes:
        address: Of the page, with its token.

    Args:
        page: HTML; its scripts follow `events`, which is beside it.
        asked: By name what a click on the page does; called on the server's own thread.

    Raises:
        OSError: There is no port to listen on.
    """

    def __init__(self, page: str, asked: Mapping[str, Callable[[], object]]) -> None:
        self._token = secrets.token_urlsafe(24)
        (self._socket,) = bind_sockets(0, HOST)
        self._port = self._socket.getsockname()[1]
        self.address = f"http://{HOST}:{self._port}/{self._token}/"
        self._page, self._asked = page.encode(), dict(asked)
        self._news: dict[str, tuple[int, str]] = {}
        self._number, self._open = 0, True
        self._loop = asyncio.new_event_loop()
        self._told = asyncio.Event()
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def tell(self, name: str, data: Any) -> None:
        """Sends news to whoever follows; who comes later gets the last of each name.

        Args:
            name: Of the event.
            data: Becomes JSON.
        """
        text = json.dumps(data, ensure_ascii=False)  # one line, as an event needs
        self._loop.call_soon_threadsafe(self._tell, name, text)

    def close(self) -> None:
        """Stops to serve."""
        asyncio.run_coroutine_threadsafe(self._end(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def _tell(self, name: str, text: str) -> None:
        self._number += 1
        self._news[name] = self._number, text
        self._told.set()
        self._told = asyncio.Event()

    def _serve(self) -> None:
        logging.getLogger("tornado").addHandler(logging.NullHandler())  # a terminal is the learner's
        asyncio.set_event_loop(self._loop)
        application = Application([(r".*", _Handler, {"server": self})], log_function=lambda _: None)
        self._server = HTTPServer(application, max_body_size=MOST_BODY, max_header_size=1 << 14)
        self._server.add_sockets([self._socket])
        self._loop.run_forever()

    async def _end(self) -> None:
        self._open = False
        self._told.set()
        self._server.stop()
        await self._server.close_all_connections()


class _Handler(RequestHandler):
    """Answers one request."""

    def initialize(self, server: Server) -> None:
        """Takes the server whose page it is."""
        self._server = server

    def set_default_headers(self) -> None:
        """Nothing is kept, told on, framed or taken for something else."""
        self.clear_header("Server")
        self.set_header("Cache-Control", "no-store")
        self.set_header("Referrer-Policy", "no-referrer")
        self.set_header("X-Content-Type-Options", "nosniff")
        self.set_header("X-Frame-Options", "DENY")
        self.set_header("Cross-Origin-Resource-Policy", "same-origin")

    def prepare(self) -> None:
        """Refuses whoever is not the page, or came to it by another name: a site may point its own at this machine."""
        origins = {f"http://{name}:{self._server._port}" for name in (HOST, "localhost")}
        headers = self.request.headers
        own = f"http://{headers.get('Host', '')}" in origins
        # A page that is opened has no origin; what changes something has one in every browser.
        origin = headers.get("Origin", "" if self.request.method == "GET" else "none")
        near = headers.get("Sec-Fetch-Site", "none") in ("none", "same-origin")
        token, _, self._rest = self.request.path.removeprefix("/").partition("/")
        known = hmac.compare_digest(token.encode(), self._server._token.encode())
        if not (own and near and known and (not origin or origin in origins)):
            raise HTTPError(HTTPStatus.FORBIDDEN)

    async def get(self) -> None:
        """The page, or its news for as long as somebody follows."""
        if self._rest == "":
            self.set_header("Content-Type", "text/html; charset=utf-8")
            self.write(self._server._page)
        elif self._rest == "events":
            with suppress(StreamClosedError):
                await self._follow()
        else:
            raise HTTPError(HTTPStatus.NOT_FOUND)

    def post(self) -> None:
        """What a click asks for."""
        if self._rest not in self._server._asked:
            raise HTTPError(HTTPStatus.NOT_FOUND)
        self._server._asked[self._rest]()
        self.set_status(HTTPStatus.NO_CONTENT)

    def write_error(self, status_code: int, **_: Any) -> None:
        """The reason alone."""
        self.set_header("Content-Type", "text/plain; charset=utf-8")
        self.finish(f"{status_code} {HTTPStatus(status_code).phrase}\n")

    async def _follow(self) -> None:
        self.set_header("Content-Type", "text/event-stream; charset=utf-8")
        seen = 0
        while self._server._open:
            told = self._server._told  # before the news: what comes while they are sent is not missed
            for name, (number, text) in sorted(self._server._news.items(), key=lambda news: news[1][0]):
                if number > seen:
                    self.write(f"event: {name}\ndata: {text}\n\n")
                    seen = number
            await self.flush()
            try:
                await asyncio.wait_for(told.wait(), STILL_SECONDS)
            except TimeoutError:
                self.write(":\n\n")
