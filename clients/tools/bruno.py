"""The requests as a collection of Bruno: a file for each, in folders."""

import json
import re
from typing import Any

from document import Operation
from steps import SETTINGS, Request, requests_of, test_script


def files(document: dict[str, Any], operations: list[Operation]) -> dict[str, str]:
    """The files of the collection, by their names."""
    title = document["info"]["title"]
    settings = "".join(f"  {name}: {value}\n" for name, value in SETTINGS.items())
    found = {
        "bruno.json": json.dumps({"version": "1", "name": title, "type": "collection"}, indent=2) + "\n",
        "collection.bru": _text_block("docs", "Made by scripts/clients. Run it from the first request on."),
        "environments/demo.bru": f"vars {{\n{settings}}}\n",
    }
    for place, folder in enumerate(requests_of(operations), 1):
        path = f"{place:02}-{_file_name(folder.folder)}"
        found[f"{path}/folder.bru"] = _block("meta", {"name": folder.folder, "seq": str(place)})
        for number, request in enumerate(folder.requests, 1):
            found[f"{path}/{_file_name(request.title)}.bru"] = _request(number, request)
    return found


def _file_name(title: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")


def _request(number: int, request: Request) -> str:
    is_json = request.media_type == "application/json"
    body = "none" if request.media_type is None else "json" if is_json else "text"
    url = "{{base_url}}" + request.path
    if request.query:
        url += "?" + "&".join(f"{name}={value}" for name, value in request.query.items())
    method = request.operation.method
    auth = "bearer" if request.has_token else "none"
    headers = {}
    if request.operation.is_keyed:
        headers["Idempotency-Key"] = "{{$guid}}"
    if request.media_type and not is_json:
        headers["Content-Type"] = request.media_type
    blocks = [
        _block("meta", {"name": request.title, "type": "http", "seq": str(number)}),
        _block(method, {"url": url, "body": body, "auth": auth}),
    ]
    if request.query:
        blocks.append(_block("params:query", request.query))
    if headers:
        blocks.append(_block("headers", headers))
    if request.has_token:
        blocks.append(_block("auth:bearer", {"token": "{{access_token}}"}))
    if request.media_type:
        text = json.dumps(request.body, indent=2, ensure_ascii=False) if is_json else request.body.rstrip("\n")
        blocks.append(_text_block(f"body:{body}", text))
    if request.only_if:
        skip = f'if (bru.getVar("{request.only_if}") !== "yes") bru.runner.skipRequest();'
        blocks.append(_text_block("script:pre-request", skip))
    blocks.append(_text_block("tests", "\n".join(_script(request))))
    blocks.append(_text_block("docs", request.operation.description))
    return "\n".join(blocks)


def _script(request: Request) -> list[str]:
    lines = [
        "const status = res.getStatus();",
        "const header = (name) => res.getHeader(name);",
        "const variable = (name) => bru.getVar(name);",
    ]
    if request.keeps or request.until:
        lines.append("const json = res.getBody();")
    if request.until:
        lines += [
            'const tries = Number(bru.getVar("tries") || 0);',
            f"if (status < 300 && !({request.until}) && tries < 30) {{",
            '  bru.setVar("tries", tries + 1);',
            "  await bru.sleep(1000);",
            "  bru.setNextRequest(req.getName());",
            "} else {",
            '  bru.setVar("tries", 0);',
            f'  test("it is done", () => expect({request.until}).to.equal(true));',
            "}",
        ]
    for sentence, condition in test_script(request):
        lines.append(f'test("{sentence}", () => expect({condition}, JSON.stringify(res.getBody())).to.equal(true));')
    for name, value in request.keeps.items():
        lines.append(f'bru.setVar("{name}", {value});')
    return lines


def _block(name: str, entries: dict[str, str]) -> str:
    return f"{name} {{\n" + "".join(f"  {key}: {value}\n" for key, value in entries.items()) + "}\n"


def _text_block(name: str, text: str) -> str:
    return f"{name} {{\n" + "".join(f"  {line}\n" if line else "\n" for line in text.split("\n")) + "}\n"
