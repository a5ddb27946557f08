"""The requests as a collection of Postman, in its format 2.1, in folders."""

import json
from typing import Any

from document import Operation
from steps import SETTINGS, Request, requests_of, test_script

SCHEMA = "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"


def files(document: dict[str, Any], operations: list[Operation]) -> dict[str, str]:
    """The files of the collection, by their names."""
    collection = {
        "info": {
            "name": document["info"]["title"],
            "description": "Made by scripts/clients. Run it from the first request on.",
            "schema": SCHEMA,
        },
        "auth": {"type": "bearer", "bearer": [{"key": "token", "value": "{{access_token}}", "type": "string"}]},
        "variable": [{"key": name, "value": value} for name, value in SETTINGS.items()],
        "item": [
            {"name": folder.folder, "item": [_item(request) for request in folder.requests]}
            for folder in requests_of(operations)
        ],
    }
    return {"covernote.postman_collection.json": json.dumps(collection, indent=2, ensure_ascii=False) + "\n"}


def _item(request: Request) -> dict[str, Any]:
    query = [{"key": name, "value": value} for name, value in request.query.items()]
    raw = "{{base_url}}" + request.path
    if query:
        raw += "?" + "&".join(f"{one['key']}={one['value']}" for one in query)
    url = {"raw": raw, "host": ["{{base_url}}"], "path": request.path.lstrip("/").split("/"), "query": query}
    sent: dict[str, Any] = {
        "method": request.operation.method.upper(),
        "description": request.operation.description,
        "header": [],
        "url": url,
    }
    if not request.has_token:
        sent["auth"] = {"type": "noauth"}
    if request.operation.is_keyed:
        sent["header"].append({"key": "Idempotency-Key", "value": "{{$guid}}"})
    if request.media_type:
        sent["header"].append({"key": "Content-Type", "value": request.media_type})
        is_json = request.media_type == "application/json"
        raw_body = json.dumps(request.body, indent=2, ensure_ascii=False) if is_json else request.body
        sent["body"] = {"mode": "raw", "raw": raw_body}
    events = [{"listen": "test", "script": {"type": "text/javascript", "exec": _script(request)}}]
    if request.only_if:
        skip = f'if (pm.variables.get("{request.only_if}") !== "yes") pm.execution.skipRequest();'
        events.append({"listen": "prerequest", "script": {"type": "text/javascript", "exec": [skip]}})
    return {"name": request.title, "event": events, "request": sent}


def _script(request: Request) -> list[str]:
    lines = [
        "const status = pm.response.code;",
        "const header = (name) => pm.response.headers.get(name);",
        "const variable = (name) => pm.variables.get(name);",
    ]
    if request.keeps or request.until:
        lines.append("const json = status < 300 ? pm.response.json() : {};")
    if request.until:
        lines += [
            'const tries = Number(pm.collectionVariables.get("tries") || 0);',
            f"if (status < 300 && !({request.until}) && tries < 30) {{",
            '  pm.collectionVariables.set("tries", tries + 1);',
            "  setTimeout(() => {}, 1000);",
            "  pm.execution.setNextRequest(pm.info.requestName);",
            "} else {",
            '  pm.collectionVariables.unset("tries");',
            f'  pm.test("it is done", () => pm.expect({request.until}).to.equal(true));',
            "}",
        ]
    for sentence, condition in test_script(request):
        lines.append(f'pm.test("{sentence}", () => pm.expect({condition}, pm.response.text()).to.equal(true));')
    for name, value in request.keeps.items():
        lines.append(f'pm.collectionVariables.set("{name}", {value});')
    return lines
