"""Servers of a test: a partner's own, which takes webhooks, and a proxy that loses things."""

import threading
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from queue import Queue
from types import TracebackType
from typing import Self

import httpx

Headers = dict[str, str]
#: What a request is answered with: status, headers, body; `None` for a connection that ends.
Response = tuple[int, Headers, bytes] | None


class Served:
    """A server on a port of its own, for a `with`. ``answer`` is given method, path, headers and body."""

    def __init__(self, answer: Callable[[str, str, Headers, bytes], Response]) -> None:
        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_any(self) -> None:
                length = int(self.headers.get("content-length") or 0)
                headers = {name.lower(): value for name, value in self.headers.items()}
                answered = answer(self.command, self.path, headers, self.rfile.read(length))
                self.close_connection = True
                if answered:
                    status, given, body = answered
                    self.send_response(status)
                    for name, value in {**given, "content-length": str(len(body)), "connection": "close"}.items():
                        self.send_header(name, value)
                    self.end_headers()
                    self.wfile.write(body)

            do_GET = do_POST = do_PATCH = do_DELETE = do_any

            def log_message(self, format: str, *args: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, kind: type[BaseException] | None, fault: BaseException | None, at: TracebackType | None) -> None:
        self._server.shutdown()
        self._server.server_close()


class Receiver(Served):
    """Takes every message."""

    def __init__(self) -> None:
        self.messages: Queue[tuple[Headers, bytes]] = Queue()

        def take(method: str, path: str, headers: Headers, body: bytes) -> Response:
            self.messages.put((headers, body))
            return 204, {}, b""

        super().__init__(take)


class LosingProxy(Served):
    """Stands before a service. The fates of the requests to one path come first; every other request is passed on.

    ``busy`` is answered by the proxy with 503, ``lost`` is passed on and its answer thrown away.
    """

    def __init__(self, service: str, path: str, fates: list[str]) -> None:
        self.seen: list[Headers] = []
        self._service = httpx.Client(base_url=service)

        def pass_on(method: str, asked: str, headers: Headers, body: bytes) -> Response:
            fate = None
            if method != "GET" and asked == path:
                self.seen.append({**headers, "at": str(time.monotonic())})
                fate = fates.pop(0) if fates else None
            if fate == "busy":
                return 503, {"retry-after": "1"}, b"busy"
            kept = {name: value for name, value in headers.items() if name not in ("host", "connection")}
            answered = self._service.request(method, asked, headers=kept, content=body)
            if fate == "lost":
                return None
            given = {name: answered.headers[name] for name in answered.headers if name not in _HOP_BY_HOP}
            return answered.status_code, given, answered.content

        super().__init__(pass_on)

    def __exit__(self, kind: type[BaseException] | None, fault: BaseException | None, at: TracebackType | None) -> None:
        super().__exit__(kind, fault, at)
        self._service.close()


_HOP_BY_HOP = ("connection", "content-length", "date", "transfer-encoding")
