"""What goes wrong, as typed JSON. Nothing about the inside of the server ever leaves it."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any

import msgspec
from litestar import MediaType, Request, Response
from litestar.exceptions import HTTPException
from litestar.openapi.datastructures import ResponseSpec
from litestar.types import ExceptionHandlersMap

from sandtable.kernel.errors import DataError, SandtableError
from sandtable.kernel.messages import Message
from sandtable.server.storage import StorageError

log = logging.getLogger(__name__)


class Problem(msgspec.Struct, frozen=True, omit_defaults=True):
    """Why a request was not granted."""

    error: str
    """A word for programs: `bad_request`, `no_seat`, `not_found`, `too_large`, `too_fast`, `sealed`, `bad_data`, `bad_input` ..."""
    message: str
    """A sentence for people."""
    problems: tuple[str, ...] = ()
    """Everything that is wrong, where that is more than one thing."""
    rule: str = ""
    says: Message | None = None
    """The same as a message id, where there is one."""


class ApiError(Exception):
    """A request that is refused."""

    def __init__(self, status: int, error: str, message: str, problems: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.status, self.problem = status, Problem(error, message, problems)


_WORDS = {
    400: "bad_request",
    401: "no_seat",
    403: "forbidden",
    404: "not_found",
    405: "wrong_method",
    409: "not_now",
    413: "too_large",
    415: "wrong_media",
    422: "bad_data",
    429: "too_fast",
}


def _answer(status: int, problem: Problem, headers: Mapping[str, str] | None = None) -> Response[Any]:
    return Response(problem, status_code=status, media_type=MediaType.JSON, headers=dict(headers or {}))


def _refused(_: Request[Any, Any, Any], problem: ApiError) -> Response[Any]:
    headers = {"WWW-Authenticate": "Bearer"} if problem.status == 401 else None
    return _answer(problem.status, problem.problem, headers)


def _data(_: Request[Any, Any, Any], problem: SandtableError) -> Response[Any]:
    if isinstance(problem, StorageError):
        log.error("storage: %s", problem)
        return _answer(503, Problem("storage", "the database does not answer; try again later"))
    found = tuple(line[:500] for line in problem.problems[:100]) if isinstance(problem, DataError) else ()
    return _answer(422, Problem(problem.code, (found[0] if found else str(problem))[:500], found))


def _http(_: Request[Any, Any, Any], problem: HTTPException) -> Response[Any]:
    if problem.status_code >= 500:
        log.error("http: %s", problem)
        return _answer(problem.status_code, Problem("mistake", "the server made a mistake"))
    extra: Any = problem.extra if isinstance(problem.extra, list) else []
    found = tuple(f"{item.get('key', '')}: {item.get('message', '')}"[:500] for item in extra if isinstance(item, dict))
    word = _WORDS.get(problem.status_code, "bad_request")
    headers = {name: value for name, value in (problem.headers or {}).items() if name.lower() in ("allow", "retry-after")}
    return _answer(problem.status_code, Problem(word, found[0] if found else problem.detail[:500], found), headers)


def _mistake(request: Request[Any, Any, Any], problem: Exception) -> Response[Any]:
    log.error("%s %s failed", request.method, request.url.path, exc_info=problem)
    return _answer(500, Problem("mistake", "the server made a mistake; it has been noted"))


HANDLERS: ExceptionHandlersMap = {ApiError: _refused, SandtableError: _data, HTTPException: _http, Exception: _mistake}


def responses(*statuses: int) -> dict[int, ResponseSpec]:
    """For the OpenAPI page: which refusals a route may answer with."""
    words = {
        400: "The request is not well formed",
        401: "No token, or one that holds no seat",
        403: "From a foreign origin, or under a foreign name",
        404: "There is no such thing",
        409: "Not now",
        413: "Too large",
        422: "Well formed, but it cannot be used",
        429: "Too many requests",
    }
    return {status: ResponseSpec(Problem, description=words[status], generate_examples=False) for status in (*statuses, 403, 429)}
