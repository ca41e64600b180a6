"""HTTP for the API of Razão: keys, waiting, pages. Types and methods are in api.py, which is generated."""

from __future__ import annotations

import json
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal
from http.client import HTTPMessage
from typing import IO, Any, TypeVar

TRIES = 8  # of one call
RESTARTS = 5  # of todos
LONGEST_WAIT = 120.0  # seconds

T = TypeVar("T")


class RazaoError(Exception):
    """An answer other than 200."""

    def __init__(self, status: int, code: str, message: str, request_id: str, after: float) -> None:
        super().__init__(f"{status} {code}: {message}")
        self.status = status
        self.code = code  # erro.codigo: stable
        self.message = message  # erro.mensagem: for people
        self.request_id = request_id
        self._after = after  # Retry-After, in seconds

    @property
    def temporary(self) -> bool:
        """Whether the same call may succeed soon: what a load lacks comes with another load."""
        return self.status in (429, 503) and self.code != "carga_parcial"


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """Follows no redirect: urllib would take the key along to any host."""

    def redirect_request(
        self, req: urllib.request.Request, fp: IO[bytes], code: int, msg: str, headers: HTTPMessage, newurl: str
    ) -> urllib.request.Request | None:
        to = urllib.parse.urlsplit(newurl)
        raise RazaoError(
            code, "redirecionado", f"the server redirects to {to.scheme}://{to.netloc}, which does not get the key: is this the address?", "", 0
        )


_opener = urllib.request.build_opener(_NoRedirect)


class Client:
    """Calls the API at an address, that of the site without a path, with a key.

    A call waits and tries again when the API asks for it (429, 503) or the network fails. Iterators follow the
    pages; when the data were replaced between two of them, they end with a RazaoError of status 409, and todos
    begins again. Amounts are Decimal, exact to the last published digit.
    """

    def __init__(self, address: str, key: str, timeout: float = 60) -> None:
        self._address = address.rstrip("/")
        self._key = key
        self._timeout = timeout

    def _get(self, path: str, parameters: Mapping[str, Any] | None = None) -> Any:
        return self._call("GET", _target(path, parameters))

    def _post(self, path: str, body: Any) -> Any:
        return self._call("POST", path, json.dumps(body).encode(), "application/json")

    def _post_form(self, path: str, fields: Mapping[str, Any]) -> Any:
        form = urllib.parse.urlencode({name: json.dumps(value) for name, value in fields.items()})
        return self._call("POST", path, form.encode(), "application/x-www-form-urlencoded")

    def _pages(self, path: str, parameters: Mapping[str, Any] | None = None) -> Iterator[Any]:
        target: str | None = _target(path, parameters)
        while target:
            page = self._call("GET", target)
            yield page
            following = page["dados"]["proxima_url"]
            target = None if following == target else following  # a feed waits for the next load

    def _items(self, path: str, parameters: Mapping[str, Any] | None = None) -> Iterator[Any]:
        for page in self._pages(path, parameters):
            yield from page["dados"]["itens"]

    def _call(self, method: str, target: str, body: bytes | None = None, content_type: str = "") -> Any:
        """Makes a call. It waits as the API asks, and for longer and longer when it cannot be reached."""
        attempt = 1
        while True:
            wait = min(2.0 ** (attempt - 1), LONGEST_WAIT)
            try:
                return self._once(method, target, body, content_type)
            except RazaoError as error:
                if not error.temporary or attempt == TRIES:
                    raise
                wait = min(max(error._after, wait / 4), LONGEST_WAIT)
            except OSError:
                if attempt == TRIES:
                    raise
            time.sleep(wait)
            attempt += 1

    def _once(self, method: str, target: str, body: bytes | None, content_type: str) -> Any:
        headers = {"Authorization": f"Bearer {self._key}"}
        if content_type:
            headers["Content-Type"] = content_type
        request = urllib.request.Request(self._address + target, data=body, headers=headers, method=method)
        try:
            with _opener.open(request, timeout=self._timeout) as response:
                return json.load(response, parse_float=Decimal)
        except urllib.error.HTTPError as refused:
            with refused:
                raise _error_of(refused) from None


def _error_of(refused: urllib.error.HTTPError) -> RazaoError:
    try:
        body = json.load(refused)
        code, message, request_id = body["erro"]["codigo"], body["erro"]["mensagem"], body["requisicao_id"]
    except (ValueError, KeyError, TypeError):  # a proxy in between answers something else
        code, message, request_id = "", str(refused.reason), ""
    after = refused.headers.get("Retry-After", "0")
    return RazaoError(refused.code, code, message, request_id, float(after) if after.isdigit() else 0.0)


def _target(path: str, parameters: Mapping[str, Any] | None) -> str:
    given = {name: value for name, value in (parameters or {}).items() if value is not None}
    return path + ("?" + urllib.parse.urlencode(given, doseq=True) if given else "")


def escape(segment: str) -> str:
    """A segment of a path."""
    return urllib.parse.quote(segment, safe="")


def todos(items: Callable[[], Iterator[T]]) -> list[T]:
    """All items that an iterator has: todos(lambda: razao.buscar_itens(q="padaria")).

    If the data are replaced meanwhile, it begins again, so that none is missing or there twice.
    """
    for _ in range(RESTARTS):
        try:
            return list(items())
        except RazaoError as error:
            if error.status != 409:
                raise
    return list(items())
