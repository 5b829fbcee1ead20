"""Salesforce's interfaces for tools: OAuth, REST, Tooling, Bulk, SOAP.

Every module here is imported, so that what it registers is answered.
"""

from importlib import import_module
from pkgutil import iter_modules

from salesforce_org.api.entrance import answer

__all__ = ["answer"]

for _module in iter_modules(__path__):
    import_module(f"{__name__}.{_module.name}")
