"""What operators see of a running service: metrics, logs and traces.

Nothing here knows Flask or the store. What happens is told to an :class:`~service.telemetry.observer.Observer`, which
those who do something are given when they are made.
"""
