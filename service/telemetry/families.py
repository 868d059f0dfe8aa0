"""Every metric: its name and what it says. Dashboards and alerts may use these and no others; a test compares them."""

from __future__ import annotations

from typing import Final

SHARED_FOLDER: Final = "PROMETHEUS_MULTIPROC_DIR"
"""The environment variable, of the library, with the folder in which all workers count."""

FAMILIES: Final[dict[str, str]] = {
    "turncoat_requests": "Requests answered, by operation and status.",
    "turncoat_request_seconds": "Time until an answer was ready, without what the client asked to wait.",
    "turncoat_problems": "Requests refused or failed, by the code of the problem.",
    "turncoat_moves": "Moves by game: accepted, made by a stand-in, repeated, or refused with a code.",
    "turncoat_matches": "Matches of all visibilities that became open, playing, finished or cancelled.",
    "turncoat_conflicts": "Writes of a match that began again because somebody else was faster.",
    "turncoat_waiters": "Clients that wait for a change at this moment: long-polls and live streams.",
    "turncoat_store_seconds": "Time that the store took to answer, by command or script.",
    "turncoat_store_errors": "Questions to the store without an answer, by the kind of failure.",
    "turncoat_limiter_failures": "Attempts that the store did not count for the rate limits.",
    "turncoat_workers": "Workers that serve.",
    "turncoat_workers_started": "Workers that were started; more than workers means that some were replaced.",
    "turncoat_info": "The version of the service.",
    "turncoat_store_up": "Whether the store answered when these metrics were asked for.",
    "turncoat_public_matches": "Public matches in the store, by game and status, as the lobby's index has them.",
    "turncoat_overdue_decisions": "Decisions whose time is over and that nobody has made yet.",
}
