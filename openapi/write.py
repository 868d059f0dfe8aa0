"""Write the contract, which is generated from the code, to ``openapi.yaml`` beside this file.

With ``--check`` nothing is written: the exit code tells whether the file is current.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import yaml

from service.api import operations
from service.app import create_app
from service.settings import Settings, TokenKey

TARGET = Path(__file__).with_name("openapi.yaml")


class _Value(dict[str, Any]):
    """The value of an example."""


class _Dumper(yaml.SafeDumper):
    """Writes text of several lines as it is read, and examples in few lines."""


def _text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style="|" if "\n" in text else None)


def _value(dumper: yaml.SafeDumper, value: _Value) -> yaml.MappingNode:
    return dumper.represent_mapping("tag:yaml.org,2002:map", value.items(), flow_style=True)


_Dumper.add_representer(str, _text)
_Dumper.add_representer(_Value, _value)


def _with_marked_values(entry: Any) -> Any:
    """A part of the contract in which the values of examples are known as such."""
    if isinstance(entry, list):
        return [_with_marked_values(part) for part in entry]
    if not isinstance(entry, dict):
        return entry
    if set(entry) == {"summary", "value"} and isinstance(entry["value"], dict):
        return {**entry, "value": _Value(entry["value"])}
    return {key: _with_marked_values(part) for key, part in entry.items()}


def contract() -> str:
    """The contract as YAML. No store is asked and no key of a running service is used."""
    app = create_app(
        Settings(redis_url="redis://nowhere.invalid", token_keys=(TokenKey("none", "-" * 32),), id_secret="-" * 32)
    )
    document = app.test_client().get(operations.CONTRACT).get_json()
    return yaml.dump(_with_marked_values(document), Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=120)


def main() -> int:
    """Write or check; 0 if all is well."""
    text = contract()
    if "--check" in sys.argv[1:]:
        return 0 if TARGET.exists() and TARGET.read_text(encoding="utf-8") == text else 1
    TARGET.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
