"""Record what the present version stores, as long as it is not released."""

from __future__ import annotations

import json
import sys
from contextlib import closing
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from support.settings import settings_on
from support.store import StoreServer
from upgrade.recorded import FORM, STORED, form, matches, present_version, released

from service.app import create_app


def main() -> int:
    folder = STORED / present_version()
    if present_version() in released():
        print(f"{present_version()} is released, and what it has stored is never changed: raise the version first.")
        return 1
    with closing(StoreServer()) as store:
        store.start()
        found = dict(matches(create_app(settings_on(store.url))))
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in found.items():
        (folder / name).write_bytes(content)
    (folder / FORM).write_text(json.dumps(form(), separators=(",", ":")) + "\n")
    print(f"wrote {len(found)} matches to {folder}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
