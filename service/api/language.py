"""The language of an answer: the one that the caller prefers among those that there are."""

from __future__ import annotations

from flask import Response, request

from service import texts


def asked_language() -> str:
    """The first language that the caller prefers and that there is; ``de-AT`` is content with ``de``."""
    for tag, quality in request.accept_languages:
        language = tag.partition("-")[0].lower()
        if quality and language in texts.LANGUAGES:
            return language
    return texts.LANGUAGES[0]


def speaking(response: Response, language: str) -> Response:
    """Say in which language an answer is, and that it is another one for those who prefer another."""
    response.headers["Content-Language"] = language
    response.vary.add("Accept-Language")
    return response
