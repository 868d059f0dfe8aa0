"""The schemas of Kubernetes, of every version that is asked for, and of the two kinds that an operator adds to it.

Everything is judged strictly: a field that there is not is a fault. Kubernetes itself would say nothing, or only warn.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import jsonschema_rs
import kubernetes_validate

from checking.rendering import Resource, called

VERSIONS: Final = tuple(f"1.{minor}" for minor in range(27, 38))
"""From the first that knows ``matchLabelKeys`` to the last whose schema there is."""

_TEXT: Final = {"type": "string", "minLength": 1}
_TEXTS: Final = {"type": "object", "additionalProperties": _TEXT}
_DURATION: Final = {"type": "string", "pattern": "^[1-9][0-9]*(ms|s|m|h)$"}


def _closed(required: list[str], **properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


def _list(items: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": items, "minItems": 1}


_OF_THE_OPERATOR: Final = {
    # Of all that these kinds may have, what is used here.
    "ServiceMonitor": _closed(
        ["selector", "endpoints"],
        selector=_closed(["matchLabels"], matchLabels=_TEXTS),
        endpoints=_list(_closed(["port", "path"], port=_TEXT, path=_TEXT, interval=_DURATION, scrapeTimeout=_DURATION)),
    ),
    "PrometheusRule": _closed(
        ["groups"],
        groups=_list(
            _closed(
                ["name", "rules"],
                name=_TEXT,
                interval=_DURATION,
                rules=_list(
                    {
                        **_closed(
                            ["expr"],
                            alert=_TEXT,
                            record=_TEXT,
                            expr=_TEXT,
                            **{"for": _DURATION, "keep_firing_for": _DURATION},
                            labels=_TEXTS,
                            annotations=_TEXTS,
                        ),
                        "oneOf": [{"required": ["alert"]}, {"required": ["record"]}],
                    }
                ),
            )
        ),
    ),
}


def faults(resources: list[Resource], version: str) -> Iterator[str]:
    """What a version of Kubernetes would not take, or not understand."""
    for resource in resources:
        if resource["apiVersion"] == "monitoring.coreos.com/v1":
            yield from _of_the_operator(resource)
            continue
        try:
            kubernetes_validate.validate(resource, version, strict=True)
        except kubernetes_validate.ValidationError as error:
            place = ".".join(str(step) for step in error.path)
            yield f"{called(resource)}: {place}: {error.message}"
        except kubernetes_validate.SchemaNotFoundError:
            yield f"{called(resource)}: Kubernetes {version} has no {resource['apiVersion']} {resource['kind']}"


def _of_the_operator(resource: Resource) -> Iterator[str]:
    schema = _OF_THE_OPERATOR.get(resource["kind"])
    if schema is None:
        yield f"{called(resource)}: no schema is known"
        return
    for error in jsonschema_rs.validator_for(schema).iter_errors(resource.get("spec")):
        yield f"{called(resource)}: spec{error.instance_path}: {error.message}"
