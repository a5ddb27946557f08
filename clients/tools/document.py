"""The operations of the OpenAPI document, as clients and collections need them."""

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

#: Methods of operations, as the document writes them.
METHODS = ("get", "put", "post", "patch", "delete", "options", "head")

#: The operation that gives a token.
TOKEN_PATH = "/v1/auth/token"


@dataclass(frozen=True)
class Operation:
    """One operation."""

    id: str
    method: str
    path: str
    tag: str
    summary: str
    description: str
    is_deprecated: bool
    #: The scope of its bearer token; `None` where it takes none.
    scope: str | None
    path_parameters: list[str]
    #: The parameters of its query, as the document has them.
    query: list[dict[str, Any]]
    #: The schema of its body, and a body to try it with.
    body: dict[str, Any] | None
    example: Any
    #: Media types of its body, where that is bytes.
    uploads: list[str]
    #: Whether it takes an idempotency key.
    is_keyed: bool
    #: The success that it describes.
    status: int
    #: Every status that it describes.
    statuses: list[int]
    #: What it gives: `json`, `payload`, `bytes` or `nothing`.
    gives: str
    #: The schema of that, `payload` taken off.
    answer: dict[str, Any] | None
    #: Whether its success has an ETag.
    is_tagged: bool
    #: The field of an answer that has the records of a page, where there are pages.
    records: str | None
    #: The name of the schema of such a record, where it has one.
    record: str | None

    @property
    def is_safe(self) -> bool:
        """Whether doing it twice is as good as once. What needs no more than a scope to read changes nothing."""
        if self.path == TOKEN_PATH or self.method in ("get", "head", "options", "put", "delete"):
            return True
        return self.scope is not None and self.scope.endswith(".read")

    @property
    def words(self) -> list[str]:
        """Its name as words in small letters."""
        return re.sub(r"([A-Z])", r" \1", self.id).lower().split()

    @property
    def pascal(self) -> str:
        """Its name as a type's."""
        return self.id[0].upper() + self.id[1:]


def read(path: Path) -> dict[str, Any]:
    """The document of a file."""
    document: dict[str, Any] = json.loads(path.read_text())
    return document


def operations_of(document: dict[str, Any]) -> list[Operation]:
    """All operations, by their names."""
    found = [
        _operation(document, path, method, item)
        for path, methods in document["paths"].items()
        for method, item in methods.items()
        if method in METHODS
    ]
    names = [operation.id for operation in found]
    twice = {name for name in names if names.count(name) > 1}
    if twice:
        raise ValueError(f"operations with the same name: {twice}")
    return sorted(found, key=lambda operation: operation.id)


def resolve(document: dict[str, Any], schema: dict[str, Any]) -> dict[str, Any]:
    """A schema, or the one that it refers to."""
    while "$ref" in schema:
        schema = document["components"]["schemas"][schema["$ref"].rsplit("/", 1)[1]]
    return schema


def fields_of(document: dict[str, Any], schema: dict[str, Any]) -> dict[str, Any]:
    """The properties of an object, those of its parts among them."""
    schema = resolve(document, schema)
    fields = dict(schema.get("properties", {}))
    for part in schema.get("allOf", []):
        fields |= fields_of(document, part)
    return fields


def _operation(document: dict[str, Any], path: str, method: str, item: dict[str, Any]) -> Operation:
    parameters = item.get("parameters", [])
    content = item.get("requestBody", {}).get("content", {})
    as_json = content.get("application/json", {})
    statuses = [int(status) for status in item["responses"] if status.isdigit()]
    status = min(one for one in statuses if 200 <= one < 300)
    response = item["responses"][str(status)]
    gives, answer = _answer(response)
    headers = {name.lower() for name in response.get("headers", {})}
    query = [one for one in parameters if one["in"] == "query"]
    fields = fields_of(document, answer) if answer else {}
    lists = [name for name, schema in fields.items() if resolve(document, schema).get("type") == "array"]
    is_list = {"has_next", "end_cursor"} <= fields.keys() and any(one["name"] == "next" for one in query)
    records = lists[0] if is_list and len(lists) == 1 else None
    items = fields[records]["items"] if records else {}
    return Operation(
        id=item["operationId"],
        method=method,
        path=path,
        tag=item["tags"][0],
        summary=item["summary"],
        description=item["description"],
        is_deprecated=item.get("deprecated", False),
        scope=_scope(item),
        path_parameters=re.findall(r"\{(\w+)\}", path),
        query=query,
        body=as_json.get("schema"),
        example=as_json.get("example"),
        uploads=[] if as_json else sorted(content),
        is_keyed=any(one["name"].lower() == "idempotency-key" for one in parameters),
        status=status,
        statuses=sorted(statuses),
        gives=gives,
        answer=answer,
        is_tagged=method == "get" and "etag" in headers,
        records=records,
        record=items["$ref"].rsplit("/", 1)[1] if "$ref" in items else None,
    )


def _scope(item: dict[str, Any]) -> str | None:
    """The scope that an operation's token needs: it has one, or takes no token."""
    bearers = [scheme["bearer"] for scheme in item.get("security", []) if "bearer" in scheme]
    if not bearers:
        return None
    if len(bearers) > 1 or len(bearers[0]) != 1:
        raise ValueError(f"{item['operationId']}: a client asks for one scope, and cannot choose among {bearers}")
    scope: str = bearers[0][0]
    return scope


def _answer(response: dict[str, Any]) -> tuple[str, dict[str, Any] | None]:
    content = response.get("content", {})
    if not content:
        return "nothing", None
    if "application/json" not in content:
        return "bytes", None
    schema = content["application/json"]["schema"]
    if list(schema.get("properties", {})) == ["payload"]:
        return "payload", schema["properties"]["payload"]
    return "json", schema
