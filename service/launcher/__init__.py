"""What `turncoat serve` starts, in which order, and how it ends.

One parent process, the launcher, stays small and has two kinds of children::

    launcher ──┬── the embedded store (Valkey), if no REDIS_URL is given
               └── gunicorn's master ──┬── worker
                                       └── worker

It starts the store, waits until it answers, starts gunicorn and waits until every worker has loaded the application.
From then on it looks after the store, starting it again when it dies, until it is told to stop. Then gunicorn finishes
the requests that run, and only afterwards the store ends.

Both children get a session of their own, so Ctrl-C in a terminal reaches the launcher alone and the launcher decides
the order. Neither outlives it: the kernel ends the store (on Linux), gunicorn notices by itself, and a store that was
left behind all the same is found by its lock at the next start.

The launcher imports neither the application nor a client of the store, and neither does gunicorn's master: gevent has
to replace the standard library's sockets and locks before anything holds on to the originals, and it does so in the
workers. Talking to the store means one ``PING`` over a plain socket here.
"""

from __future__ import annotations


class LaunchError(Exception):
    """The service cannot be started, or it ended by itself. The message is one for the operator."""
