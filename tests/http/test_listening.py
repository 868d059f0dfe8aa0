"""Nothing of a running service listens but what its documentation names."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from support.server import Server

LISTENS = "0A"
"""The kernel's word for a TCP socket that accepts connections."""


def family(process: int) -> Iterator[int]:
    """A process and all that come from it."""
    yield process
    for child in Path(f"/proc/{process}/task/{process}/children").read_text().split():
        yield from family(int(child))


def sockets(processes: list[int]) -> set[str]:
    """The sockets that any of them has open, as the kernel numbers them."""
    found = set()
    for process in processes:
        for file in Path(f"/proc/{process}/fd").iterdir():
            with suppress(FileNotFoundError):  # it was closed meanwhile; what listens stays open
                found.add(str(file.readlink()))
    return {name[8:-1] for name in found if name.startswith("socket:")}


def listening(process: int) -> set[tuple[str, str]]:
    """Protocol and address of whatever a process, or one that comes from it, can be reached at over a network."""
    own = sockets(list(family(process)))
    found = set()
    for protocol in ("tcp", "tcp6", "udp", "udp6"):
        for line in Path(f"/proc/net/{protocol}").read_text().splitlines()[1:]:
            entry = line.split()
            if entry[9] in own and (entry[3] == LISTENS or protocol.startswith("udp")):
                found.add((protocol, entry[1]))
    return found


def as_the_kernel_writes(address: str, port: int) -> str:
    return f"{int.from_bytes(socket.inet_aton(address), 'little'):08X}:{port:04X}"


def test_only_the_port_that_was_announced_is_open(tmp_path: Path):
    """The embedded store is reached through a unix socket in a folder that is its user's alone."""
    server = Server(tmp_path)
    server.start()
    try:
        assert server.visitor().call("listGames").status == 200
        assert server._process is not None
        port = int(server.address.rpartition(":")[2])
        assert listening(server._process.pid) == {("tcp", as_the_kernel_writes("127.0.0.1", port))}
    finally:
        server.stop()
