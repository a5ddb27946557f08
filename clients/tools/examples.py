"""The examples of the OpenAPI document: answers that the service gave in its tests, one for each status or code.

    examples.py ANSWERS DOCUMENT

ANSWERS has a request with its answer on each line, as `crates/covernote/tests/support/recorded.rs` writes them.
"""

import json
import re
import sys
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

from document import Operation, fields_of, operations_of, read

#: Letters of ids, in their order.
LETTERS = "0123456789abcdefghjkmnpqrstvwxyz"

#: An id with the kind before it.
ID = re.compile(r"\b([a-z]{3})_[0-9a-hjkmnp-tv-z]{26}\b")

#: Ids that the sample catalogue gives. They stay as they are.
OF_CATALOGUE = {
    match[0] for path in Path("catalogue").rglob("*.toml") for match in ID.finditer(path.read_text(encoding="utf-8"))
}

#: Tests that send the examples of the document one after the other. Their answers go with them.
WALK = "openapi::the_documents_examples_are_taken"

#: What is refused only if two requests come at the same moment, and what no test does.
RARE = {
    ("changeWebhookEndpoint", "S4090"): "The endpoint is being changed by another request. Try again.",
    ("rotateWebhookSecret", "S4090"): "The endpoint is being changed by another request. Try again.",
    ("withdrawClaim", "S4090"): "The policy is being changed by another request. Try again.",
    ("decideSandboxPolicy", "S4000"): "Invalid status transition from CANCELLED to CANCELLED.",
    ("decideSandboxProposal", "S4090"): "The proposal was imported. Its policy must be imported too.",
    ("tellReceipt", "S4090"): "A payment with this reference was already reported for other proposals or amounts. "
    "Nothing of this payment for pro_01m7vtyn95eqqt5tr0ktmrcfyz was recorded.",
}

#: The first id of a kind, as the examples of bodies have it. A quote's recommendations have the ids after its own.
FIRST = defaultdict(
    lambda: "01m7vtyn95eqqt5tr0ktmrcfyz", rec="01m7vtyn95eqqt5tr0ktmrcfz0", pol="01m5vvw3xreqg9aaa1afd2xg99"
)

#: What differs from run to run, and what stands there instead.
RANDOM: list[tuple[re.Pattern[str], Any]] = [
    (re.compile(r"http://127\.0\.0\.1:\d+"), "https://partner.example"),
    (re.compile(r"\beyJ[\w-]+\.[\w-]+\.[\w-]+"), "eyJhbGciOiJFZERTQSJ9.eyJzY29wZSI6ImJ1c2luZXNzIn0.c2lnbmF0dXJl"),
    (re.compile(r"\bwhsec_[\w+/=-]+"), "whsec_c2VjcmV0IG9mIHRoaXMgZW5kcG9pbnQuLi4uLi4="),
    (re.compile(r"\b(\w+-20\d\d)-\w{4}-\w{4}-\w{4}\b"), r"\1-7K2M-Q4TD-9XWA"),
    (re.compile(r"\b(01[0-9a-f]{14})[0-9a-f]{16}\b"), r"\g<1>a0b1c2d3e4f50617"),
    # Signed addresses and cursors.
    (re.compile(r"\b(A[\w-]{9})([\w-]{20,})"), lambda found: found[1] + ("0123456789abcdef" * 9)[: len(found[2])]),
]

#: Longest example, in characters. A longer one is taken only if there is no other, with two entries of each list.
LONGEST = 6000


#: Codes whose error is the same at most operations.
SAME = {"A4001", "V4130", "V4150", "V4220", "E5000", "E5030"}


def main() -> None:
    """Prints the examples as JSON. Fails if one is missing."""
    document = read(Path(sys.argv[2]))
    operations = operations_of(document)
    found = _answers(Path(sys.argv[1]), operations)
    plain = {one.id for one in operations if one.scope and not one.uploads}
    same = {code: _usual([_typical(found[name, code]) for name in plain]) for code in sorted(SAME)}
    examples: dict[str, Any] = {"everyOperation": same}
    missing = []
    for operation in operations:
        example = examples.setdefault(operation.id, {})
        given = found[operation.id, str(operation.status)]
        best = max(given, key=_rank, default=None)
        if operation.gives == "bytes":
            # Files come to tests in other ways, too; then another answer has an address.
            best = best or max(found[operation.id, "R4040"], key=_rank, default=None)
        elif best:
            example[str(operation.status)] = _cut(best["answer"])
        if best:
            example["parameters"] = best["parameters"]
        responses = document["paths"][operation.path][operation.method]["responses"].values()
        codes = [code for one in responses for code in re.findall(r"\b[A-Z]\d{4}\b", one["description"])]
        fields = fields_of(document, operation.body or {}).keys() | {one["name"] for one in operation.query}
        for code in codes:
            errors = found[operation.id, code]
            named = [one for one in errors if _faults_in(one, fields)] if code == "V4000" else errors
            error = _typical(named or errors)
            if error is None and (operation.id, code) in RARE:
                title = "Conflict" if code == "S4090" else "Invalid State"
                detail = RARE[operation.id, code]
                path = operation.path
                for name, value in example["parameters"].items():
                    path = path.replace(f"{{{name}}}", value)
                error = {"type": code, "title": title, "detail": detail, "instance": path}
            if error and not _is_same(error, same.get(code)):
                example[code] = error
            elif error is None and code not in SAME:
                missing.append(f"{operation.id} {code}")
        if not best:
            missing.append(f"{operation.id} {operation.status}")
    print(json.dumps(examples, ensure_ascii=False, indent=1, sort_keys=True))
    if missing:
        sys.exit("No test gets these answers:\n" + "\n".join(missing))


def _answers(path: Path, operations: list[Operation]) -> dict[tuple[str, str], list[dict[str, Any]]]:
    """The answers by operation, and by status or code."""
    routes = sorted((_route(one) for one in operations), key=lambda route: len(route[0].path_parameters))
    found: dict[tuple[str, str], list[dict[str, Any]]] = defaultdict(list)
    with path.open(encoding="utf-8") as lines:
        for line in map(json.loads, lines):
            for operation, pattern in routes:
                match = pattern.fullmatch(line["path"])
                if match and line["method"] == operation.method:
                    code = (line["answer"] or {}).get("type") if line["status"] >= 400 else line["status"]
                    found[operation.id, str(code)].append(_plain(line, match.groupdict(), operation))
                    break
    return found


def _is_same(error: dict[str, Any], other: dict[str, Any] | None) -> bool:
    return other is not None and error | {"instance": ""} == other | {"instance": ""}


def _route(operation: Operation) -> tuple[Operation, re.Pattern[str]]:
    part = ".+" if operation.path.endswith("{address}") else "[^/]+"
    return operation, re.compile(re.sub(r"\{(\w+)\}", lambda name: f"(?P<{name[1]}>{part})", operation.path))


def _plain(line: dict[str, Any], parameters: dict[str, str], operation: Operation) -> dict[str, Any]:
    """A request and its answer with stable ids. Ids of the request come first."""
    kept = {"parameters": parameters, "path": line["path"], "body": line["body"], "answer": line["answer"]}
    text = json.dumps(kept, ensure_ascii=False).replace(line["base"], "https://insurance.example")
    for pattern, instead in RANDOM:
        text = pattern.sub(instead, text)
    ids: dict[str, str] = {}
    counts: Counter[str] = Counter()
    for match in ID.finditer(text):
        kind = match[1]
        if match[0] not in ids and match[0] not in OF_CATALOGUE:
            ids[match[0]] = f"{kind}_{_after(FIRST[kind], counts[kind])}"
            counts[kind] += 1
    plain: dict[str, Any] = json.loads(ID.sub(lambda match: ids.get(match[0], match[0]), text))
    # Products with ids of their own are made up by a test; their names may be odd.
    is_sample = all(match[0] in OF_CATALOGUE for match in ID.finditer(text) if match[1] in ("ins", "vrt"))
    is_example = operation.example is not None and _without_ids(line["body"]) == _without_ids(operation.example)
    return plain | {"likeness": ((line["test"] or "").startswith(WALK), is_sample, is_example)}


def _after(first: str, count: int) -> str:
    """The id that comes so many ids after another one. Only its last three letters differ."""
    number = sum(LETTERS.index(letter) * 32**place for place, letter in enumerate(reversed(first[-3:]))) + count
    return first[:-3] + "".join(LETTERS[number >> shift & 31] for shift in (10, 5, 0))


def _without_ids(value: Any) -> str:
    return ID.sub("", json.dumps(value, sort_keys=True))


def _rank(one: dict[str, Any]) -> tuple[Any, ...]:
    """The best answer is to an example, about the sample catalogue, not too long, shows most fields, and is short."""
    text = json.dumps(one["answer"], sort_keys=True)
    are_ids = all(ID.fullmatch(value) for value in one["parameters"].values())
    is_short = one["likeness"][0] or len(text) <= LONGEST
    return *one["likeness"], are_ids, is_short, len(_fields(one["answer"])), -len(text), text


def _cut(answer: Any) -> Any:
    def cut(value: Any) -> Any:
        if isinstance(value, list):
            return [cut(one) for one in value[:2]]
        return {name: cut(one) for name, one in value.items()} if isinstance(value, dict) else value

    return answer if len(json.dumps(answer)) <= LONGEST else cut(answer)


def _fields(value: Any, path: str = "") -> set[str]:
    if isinstance(value, list):
        return {one for item in value for one in _fields(item, path)}
    if isinstance(value, dict):
        return {one for name, item in value.items() for one in _fields(item, f"{path}.{name}")}
    return {path} if value not in (None, "") else set()


def _typical(errors: list[dict[str, Any]]) -> dict[str, Any] | None:
    """The error that came most often, at a path with ids of the right form if there is one."""
    formed = [one for one in errors if all(ID.fullmatch(value) for value in one["parameters"].values())]
    texts = Counter(json.dumps(one["answer"], sort_keys=True) for one in formed or errors)
    best = max(texts, key=lambda text: (texts[text], -len(text), text), default="null")
    error: dict[str, Any] | None = json.loads(best)
    return error


def _usual(errors: list[dict[str, Any] | None]) -> dict[str, Any]:
    """The error of most operations."""
    texts = Counter(json.dumps(error | {"instance": ""}, sort_keys=True) for error in errors if error)
    usual: dict[str, Any] = json.loads(max(sorted(texts), key=lambda text: texts[text]))
    return usual


def _faults_in(error: dict[str, Any], fields: set[str]) -> bool:
    """Whether all faults are on fields that the operation has."""
    faults = error["answer"].get("additional_info", [])
    return bool(faults) and all(re.split(r"[.\[]", fault["field"])[0] in fields for fault in faults)


if __name__ == "__main__":
    main()
