"""All folds there are, by the id of their game. A new game gets a line here."""

from __future__ import annotations

from typing import Final

from conformance.folds import Fold
from conformance.folds.inside_job import InsideJobFold
from conformance.folds.kabale import KabaleFold
from conformance.folds.verraeter import VerraeterFold

FOLDS: Final[dict[str, type[Fold]]] = {fold.game.id: fold for fold in (VerraeterFold, KabaleFold, InsideJobFold)}
