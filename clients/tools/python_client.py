"""The operations as methods in Python."""

import re

from document import TOKEN_PATH, Operation
from types_document import answer_name, body_name, query_name

HEAD = '"""{purpose} Made by scripts/clients from the OpenAPI document: do not edit."""\n\n'


def operations_module(operations: list[Operation]) -> str:
    """`generated/operations.py`."""
    names = sorted({name for operation in operations for name in _types(operation)})
    parts = [
        HEAD.format(purpose="The operations of the service as methods."),
        "from collections.abc import Iterator, Mapping\n",
        "from typing import Any, Literal, Unpack, cast\n\n",
        "from ..operation import CallOptions, Download, Operation, Upload\n",
        "from .models import (\n",
        *[f"    {name},\n" for name in names],
        ")\n\n",
        *[_row(operation) for operation in operations],
        "\n#: Every operation of the document.\n",
        "OPERATIONS = (\n",
        *[f"    {_constant(operation)},\n" for operation in operations],
        ")\n\n\n",
        "class Operations:\n",
        '    """A method for every operation. The client says how one is carried out."""\n\n',
        "    _TOKEN = TOKEN\n\n",
        "    def _call(\n        self,\n        operation: Operation,\n        *,\n"
        "        path: Mapping[str, str] = {},\n"
        "        query: Mapping[str, Any] = {},\n        body: object = None,\n"
        "        options: CallOptions | None = None,\n    ) -> Any:\n        raise NotImplementedError\n\n",
        "    def _records(\n        self,\n        operation: Operation,\n        field: str,\n        *,\n"
        "        path: Mapping[str, str] = {},\n        query: Mapping[str, Any] = {},\n"
        "        options: CallOptions | None = None,\n    ) -> Iterator[Any]:\n        raise NotImplementedError\n",
        *["\n" + _method(operation) for operation in operations],
    ]
    return "".join(parts)


def events_module() -> str:
    """`generated/events.py`."""
    head = HEAD.format(purpose="An event, as a webhook delivers it.")
    return head + 'from .models import WebhookEvent\n\n__all__ = ["WebhookEvent"]\n'


def method_name(operation: Operation) -> str:
    """What the method of an operation is called."""
    return "_".join(operation.words)


def _constant(operation: Operation) -> str:
    return "TOKEN" if operation.path == TOKEN_PATH else "_".join(operation.words).upper()


def _row(operation: Operation) -> str:
    gives = "json" if operation.gives == "nothing" else operation.gives
    return (
        f"{_constant(operation)} = Operation(\n"
        f'    id="{operation.id}",\n    method="{operation.method.upper()}",\n    path="{operation.path}",\n'
        f"    scope={_scope(operation)},\n    keyed={operation.is_keyed},\n    safe={operation.is_safe},\n"
        f'    tagged={operation.is_tagged},\n    gives="{gives}",\n)\n'
    )


def _scope(operation: Operation) -> str:
    return "None" if operation.scope is None else f'"{operation.scope}"'


def _types(operation: Operation) -> set[str]:
    used = set()
    if operation.body:
        used.add(body_name(operation))
    if operation.query:
        used.add(query_name(operation))
    if operation.answer:
        used.add(answer_name(operation))
    if operation.record:
        used.add(operation.record)
    return used


def _method(operation: Operation) -> str:
    parameters = ["self", *[f"{name}: str" for name in operation.path_parameters]]
    fields = []
    if operation.path_parameters:
        named = ", ".join(f'"{name}": {name}' for name in operation.path_parameters)
        fields.append(f"path={{{named}}}")
    if operation.body:
        parameters.append(f"body: {body_name(operation)}")
        fields.append("body=body")
    elif operation.uploads:
        media_types = ", ".join(f'"{one}"' for one in operation.uploads)
        parameters += ["content: bytes", f"media_type: Literal[{media_types}]"]
        fields.append("body=Upload(content, media_type)")
    parameters.append("options: CallOptions | None = None")
    if operation.query:
        parameters.append(f"**query: Unpack[{query_name(operation)}]")
        fields.append("query=cast(dict[str, Any], query)")
    fields.append("options=options")
    given = {"bytes": "Download", "nothing": "None"}.get(operation.gives) or answer_name(operation)
    text = f"    def {method_name(operation)}({_in_lines(parameters)}) -> {given}:\n"
    text += _docstring(operation, operation.summary + ". " + operation.description)
    call = f"self._call({_in_lines([_constant(operation), *fields], 8)})"
    text += f"        {call}\n" if given == "None" else f"        return cast({given}, {call})\n"
    if operation.records:
        name = "iterate_" + method_name(operation).removeprefix("list_")
        text += f"\n    def {name}({_in_lines(parameters)}) -> Iterator[{operation.record or 'Any'}]:\n"
        text += _docstring(
            operation, f"The records of all pages of {method_name(operation)}, fetched as they are needed."
        )
        fields = [_constant(operation), f'"{operation.records}"', *fields]
        text += f"        return self._records({_in_lines(fields, 8)})\n"
    return text


def _in_lines(parts: list[str], indent: int = 4) -> str:
    one_line = ", ".join(parts)
    if len(one_line) <= 70:
        return one_line
    space = " " * (indent + 4)
    return "\n" + "".join(f"{space}{part},\n" for part in parts) + " " * indent


def _docstring(operation: Operation, sentence: str) -> str:
    deprecated = "\n        .. deprecated::\n" if operation.is_deprecated else ""
    sentence = re.sub(r"`([^`]*)`", r"``\1``", sentence)
    return (
        f'        """{sentence}\n\n        ``{operation.method.upper()} {operation.path}``\n{deprecated}        """\n'
    )
