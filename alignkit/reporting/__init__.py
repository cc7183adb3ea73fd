"""Reports: results as text and as JSON. They print what was found, they do not decide."""
