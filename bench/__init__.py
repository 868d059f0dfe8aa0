"""The benchmarks and their budgets: ratios between things that are measured side by side. See README.md."""
