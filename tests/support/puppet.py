"""A store that says only what the test has it say."""

from __future__ import annotations

import contextlib
import socket
import threading
from types import TracebackType
from typing import Self

from support.store import PATIENCE, eventually


class Puppet:
    """It takes connections and notes which commands come; answers are up to the test.

    What a client says to introduce itself is answered at once.

    Args:
        confirms: whether subscriptions are confirmed without the test's doing.

    Attributes:
        said: the commands of all connections, as lists of words.
    """

    def __init__(self, *, confirms: bool = False) -> None:
        self._confirms = confirms
        self.said: list[list[str]] = []
        self._listening = socket.create_server(("127.0.0.1", 0))
        self._connections: list[socket.socket] = []
        self._threads = [threading.Thread(target=self._accept)]
        self.url = f"redis://127.0.0.1:{self._listening.getsockname()[1]}"

    def __enter__(self) -> Self:
        self._threads[0].start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()
        self.hang_up()
        for thread in self._threads:
            thread.join(PATIENCE)

    def reply(self, *words: str) -> None:
        """Send an array on the newest connection."""
        self._connections[-1].sendall(_array(words))

    def heard(self, *words: str, times: int = 1) -> None:
        """Wait until a command has come so often."""
        eventually(lambda: self.said.count(list(words)) >= times, f"{words} in {self.said}")

    def hang_up(self) -> None:
        """Close all connections."""
        for connection in self._connections:
            with contextlib.suppress(OSError):  # the other side was faster
                connection.shutdown(socket.SHUT_RDWR)

    @property
    def connections(self) -> int:
        """How many there were so far."""
        return len(self._connections)

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._listening.accept()
            except OSError:
                return
            self._connections.append(connection)
            thread = threading.Thread(target=self._listen, args=(connection,))
            self._threads.append(thread)
            thread.start()

    def _listen(self, connection: socket.socket) -> None:
        with connection, connection.makefile("rb") as lines:
            try:
                while head := lines.readline():
                    words = []
                    for _ in range(int(head[1:])):
                        length = int(lines.readline()[1:])
                        words.append(lines.read(length + 2)[:-2].decode())
                    if words[0] in ("CLIENT", "SELECT", "AUTH"):
                        connection.sendall(b"+OK\r\n")
                        continue
                    if words[0] == "SUBSCRIBE" and self._confirms:
                        for name in words[1:]:
                            connection.sendall(_array(("subscribe", name, "1")))
                    self.said.append(words)
            except OSError:
                return


def _array(words: tuple[str, ...]) -> bytes:
    """An array of texts; a word of digits is sent as a number."""
    parts = [f":{word}\r\n" if word.isdigit() else f"${len(word)}\r\n{word}\r\n" for word in words]
    return f"*{len(words)}\r\n{''.join(parts)}".encode()
