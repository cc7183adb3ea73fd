"""``python -m alignkit``: the command line."""

import sys

from alignkit.cli import main

if __name__ == "__main__":
    sys.exit(main())
