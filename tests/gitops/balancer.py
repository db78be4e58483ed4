"""What a Service is to its clients: one address, each new connection goes to the next server."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import threading

from cluster.plane import HOST


class Balancer:
    """Forwards connections on loopback, in turn, until it is closed."""

    def __init__(self) -> None:
        """Listen; ``ports`` are those of the servers, none yet."""
        self.ports: list[int] = []
        self._turn = itertools.count()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        listening = asyncio.start_server(self._serve, HOST, 0)
        server = asyncio.run_coroutine_threadsafe(listening, self._loop).result()
        self.port: int = server.sockets[0].getsockname()[1]

    def close(self) -> None:
        """Stop serving."""
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Forward one connection, both ways, until either end closes it."""
        port = self.ports[next(self._turn) % len(self.ports)]
        with contextlib.suppress(OSError):
            there, back = await asyncio.open_connection(HOST, port)
            await asyncio.gather(_copy(reader, back), _copy(there, writer))
        writer.close()


async def _copy(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
    """Pass on what arrives; when nothing more does, close the other side."""
    with contextlib.suppress(OSError):
        while data := await source.read(1 << 16):
            target.write(data)
            await target.drain()
    target.close()
