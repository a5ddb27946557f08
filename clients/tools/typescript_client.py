"""The operations as methods in TypeScript."""

from document import TOKEN_PATH, Operation
from types_document import answer_name, body_name, query_name

HEAD = """\
// Made by scripts/clients from the OpenAPI document: do not edit.

"""


def operations_module(operations: list[Operation]) -> str:
    """`generated/operations.ts`."""
    names = sorted({name for operation in operations for name in _types(operation)})
    parts = [
        HEAD,
        'import type { Call, CallOptions, Download, Operation, Upload } from "../operation.js";\n',
        f'import type {{ {", ".join(names)} }} from "./schema.js";\n\n',
        *[_row(operation) for operation in operations],
        "\n/** Every operation of the document. */\n"
        f"export const OPERATIONS: readonly Operation[] = [{', '.join(_constant(one) for one in operations)}];\n\n",
        "/** A method for every operation. The client says how one is carried out. */\n",
        "export abstract class Operations {\n",
        "  protected abstract call(operation: Operation, call: Call): Promise<unknown>;\n\n",
        "  protected abstract records(\n    operation: Operation,\n    field: string,\n    call: Call,\n"
        "  ): AsyncGenerator<unknown, void, undefined>;\n",
        *["\n" + _method(operation) for operation in operations],
        "}\n",
    ]
    return "".join(parts)


def events_module() -> str:
    """`generated/events.ts`."""
    return HEAD + 'export type { WebhookEvent } from "./schema.js";\n'


def _constant(operation: Operation) -> str:
    return "TOKEN" if operation.path == TOKEN_PATH else "_".join(operation.words).upper()


def _row(operation: Operation) -> str:
    word = {True: "true", False: "false"}
    gives = "json" if operation.gives == "nothing" else operation.gives
    return (
        f"export const {_constant(operation)}: Operation = {{\n"
        f'  id: "{operation.id}",\n  method: "{operation.method.upper()}",\n  path: "{operation.path}",\n'
        f"  scope: {_scope(operation)},\n  keyed: {word[operation.is_keyed]},\n"
        f"  safe: {word[operation.is_safe]},\n  tagged: {word[operation.is_tagged]},\n"
        f'  gives: "{gives}",\n}};\n'
    )


def _scope(operation: Operation) -> str:
    return "undefined" if operation.scope is None else f'"{operation.scope}"'


def _types(operation: Operation) -> set[str]:
    used = set()
    if operation.body:
        used.add(body_name(operation))
    if operation.query:
        used.add(query_name(operation))
    if operation.answer:
        used.add(answer_name(operation))
    return used


def _method(operation: Operation) -> str:
    parameters = [f"{_camel(name)}: string" for name in operation.path_parameters]
    fields = []
    if operation.path_parameters:
        named = ", ".join(_field(name, _camel(name)) for name in operation.path_parameters)
        fields.append(f"path: {{ {named} }}")
    before_query = list(parameters)
    if operation.body:
        before_query.append(f"body: {body_name(operation)}")
        fields.append("body")
    elif operation.uploads:
        media_types = " | ".join(f'"{one}"' for one in operation.uploads)
        before_query.append(f"upload: Upload<{media_types}>")
        fields.append("upload")
    if operation.query:
        is_required = any(one.get("required") for one in operation.query)
        before_query.append(f"query: {query_name(operation)}{'' if is_required else ' = {}'}")
        fields.append("query: { ...query }")
    before_query.append("options?: CallOptions")
    fields.append("options")
    call = f"this.call({_constant(operation)}, {{ {', '.join(fields)} }})"
    given = {"bytes": "Download", "nothing": "void"}.get(operation.gives) or answer_name(operation)
    text = _comment(operation, operation.summary + ". " + operation.description)
    text += f"  async {operation.id}({', '.join(before_query)}): Promise<{given}> {{\n"
    text += f"    await {call};\n" if given == "void" else f"    return (await {call}) as {given};\n"
    text += "  }\n"
    if operation.records:
        name = "iterate" + operation.id.removeprefix("list")
        record = f'{given}["{operation.records}"][number]'
        text += "\n" + _comment(operation, f"The records of all pages of {operation.id}, fetched as they are needed.")
        text += f"  {name}({', '.join(before_query)}): AsyncGenerator<{record}, void, undefined> {{\n"
        given = f'{_constant(operation)}, "{operation.records}", {{ {", ".join(fields)} }}'
        text += f"    const records = this.records({given});\n"
        text += f"    return records as AsyncGenerator<{record}, void, undefined>;\n  }}\n"
    return text


def _comment(operation: Operation, sentence: str) -> str:
    deprecated = "   * @deprecated\n" if operation.is_deprecated else ""
    sentence = sentence.replace("*/", "* /")
    return f"  /**\n   * {sentence}\n   *\n   * `{operation.method.upper()} {operation.path}`\n{deprecated}   */\n"


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)


def _field(name: str, value: str) -> str:
    return name if name == value else f"{name}: {value}"
