"""Every operation of the document is reachable. CLIENTS_DOCUMENT names the document: scripts/test_clients makes it."""

import json
import os
import re
import unittest
from pathlib import Path

from covernote import Covernote
from covernote.generated.operations import OPERATIONS


class EveryOperation(unittest.TestCase):
    def test_every_operation_of_the_document_has_its_method(self) -> None:
        document = json.loads(Path(os.environ["CLIENTS_DOCUMENT"]).read_text())
        described = {
            (item["operationId"], method.upper(), path)
            for path, methods in document["paths"].items()
            for method, item in methods.items()
        }
        self.assertGreater(len(described), 50)
        self.assertEqual({(one.id, one.method, one.path) for one in OPERATIONS}, described)
        for operation, _, _ in described:
            name = re.sub(r"([A-Z])", r"_\1", operation).lower()
            self.assertTrue(callable(getattr(Covernote, name, None)), name)
