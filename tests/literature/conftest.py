"""Programs that the language does not cover yet cannot be imported, and none of them has examples to run."""

collect_ignore = [
    "composition", "fresh", "further", "noise", "other_tools", "selection", "sparse_vector", "sums", "unseen",
]  # fmt: skip
