"""Writes the types of the protocol for the browser: `python -m sandtable.server.typescript web/src/protocol.ts`.

They come from the same records that the server reads and writes: the messages of the WebSocket, and the bodies and
answers of the HTTP interface.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import msgspec

from sandtable.kernel import game, scene
from sandtable.kernel.decisions import AnyRequest, Option, Placing, Refusal, Route
from sandtable.kernel.messages import Message
from sandtable.kernel.traces import TraceEntry
from sandtable.server import lobby, looking, matches, problems, protocol

HEAD = """// Made from the server's records by `python -m sandtable.server.typescript`; do not edit.
"""

UNIONS: dict[str, Any] = {
    "ClientMessage": protocol.ClientMessage,
    "ServerMessage": protocol.ServerMessage,
    "AnyRequest": AnyRequest,
    "TraceEntry": TraceEntry,
}

RECORDS: tuple[Any, ...] = (
    *(getattr(scene, name) for name in ("Ground", "Figure", "Mark", "Group", "Scene")),
    *(getattr(game, name) for name in ("Card", "Chance", "Laid", "Leg", "Reach", "Ring", "Sight", "RuleText")),
    *(Message, Option, Placing, Refusal, Route),
    *(lobby.Home, lobby.GameInfo, lobby.ScenarioInfo, lobby.ScenarioCard, lobby.BotInfo, lobby.NewMatch, lobby.ImportMatch, lobby.Imported),
    *(lobby.OwnScenario, lobby.Tokens, lobby.MatchInfo, matches.Created, matches.SeatWanted, problems.Problem),
    *(looking.Advice, looking.TryAnswer, looking.Verdict, looking.TryRoute, looking.TryPlaces, looking.LookFrom),
    *(looking.Looked, looking.Near),
    *(looking.LogPart, looking.Frame, looking.Replay),
)


def types() -> str:
    """All types as the text of a TypeScript file."""
    _, components = msgspec.json.schema_components((*UNIONS.values(), *RECORDS), ref_template="{name}")
    parts = [HEAD]
    for name, schema in sorted(components.items()):
        parts.append(_record(name, schema))
    for name, union in sorted(UNIONS.items()):
        parts.append(f"export type {name} = {' | '.join(sorted(member.__name__ for member in union.__args__))};\n")
    return "\n".join(parts)


def _record(name: str, schema: dict[str, Any]) -> str:
    about = _comment(schema.get("description"), "")
    if schema.get("type") != "object" or "properties" not in schema:
        return f"{about}export type {name} = {_type(schema)};\n"
    required = set(schema.get("required", ()))
    lines = [f"{about}export interface {name} {{"]
    for field, what in schema["properties"].items():
        lines.append(f"  {field}{'' if field in required else '?'}: {_type(what)};")
    return "\n".join([*lines, "}\n"])


def _comment(text: str | None, indent: str) -> str:
    return "" if not text else f"{indent}/** {' '.join(text.split())} */\n"


def _type(schema: dict[str, Any]) -> str:
    """A JSON schema as a TypeScript type."""
    if "$ref" in schema:
        return str(schema["$ref"])
    if "const" in schema:
        return _literal(schema["const"])
    if "enum" in schema:
        return " | ".join(_literal(value) for value in schema["enum"])
    if "anyOf" in schema:
        return " | ".join(dict.fromkeys(_type(one) for one in schema["anyOf"]))
    match schema.get("type"):
        case "array" if "prefixItems" in schema:
            return f"[{', '.join(_type(one) for one in schema['prefixItems'])}]"
        case "array":
            inner = _type(schema.get("items", {}))
            return f"({inner})[]" if " | " in inner else f"{inner}[]"
        case "object":
            more = schema.get("additionalProperties")
            return f"Record<string, {_type(more) if isinstance(more, dict) else 'unknown'}>"
        case "integer" | "number":
            return "number"
        case "string" | "boolean" | "null" as plain:
            return str(plain)
    return "unknown"


def _literal(value: Any) -> str:
    return msgspec.json.encode(value).decode()


def main() -> None:
    text = types()
    if len(sys.argv) > 1:
        Path(sys.argv[1]).write_text(text, "utf-8")
    else:
        print(text, end="")


if __name__ == "__main__":
    main()
