"""The language of an answer: the one that the caller prefers among those that there are."""

from __future__ import annotations

from typing import Final

from flask import Response, request

from service import texts

_ANY: Final = "*"


def asked_language() -> str:
    """The language to answer in.

    It is the one that the caller likes best of those that there are; ``de-AT`` is content with ``de``. Only when none
    of them is named does ``*`` count, for any that is not refused. Who accepts none is answered in the usual one: a
    foreign word is better than none.
    """
    wishes = [(tag.partition("-")[0].lower(), quality) for tag, quality in request.accept_languages]
    named = {language for language, _ in wishes}
    for language, quality in wishes:
        if quality and language in texts.LANGUAGES:
            return language
        if quality and language == _ANY:
            return next((other for other in texts.LANGUAGES if other not in named), texts.LANGUAGES[0])
    return texts.LANGUAGES[0]


def speaking(response: Response, language: str) -> Response:
    """Say in which language an answer is, and that it is another one for those who prefer another."""
    response.headers["Content-Language"] = language
    response.vary.add("Accept-Language")
    return response
