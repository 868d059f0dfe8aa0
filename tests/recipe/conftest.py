"""The files of the recipe's game are tests where they belong only: in the copy of the repository that gets them."""

from __future__ import annotations

collect_ignore_glob = ["files/*"]
