"""The HTTP side: one module per resource, nothing but translation between HTTP and the use cases."""
