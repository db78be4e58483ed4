"""The Kubernetes API over one kept connection: a read costs a millisecond, not a kubectl."""

from __future__ import annotations

import http.client
import json
import ssl
import time
from pathlib import Path
from typing import Any

from .waiting import eventually

Json = dict[str, Any]

NOT_FOUND = 404
# The server closes a connection on which nothing was asked for 90 s.
IDLE = 60.0


class ApiError(Exception):
    """The server said no; ``status`` is the HTTP code."""

    def __init__(self, status: int, message: str) -> None:
        """Keep the code, for callers that expect one."""
        super().__init__(f"{status}: {message}")
        self.status = status


class Api:
    """One connection as one user. Not for two threads at once: open another one."""

    def __init__(self, port: int, token: str, authority: Path) -> None:
        """Prepare for the API server on loopback whose certificate is ``authority``."""
        self.port, self.token, self.authority = port, token, authority
        self._asked = time.monotonic()
        #: What the server warned of in its last answer.
        self.warnings: list[str] = []
        context = ssl.create_default_context(cafile=str(authority))
        self._connection = http.client.HTTPSConnection(
            "127.0.0.1", port, timeout=30, context=context
        )

    def another(self) -> Api:
        """Open a second connection, for another thread."""
        return Api(self.port, self.token, self.authority)

    def call(self, method: str, path: str, body: Json | None = None, form: str = "json") -> Json:
        """Send a request; ``form`` is the kind of patch, such as ``merge-patch+json``."""
        if time.monotonic() - self._asked > IDLE:
            self._connection.close()
        self._asked = time.monotonic()
        try:
            self._connection.request(
                method,
                path,
                json.dumps(body) if body is not None else None,
                {"Authorization": f"Bearer {self.token}", "Content-Type": f"application/{form}"},
            )
            answer = self._connection.getresponse()
            text = answer.read()
        except (OSError, http.client.HTTPException):
            self._connection.close()
            raise
        self.warnings = answer.headers.get_all("Warning") or []
        if answer.status >= http.client.BAD_REQUEST:
            raise ApiError(answer.status, text.decode(errors="replace"))
        content: Json = json.loads(text) if text.startswith(b"{") else {}
        return content

    def get(self, path: str) -> Json:
        """Read one object, or a list of them."""
        return self.call("GET", path)

    def items(self, path: str) -> list[Json]:
        """Read the members of a list."""
        members: list[Json] = self.get(path)["items"]
        return members

    def exists(self, path: str) -> bool:
        """Tell whether the server has the object."""
        try:
            self.get(path)
        except ApiError as error:
            if error.status == NOT_FOUND:
                return False
            raise
        return True

    def create(self, path: str, body: Json) -> Json:
        """Create an object in the list at ``path``."""
        return self.call("POST", path, body)

    def merge(self, path: str, body: Json) -> Json:
        """Change some fields of an object."""
        return self.call("PATCH", path, body, form="merge-patch+json")

    def delete(self, path: str, *, at_once: bool = False) -> None:
        """Delete an object if it is there, ``at_once`` without waiting for its node."""
        options: Json = {"gracePeriodSeconds": 0} if at_once else {}
        try:
            self.call("DELETE", path, options)
        except ApiError as error:
            if error.status != NOT_FOUND:
                raise

    def remove(self, path: str) -> None:
        """Delete an object and wait until it is gone: the next test may make one of its name."""
        self.delete(path)
        eventually(lambda: self.exists(path), lambda there: not there)
