"""What crosses the wire.

Types that belong to a game come from the engine (:mod:`service.schemas.engine`); everything else is a marshmallow
schema, closed in requests and open in answers.
"""
