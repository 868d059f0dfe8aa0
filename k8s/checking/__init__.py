"""What is checked of the manifests: they are rendered as an operator would, and judged by several judges."""
