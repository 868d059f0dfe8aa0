"""How the service ends, and what it survives."""

from __future__ import annotations

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from support.store import PATIENCE, eventually

from service.launcher.gunicorn_conf import graceful_timeout

ROOT = Path(__file__).parents[3]

LESS_THAN_GUNICORNS_PATIENCE = graceful_timeout - 5
"""Seconds; what is tested with it takes two, or else all of gunicorn's patience."""


def in_background(server, path):
    """Send a request whose answer comes later; return what will hold it."""
    answers = []
    thread = threading.Thread(target=lambda: answers.append(server.try_get(path)))
    thread.start()
    return thread, answers


def begin_slow_request(server, seconds):
    thread, answers = in_background(server, f"/slow?{seconds}")
    eventually(lambda: server.look()["slow"], "the slow request")
    return thread, answers


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_signal_to_the_group_lets_requests_finish(serve, number):
    server = serve()
    server.get("/")
    thread, answers = begin_slow_request(server, 1.5)
    os.killpg(server.process.pid, number)
    assert server.wait_end() == 0
    thread.join(PATIENCE)
    assert answers == [(200, {"count": 2})]
    assert not server.left()
    assert server.complaints == "Turncoat ends: finishing the requests that run (Ctrl-C again to hasten) …\n"
    second = serve()
    assert second.get("/") == {"count": 3}


def test_a_second_ctrl_c_hastens(serve):
    server = serve()
    thread, answers = begin_slow_request(server, 60)
    server.process.send_signal(signal.SIGINT)
    eventually(lambda: "Turncoat ends" in server.complaints, "the first one's effect")
    server.process.send_signal(signal.SIGINT)
    assert server.process.wait(LESS_THAN_GUNICORNS_PATIENCE) == 0
    thread.join(PATIENCE)
    assert answers == [None]
    assert not server.left()
    assert "Traceback" not in server.complaints


def test_sigterm_twice_is_the_same_as_once(serve):
    server = serve()
    thread, answers = begin_slow_request(server, 3)
    server.process.terminate()
    eventually(lambda: "Turncoat ends" in server.complaints, "the first one's effect")
    server.process.terminate()
    eventually(lambda: server.try_get("/look") is None, "the port's end")
    assert not answers, "the port ends before the requests do"
    assert server.wait_end() == 0
    thread.join(PATIENCE)
    assert answers == [(200, {"count": 1})]


def test_a_signal_before_it_serves(start, tmp_path):
    server = start()
    eventually((tmp_path / "data" / "store.log").exists, "the store's start")
    server.process.terminate()
    assert server.wait_end() == 0
    assert "Traceback" not in server.complaints


def test_idle_connections_do_not_hold_up_the_end(serve):
    server = serve()
    where = urlsplit(server.address)
    connection = http.client.HTTPConnection(where.hostname, where.port, timeout=PATIENCE)
    connection.request("GET", "/")
    assert connection.getresponse().read() == b'{"count": 1}'
    server.process.terminate()
    assert server.process.wait(LESS_THAN_GUNICORNS_PATIENCE) == 0
    assert connection.sock.recv(1) == b""
    connection.close()


def test_who_waits_is_told_that_the_end_is_near(serve):
    server = serve()
    thread, answers = in_background(server, "/until-draining")
    eventually(lambda: server.look()["slow"], "the waiting request")
    server.stop()
    thread.join(PATIENCE)
    assert answers == [(200, {"draining": True})]


def test_the_end_is_announced_while_requests_are_still_served(serve):
    server = serve(TURNCOAT_DRAIN_SECONDS="20")
    assert server.get("/ending") == {"announced": False, "begun": False}
    server.process.terminate()
    eventually(lambda: server.get("/ending")["announced"], "the announcement")
    time.sleep(2.5)  # a worker that drains for no time at all still accepts connections for up to one second
    assert server.get("/ending") == {"announced": True, "begun": False}
    assert server.get("/") == {"count": 1}
    swept = server.look()["swept"]
    eventually(lambda: server.look()["swept"] > swept, "what is done beside the requests")
    for _ in range(2):
        server.process.send_signal(signal.SIGINT)
    assert server.process.wait(LESS_THAN_GUNICORNS_PATIENCE) == 0
    assert not server.left()


def test_an_announced_end_comes_by_itself(serve):
    server = serve(TURNCOAT_DRAIN_SECONDS="0.5")
    thread, answers = in_background(server, "/until-draining")
    eventually(lambda: server.look()["slow"], "the waiting request")
    server.process.terminate()
    assert server.process.wait(LESS_THAN_GUNICORNS_PATIENCE) == 0
    thread.join(PATIENCE)
    assert answers == [(200, {"draining": True})]


def test_nobody_left_to_read_what_it_says(environment):
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    reader, writer = os.pipe()
    os.close(reader)
    with subprocess.Popen(
        [sys.executable, str(Path(__file__).with_name("serve_tiny.py")), "serve", "--port", str(port)],
        env=environment,
        stdout=writer,
        stderr=writer,
    ) as process:
        os.close(writer)

        def count():
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=PATIENCE) as answer:
                    return json.load(answer)["count"]
            except OSError:
                return 0

        eventually(lambda: count() or process.poll() is not None, "the server")
        eventually(lambda: count() > 20 or process.poll() is not None, "some more visits")
        process.terminate()
        assert process.wait(PATIENCE) == 0


def test_a_store_that_dies_is_started_again_with_its_data(serve):
    server = serve()
    assert server.get("/") == {"count": 1}
    before = server.look()
    os.kill(before["store"], signal.SIGKILL)
    answers = []

    def answers_again():
        answers.append(server.try_get("/"))
        return answers[-1][0] == 200

    eventually(answers_again, "the store's return")
    assert {status for status, _ in answers} <= {200, 503}
    assert answers[-1] == (200, {"count": 2})
    after = server.look()
    assert after["store"] != before["store"]
    assert [after[same] for same in ("worker", "master", "socket")] == [
        before[same] for same in ("worker", "master", "socket")
    ]
    assert "The embedded store was ended by SIGKILL, starting it again" in server.complaints


def test_a_store_that_dies_while_requests_finish(serve):
    server = serve()
    store = server.look()["store"]
    thread, answers = begin_slow_request(server, 2)
    server.process.terminate()
    eventually(lambda: "Turncoat ends" in server.complaints, "the signal's effect")
    os.kill(store, signal.SIGKILL)
    assert server.wait_end() == 0
    thread.join(PATIENCE)
    assert answers == [(200, {"count": 1})]


def test_gunicorn_ending_by_itself_ends_everything(serve):
    server = serve()
    os.kill(server.look()["master"], signal.SIGKILL)
    assert server.wait_end() == 1
    assert not server.left()
    assert "the HTTP server ended by itself" in server.complaints


def test_a_worker_that_dies_is_replaced(serve):
    server = serve()
    worker = server.look()["worker"]
    os.kill(worker, signal.SIGKILL)
    eventually(lambda: (server.try_get("/look") or (0, {}))[0] == 200, "another worker")
    assert server.look()["worker"] != worker
    server.stop()


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux ends a killed launcher's children")
def test_a_launcher_that_is_killed_takes_everything_with_it(serve, sockets):
    first = serve()
    first.get("/")
    first.look()
    first.process.kill()
    first.wait_gone()
    assert list(sockets.iterdir())
    second = serve()
    assert second.get("/") == {"count": 2}
    second.stop()
    assert not list(sockets.iterdir())


def test_a_store_that_was_left_behind_is_ended_at_the_next_start(start, environment):
    leave_behind = """if True:
        import os, time
        from pathlib import Path
        from service.launcher import embedded
        from service.launcher.folder import DataFolder
        embedded._end_with_parent = lambda: None
        with DataFolder(Path(os.environ["TURNCOAT_DATA"])) as folder, embedded.EmbeddedStore(folder) as store:
            store.start()
            while not store.answers():
                time.sleep(0.01)
            print(store._process.pid, flush=True)
            os._exit(9)
    """
    ended = subprocess.run(
        [sys.executable, "-c", leave_behind], env=environment, capture_output=True, text=True, cwd=ROOT, check=False
    )
    assert ended.returncode == 9, ended.stderr
    server = start()
    server.pids.add(int(ended.stdout))
    server.wait_ready()
    assert server.look()["store"] != int(ended.stdout)
    assert int(ended.stdout) not in server.left()
    assert server.get("/") == {"count": 1}
