"""The rules of hidden-allegiance card games, pure: no clock, no I/O, no global randomness.

Start at :mod:`engine.game` for what every game offers, at :mod:`engine.catalogue` for the games there are.
"""
