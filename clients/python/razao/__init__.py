"""A client of the API of Razão, an open registry of Brazilian companies."""

from .api import Razao
from .client import RazaoError, todos

__all__ = ["Razao", "RazaoError", "todos"]
