"""Writes what is made of the OpenAPI document, but for what other generators write.

generate.py DOCUMENT types TARGET       the document that types are generated from
generate.py DOCUMENT clients FOLDER     methods of the clients below FOLDER, and the collections
"""

import json
import sys
from pathlib import Path

import bruno
import postman
import python_client
import typescript_client
from document import operations_of, read
from types_document import types_document


def main() -> None:
    document = read(Path(sys.argv[1]))
    target = Path(sys.argv[3])
    if sys.argv[2] == "types":
        target.write_text(json.dumps(types_document(document), indent=1, sort_keys=True) + "\n")
        return
    operations = operations_of(document)
    typescript, python = target / "typescript/src/generated", target / "python/src/covernote/generated"
    files = {
        typescript / "operations.ts": typescript_client.operations_module(operations),
        typescript / "events.ts": typescript_client.events_module(),
        python / "__init__.py": python_client.HEAD.format(purpose="What is generated for the client."),
        python / "operations.py": python_client.operations_module(operations),
        python / "events.py": python_client.events_module(),
        **{target / "postman" / name: text for name, text in postman.files(document, operations).items()},
        **{target / "bruno" / name: text for name, text in bruno.files(document, operations).items()},
    }
    for path, text in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


main()
