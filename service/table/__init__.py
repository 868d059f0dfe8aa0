"""The built files of the table, in ``static``: made from ``examples/table`` by ``make table``, never by hand."""
