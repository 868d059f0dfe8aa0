"""The service that carries the games over HTTP.

``api`` translates, ``matches`` holds the use cases, ``store`` knows Redis; ``app`` wires them together.
"""
