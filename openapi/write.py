"""Write the contract, which is generated from the code, to ``openapi.yaml`` beside this file.

With ``--check`` nothing is written: the exit code tells whether the file is current.
"""

from __future__ import annotations

import sys
from pathlib import Path

import yaml

from service.api import operations
from service.app import create_app
from service.settings import Settings, TokenKey

TARGET = Path(__file__).with_name("openapi.yaml")


class _Dumper(yaml.SafeDumper):
    """Writes text of several lines as it is read."""


def _text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style="|" if "\n" in text else None)


_Dumper.add_representer(str, _text)


def contract() -> str:
    """The contract as YAML. No store is asked and no key of a running service is used."""
    app = create_app(
        Settings(redis_url="redis://nowhere.invalid", token_keys=(TokenKey("none", "-" * 32),), id_secret="-" * 32)
    )
    document = app.test_client().get(operations.CONTRACT).get_json()
    return yaml.dump(document, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=120)


def main() -> int:
    """Write or check; 0 if all is well."""
    text = contract()
    if "--check" in sys.argv[1:]:
        return 0 if TARGET.exists() and TARGET.read_text(encoding="utf-8") == text else 1
    TARGET.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
