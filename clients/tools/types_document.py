"""The schemas of the document as types are generated from them.

Types are made for people who write a program, so they say less than the contract does in some places:

- What a token may do is a type of its own, `Scope`.
- A query is an object with its parameters as fields.
- An event is one of the types that the document has under `x-webhooks`, each with its own `data`.
"""

from typing import Any

from document import TOKEN_PATH, Operation, operations_of


def types_document(document: dict[str, Any]) -> dict[str, Any]:
    """A document of schemas alone."""
    schemas = dict(document["components"]["schemas"])

    def add(name: str, schema: dict[str, Any]) -> str:
        if name in schemas:
            raise ValueError(f"{name} means two schemas")
        schemas[name] = schema
        return name

    for operation in operations_of(document):
        if operation.query:
            add(query_name(operation), _query(operation))
        if operation.body and "$ref" not in operation.body:
            add(body_name(operation), operation.body)
        if operation.answer and "$ref" not in operation.answer:
            add(answer_name(operation), operation.answer)
        if operation.path == TOKEN_PATH:
            name = body_name(operation)
            schemas[name], scope = _scope_apart(schemas[name])
            add("Scope", scope)
    events = [add(name, schema) for name, schema in _events(document)]
    if events:
        one_of = [{"$ref": f"#/components/schemas/{name}"} for name in events]
        add("WebhookEvent", {"oneOf": one_of, "description": "An event, as a webhook delivers it."})
    info = {"title": document["info"]["title"], "version": document["info"]["version"]}
    return {"openapi": document["openapi"], "info": info, "paths": {}, "components": {"schemas": schemas}}


def query_name(operation: Operation) -> str:
    """What the type of an operation's query is called."""
    return f"{operation.pascal}Query"


def body_name(operation: Operation) -> str:
    """What the type of an operation's body is called."""
    return _named(operation.body) or f"{operation.pascal}Body"


def answer_name(operation: Operation) -> str:
    """What the type of an operation's answer is called."""
    return _named(operation.answer) or f"{operation.pascal}Answer"


def _scope_apart(body: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The body that asks for a token, and the schema of one of its scopes, to which it then refers."""
    scopes = body["properties"]["scopes"]
    apart = scopes | {"items": {"$ref": "#/components/schemas/Scope"}}
    return body | {"properties": body["properties"] | {"scopes": apart}}, scopes["items"]


def _named(schema: dict[str, Any] | None) -> str | None:
    return schema["$ref"].rsplit("/", 1)[1] if schema and "$ref" in schema else None


def _query(operation: Operation) -> dict[str, Any]:
    schema: dict[str, Any] = {
        "type": "object",
        "description": f"The query of {operation.id}.",
        "properties": {one["name"]: one["schema"] for one in operation.query},
    }
    required = [one["name"] for one in operation.query if one.get("required")]
    if required:
        schema["required"] = required
    return schema


def _events(document: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    """Each type of event as an object of its own."""
    event = document["components"]["schemas"].get("Event", {})
    found = []
    for word, item in document.get("x-webhooks", {}).items():
        operation = item["post"]
        name = operation["operationId"].removeprefix("on") + "Event"
        properties = event["properties"] | {"type": {"type": "string", "const": word}, "data": operation["x-data"]}
        description = f"{word}: {operation['description']}"
        found.append((name, event | {"properties": properties, "description": description}))
    return found
