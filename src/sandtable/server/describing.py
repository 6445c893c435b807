"""The OpenAPI page: plain HTML, made here, so that it works without the network and under our content security policy."""

from __future__ import annotations

from html import escape
from typing import Any

from litestar import Request
from litestar.enums import MediaType
from litestar.openapi.plugins import OpenAPIRenderPlugin


class PlainPage(OpenAPIRenderPlugin):
    """Every route with its parameters, body and answers; every type with its fields."""

    def __init__(self) -> None:
        super().__init__(path="/", media_type=MediaType.HTML, favicon="", style="")

    def render(self, request: Request[Any, Any, Any], openapi_schema: dict[str, Any]) -> bytes:
        info = openapi_schema["info"]
        parts = [
            "<!doctype html><html lang='en'><head><meta charset='utf-8'><meta name='viewport' content='width=device-width'>",
            f"<title>{escape(info['title'])}</title></head><body><h1>{escape(info['title'])} {escape(info['version'])}</h1>",
            f"<p>{escape(info.get('description', ''))}</p><p><a href='schema/openapi.json'>openapi.json</a></p><h2>Routes</h2>",
        ]
        for path, item in openapi_schema["paths"].items():
            for method, operation in item.items():
                if isinstance(operation, dict):
                    parts.append(_operation(path, method, operation))
        parts.append("<h2>Types</h2>")
        for name, schema in sorted(openapi_schema.get("components", {}).get("schemas", {}).items()):
            parts.append(f"<section id='{escape(name)}'><h3>{escape(name)}</h3>{_about(schema)}{_fields(schema)}</section>")
        parts.append("</body></html>")
        return "".join(parts).encode()


def _operation(path: str, method: str, operation: dict[str, Any]) -> str:
    rows = [
        f"<tr><td>{escape(one['name'])}</td><td>{escape(one['in'])}</td><td>{_type(one.get('schema', {}))}</td></tr>"
        for one in operation.get("parameters", ())
    ]
    body = "".join(f"<p>Body: {_type(one.get('schema', {}))}</p>" for one in operation.get("requestBody", {}).get("content", {}).values())
    answers = []
    for status, answer in operation.get("responses", {}).items():
        kinds = ", ".join(_type(one.get("schema", {})) for one in answer.get("content", {}).values())
        answers.append(f"<li>{escape(status)}: {escape(answer.get('description', ''))} {kinds}</li>")
    parameters = f"<table>{''.join(rows)}</table>" if rows else ""
    about = f"<p>{escape(operation.get('description', ''))}</p>"
    return f"<section><h3><code>{method.upper()} {escape(path)}</code></h3>{about}{parameters}{body}<ul>{''.join(answers)}</ul></section>"


def _about(schema: dict[str, Any]) -> str:
    return f"<p>{escape(schema['description'])}</p>" if schema.get("description") else ""


def _fields(schema: dict[str, Any]) -> str:
    required = set(schema.get("required", ()))
    rows = [
        f"<tr><td>{escape(name)}{'' if name in required else '?'}</td><td>{_type(field)}</td></tr>"
        for name, field in schema.get("properties", {}).items()
    ]
    return f"<table>{''.join(rows)}</table>" if rows else ""


def _type(schema: dict[str, Any]) -> str:
    if "$ref" in schema:
        name = escape(schema["$ref"].rpartition("/")[2])
        return f"<a href='#{name}'>{name}</a>"
    for word in ("oneOf", "anyOf"):
        if word in schema:
            return " or ".join(_type(one) for one in schema[word])
    if schema.get("type") == "array":
        return f"list of {_type(schema.get('items', {}))}"
    if "enum" in schema:
        return escape(", ".join(map(str, schema["enum"])))
    return escape(str(schema.get("type", "anything")))
