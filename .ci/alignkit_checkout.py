"""Lets Python find alignkit beside a folder that merely has its name, such as the checkout seen from the folder above.

make puts this file into the environments that it makes, where a .pth file imports it whenever Python starts. An
editable installation is asked last, after Python has taken a folder without __init__.py for a package of that name.
"""

import sys


class CheckoutFinder:
    """Finds the package alignkit as all other finders do, but passes over folders without __init__.py."""

    @classmethod
    def find_spec(cls, name, path=None, target=None):
        if name != "alignkit":
            return None
        specs = (finder.find_spec(name, path, target) for finder in sys.meta_path if finder is not cls)
        return next((spec for spec in specs if spec is not None and spec.origin is not None), None)


sys.meta_path.insert(0, CheckoutFinder)
