#!/usr/bin/env python3
"""Runs the shell blocks of the documents and of the developer site, as a reader pastes them.

    run_docs.py PROGRAM            every page
    run_docs.py PROGRAM PAGE...    these pages, such as docs/demo.md
    run_docs.py --markdown …       reads the site's pages from their Markdown, so that the program need not be built again
    run_docs.py --show …           also prints the output of the commands
    run_docs.py --prove PROGRAM    runs the cases of run_docs_cases.md, which must pass or fail

Each page has its own folder and network. In it, a fresh `covernote serve --demo` listens on 127.0.0.1:8080, and a receiver
of events on port 3000. The demo has a console, as docs/demo.md starts it. Nothing outside can be reached. One bash runs the
blocks in the order of the page: a block has the variables of the blocks before it. Nothing in a block is replaced. Each
page begins on 20 November 2026, at ten in the morning in India, because the documents are about November 2026.

A block fails if a command fails, if a variable is not set, or if curl gets a status of 400 or above.

If "The commands continue [a page](page.md#section)" is before a block, the blocks of that page run first, up to the end of
that section, except those that have already run. The developer site's pages run as the demo serves them.

Words behind ```sh change how a block runs:

    elsewhere: REASON    the block does not run; the list at the end shows it with the reason
    refused              exactly one command must be refused: a status of 400 or above, or an exit code that is not 0
    stays                the command runs until its reader ends it; the blocks below run beside it
    postgres             COVERNOTE_DATABASE names a store on PostgreSQL, and PGHOST and PGUSER its server
    on=2026-12-01        from this block on, it is that day, at ten in the morning in India

It needs bash, cc, curl, jq, unshare, ip, and PostgreSQL's programs. scripts/test_docs calls it."""

import concurrent.futures
import contextlib
import datetime
import html.parser
import http.server
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parent.parent
SITE = ROOT / "crates/docsite/pages"
DEMO = "http://127.0.0.1:8080"
RECEIVER = 3000
# The console of operators, as docs/demo.md starts it.
CONSOLE = "127.0.0.1:8099"

# Longest time of a page, in seconds.
PATIENCE = 120
# Number of pages that run at once.
AT_ONCE = 2

# The day on which a page begins.
FIRST_DAY = "2026-11-20"

WORDS = {"refused", "stays", "postgres"}
OTHER_SHELLS = {"bash", "shell", "console", "zsh", "shell-session"}


class Fault(Exception):
    """Fault of a page."""


class Block:
    """Shell block: its page and line, section, words, text, and the link to the page that it continues."""

    def __init__(self, page, line, section, words, text, continues):
        self.page, self.line, self.section, self.text, self.continues = page, line, section, text, continues
        kind, _, reason = words.partition(":")
        self.words = set(kind.split())
        days = {word for word in self.words if re.fullmatch(r"on=\d{4}-\d\d-\d\d", word)}
        self.words -= days
        self.day = days.pop().removeprefix("on=") if days else None
        self.elsewhere = reason.strip() if "elsewhere" in self.words else None
        if self.elsewhere is not None and (self.words != {"elsewhere"} or not self.elsewhere):
            raise Fault(f"{self.place}: write `sh elsewhere: REASON`")
        if self.elsewhere is None and (reason or self.words - WORDS):
            raise Fault(f"{self.place}: `{words}` is not known: see scripts/run_docs.py")

    @property
    def place(self):
        return f"{name_of(self.page)}:{self.line}"


def name_of(page):
    return page.relative_to(ROOT) if page.is_relative_to(ROOT) else page.name


def anchor(heading):
    """The anchor of a heading, as on the site."""
    return re.sub(r"[^\w-]", "", heading.strip().lower().replace(" ", "-"))


def blocks_of(page):
    """Shell blocks of a page, in order. A block in a list loses its indent."""
    found, fence, section, words_between = [], None, "", []
    for number, line in enumerate(page.read_text().splitlines(), 1):
        marked = re.match(r"( *)```(.*)$", line)
        if fence is None and marked:
            language, _, words = marked[2].partition(" ")
            if language != "sh" and language.lower() in OTHER_SHELLS | {"sh"}:
                raise Fault(f"{name_of(page)}:{number}: write `sh`, so that the block runs")
            fence = (number, language, words, len(marked[1]), [])
        elif fence and marked and not marked[2]:
            if fence[1] == "sh":
                between, text = "\n".join(words_between), "\n".join(fence[4]) + "\n"
                said = re.search(r"The commands continue\s+\[[^]]*\]\(([^)]+)\)", between)
                if not said and "The commands continue" in between:
                    raise Fault(f"{name_of(page)}:{fence[0]}: 'The commands continue' needs a link behind it")
                found.append(Block(page, fence[0], section, fence[2], text, said and said[1]))
                words_between = []
            fence = None
        elif fence:
            fence[4].append(line[fence[3]:] if not line[:fence[3]].strip() else line)
        else:
            words_between.append(line)
            if line.startswith("#"):
                section = anchor(line.lstrip("#"))
    if fence:
        raise Fault(f"{name_of(page)}:{fence[0]}: the block has no end")
    return found


def with_continued(blocks, before=()):
    """The blocks, each after the blocks that it continues. No block is repeated."""
    found = list(before)
    for block in blocks:
        if block.continues:
            name, _, section = block.continues.partition("#")
            others = blocks_of((block.page.parent / name).resolve())
            if section:
                inside = [index for index, other in enumerate(others) if other.section == section]
                if not inside:
                    raise Fault(f"{block.place}: {name} has no shell block below #{section}")
                others = others[:inside[-1] + 1]
            found = with_continued(others, found)
        if block.place not in {other.place for other in found}:
            found.append(block)
    return found


def seconds_until(day):
    """Seconds from now to ten in the morning of a day in India."""
    at = datetime.datetime.fromisoformat(f"{day}T10:00:00+05:30")
    return f"{int(at.timestamp() - time.time()):+012d}"


class Served(html.parser.HTMLParser):
    """Shell blocks of a page in HTML."""

    def __init__(self, page):
        super().__init__()
        self.found, self.inside = [], False
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        if tag == "code" and dict(attributes).get("class") == "language-sh":
            self.inside = True
            self.found.append("")

    def handle_endtag(self, tag):
        self.inside = self.inside and tag != "code"

    def handle_data(self, data):
        if self.inside:
            self.found[-1] += data


def as_served(blocks, from_markdown):
    """Gives the blocks of the site's pages the text that the demo serves for them."""
    served = {}
    for block in blocks:
        if not block.page.is_relative_to(SITE):
            continue
        if from_markdown:
            block.text = block.text.replace("{base_url}", DEMO)
            continue
        if block.page not in served:
            name = str(block.page.relative_to(SITE).with_suffix(""))
            address = f"{DEMO}/docs" if name == "index" else f"{DEMO}/docs/{name}"
            with urllib.request.urlopen(address, timeout=PATIENCE) as answer:
                texts = Served(answer.read().decode()).found
            lines = [other.line for other in blocks_of(block.page)]
            if len(texts) != len(lines):
                raise Fault(f"{address} has {len(texts)} shell blocks, but its Markdown has {len(lines)}: build the program again")
            served[block.page] = dict(zip(lines, texts))
        block.text = served[block.page][block.line]


class Receiver(http.server.BaseHTTPRequestHandler):
    """Accepts every event."""

    def do_POST(self):
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_):
        pass


# Wrapper of a command that notes failures in a file, so that one behind && or in $(…) is noticed, too. With DOCS_REFUSED,
# it still ends with 0.
NOTED = """#!/bin/bash
{command}
[ $code -eq 0 ] || [ $code -eq 130 ] || printf '%s ended with %s: %s\\n' {name} $code "$*" >>"$DOCS_NOTES"
[ -z "${{DOCS_REFUSED:-}}" ] || exit 0
exit $code
"""

# The same shell sources each block, so that the next block has its variables.
SESSION = r"""
set -Eeuo pipefail
trap 'printf "%s\n" "line $LINENO: $BASH_COMMAND" >>"$DOCS_FAILED"' ERR
for docs_block in "$@"; do
    printf '%s\n' "$docs_block" >"$DOCS_AT"
    # Overwrites the file without emptying it first, because other processes read it.
    [ ! -e "$docs_block.day" ] || cat "$docs_block.day" 1<>"$MOVED_CLOCK"
    printf '\n--- %s\n' "$docs_block"
    case $docs_block in *.postgres*) export COVERNOTE_DATABASE=$DOCS_DATABASE ;; *) unset COVERNOTE_DATABASE ;; esac
    case $docs_block in *.refused*) export DOCS_REFUSED=1 ;; *) unset DOCS_REFUSED ;; esac
    if [[ $docs_block == *.stays* ]]; then
        # In its own process group, so that Ctrl-C also reaches the processes that it started.
        set -m
        ( set +m; trap - ERR; . "$docs_block" ) >"$docs_block.said" 2>&1 &
        set +m
        printf '%s\n' "$!" >"$docs_block.pid"
        for docs_wait in $(seq 600); do
            [ ! -s "$docs_block.said" ] || break
            sleep 0.1
        done
        [ -s "$docs_block.said" ] || { echo "The command prints nothing." >&2; exit 1; }
        continue
    fi
    : >"$DOCS_NOTES"
    . "$docs_block"
    if [[ $docs_block == *.refused* ]]; then
        docs_refused=$(grep -c ' ended with ' "$DOCS_NOTES" || true)
        [ "$docs_refused" -eq 1 ] || { echo "$docs_refused commands were refused instead of one." >&2; exit 1; }
    elif [ -s "$DOCS_NOTES" ]; then
        cat "$DOCS_NOTES" >&2
        exit 1
    fi
done
echo end >"$DOCS_AT"
"""


def script(path, text):
    path.write_text(text)
    path.chmod(0o755)


def wait_for(process, log):
    """Waits until the demo is ready."""
    end = time.monotonic() + 60
    while time.monotonic() < end and process.poll() is None:
        with contextlib.suppress(OSError), urllib.request.urlopen(f"{DEMO}/readyz", timeout=1):
            return
        time.sleep(0.05)
    raise Fault(f"the demo does not start: {log.read_text()[-2000:]}")


@contextlib.contextmanager
def postgres():
    """Runs a PostgreSQL server that only listens on a socket. If this is root, it runs as `postgres`, since it refuses root."""
    programs = sorted(pathlib.Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: float(path.parent.name))
    if not programs:
        raise Fault("PostgreSQL is missing: install the package postgresql")
    with tempfile.TemporaryDirectory(prefix="docs-") as home:
        mine = []
        if os.getuid() == 0:
            mine = ["runuser", "-u", "postgres", "--"]
            shutil.chown(home, "postgres")
        # Commands of another user must reach the socket.
        os.chmod(home, 0o755)

        def run(name, *arguments):
            # Without pipes, because the server would keep them open.
            with tempfile.TemporaryFile("w+") as said:
                if subprocess.run([*mine, programs[-1] / name, *arguments], cwd=home, stdout=said, stderr=said).returncode:
                    said.seek(0)
                    raise Fault(f"{name}: {said.read()}")

        run("initdb", "--pgdata", f"{home}/data", "--auth", "trust", "--username", "covernote", "--no-sync")
        run("pg_ctl", "--pgdata", f"{home}/data", "--log", f"{home}/log", "--wait", "--options",
            f"-c listen_addresses='' -c unix_socket_directories='{home}'", "start")
        try:
            run("createdb", "--host", home, "--username", "covernote", "covernote")
            yield {"PGHOST": home, "PGUSER": "covernote", "DOCS_DATABASE": f"postgres://covernote@/covernote?host={home}"}
        finally:
            run("pg_ctl", "--pgdata", f"{home}/data", "--mode", "immediate", "stop")


def environments(folder, program):
    """Environments of the programs, and of the shell, whose curl and covernote note refusals."""
    library, clock, tools = folder / "clock.so", folder / "clock", folder / "tools"
    source = ROOT / "crates/covernote/tests/support/clock.c"
    subprocess.run(["cc", "-O1", "-shared", "-fPIC", "-o", library, source, "-ldl"], check=True)
    clock.write_text(seconds_until(FIRST_DAY))
    tools.mkdir()
    # The body of a refusal is noted, too, because the block may have put it into a variable.
    curl = (f'body=$(mktemp)\n{shutil.which("curl")} --fail-with-body "$@" | tee "$body"\ncode=${{PIPESTATUS[0]}}\n'
            '[ "$code" -eq 0 ] || { head -c 2000 "$body"; echo; } >>"$DOCS_NOTES"\nrm "$body"')
    script(tools / "curl", NOTED.format(command=curl, name="curl"))
    script(tools / "covernote", NOTED.format(command=f'code=0\n{program} "$@" || code=$?', name="covernote"))

    alone = {name: value for name, value in os.environ.items() if not name.startswith(("COVERNOTE_", "PG"))}
    alone |= {"LD_PRELOAD": str(library), "MOVED_CLOCK": str(clock)}
    shell = alone | {
        "PATH": f"{tools}:{alone['PATH']}", "HOME": str(folder / "here"), "DOCS_NOTES": f"{folder}/notes",
        "DOCS_FAILED": f"{folder}/failed", "DOCS_AT": f"{folder}/at"}
    if "DOCS_DATABASE" in os.environ:
        shell |= {name: os.environ[name] for name in ("PGHOST", "PGUSER")}
    return alone, shell


def make_store(program, here, alone):
    """Creates the store on PostgreSQL, with a partner."""
    made = subprocess.run([program, "partner", "create", "Another Lender"], cwd=here, capture_output=True, text=True,
                          env=alone | {"COVERNOTE_DATABASE": alone["DOCS_DATABASE"]})
    if made.returncode:
        raise Fault(f"the store on PostgreSQL could not be created: {made.stdout}{made.stderr}")


@contextlib.contextmanager
def demo_in(here, program, alone):
    """Runs a demo and a receiver of events."""
    receiver = http.server.ThreadingHTTPServer(("127.0.0.1", RECEIVER), Receiver)
    threading.Thread(target=receiver.serve_forever, daemon=True).start()
    log = here.parent / "demo.log"
    with log.open("w") as out:
        demo = subprocess.Popen([program, "serve", "--demo", "--empty"], cwd=here, stdout=out, stderr=out,
                                env=alone | {"COVERNOTE_CONSOLE_LISTEN": CONSOLE})
    try:
        wait_for(demo, log)
        yield
    finally:
        demo.terminate()
        demo.wait()


def written(folder, blocks):
    """Writes each block that is to run into a file with its words in the name. Returns the blocks by file."""
    folder.mkdir()
    files = {}
    for number, block in enumerate(blocks):
        if block.elsewhere is None:
            path = folder / ".".join([f"{number:03}", *sorted(block.words)])
            path.write_text(block.text)
            if block.day:
                pathlib.Path(f"{path}.day").write_text(seconds_until(block.day))
            files[str(path)] = block
    return files


def run_page(program, page, from_markdown):
    """Runs a page in this process's network. Returns how many of its blocks ran, which did not run, and the output."""
    mine = blocks_of(page)
    todo = with_continued(mine)
    elsewhere = [(block.place, block.elsewhere) for block in mine if block.elsewhere is not None]
    if len(elsewhere) == len(mine):
        return {"ran": 0, "elsewhere": elsewhere, "said": ""}
    with tempfile.TemporaryDirectory(prefix="docs-") as folder:
        folder = pathlib.Path(folder)
        here = folder / "here"
        here.mkdir()
        alone, environment = environments(folder, program)
        if "DOCS_DATABASE" in os.environ:
            make_store(program, here, alone)
        with demo_in(here, program, alone):
            as_served(todo, from_markdown)
            files = written(folder / "blocks", todo)
            said = run_files(folder, files, environment)
    return {"ran": len(mine) - len(elsewhere), "elsewhere": elsewhere, "said": said}


def run_files(folder, files, environment):
    """Runs the blocks in one shell. Returns their output."""
    output = folder / "output"
    with output.open("w") as out:
        shell = subprocess.Popen(["bash", "-c", SESSION, "docs", *files], cwd=folder / "here", env=environment, stdout=out,
                                 stderr=out, stdin=subprocess.DEVNULL, start_new_session=True)
    try:
        code = shell.wait(PATIENCE)
    except subprocess.TimeoutExpired:
        os.killpg(shell.pid, signal.SIGKILL)
        code = f"not finished within {PATIENCE} s"
    troubles = end_those_that_stay(files)
    said = output.read_text(errors="replace")
    for path, block in files.items():
        if "stays" in block.words and pathlib.Path(f"{path}.said").exists():
            said += f"\n--- {path}, output of the command that stays\n" + pathlib.Path(f"{path}.said").read_text(errors="replace")
    for path, block in files.items():
        said = said.replace(path, block.place)
    at = (folder / "at").read_text().strip() if (folder / "at").exists() else "the first block"
    if code != 0 or at != "end":
        place = files[at].place if at in files else at
        failed = "".join((folder / name).read_text() for name in ("failed", "notes") if (folder / name).exists())
        troubles.append(f"{place}: the block fails ({code})\n{failed}{tail(said, 4000)}")
    if troubles:
        raise Fault("\n".join(troubles))
    return said


def end_those_that_stay(paths):
    """Ends the commands that stay with Ctrl-C. Returns faults, such as a command that had already ended."""
    troubles = []
    for path, block in paths.items():
        pid = pathlib.Path(f"{path}.pid")
        if not pid.exists():
            continue
        group = int(pid.read_text())
        try:
            os.killpg(group, signal.SIGINT)
        except ProcessLookupError:
            said = pathlib.Path(f"{path}.said").read_text()
            troubles.append(f"{block.place}: the command ended too early\n{tail(said, 2000)}")
            continue
        end = time.monotonic() + 20
        while time.monotonic() < end:
            try:
                os.killpg(group, 0)
            except ProcessLookupError:
                break
            time.sleep(0.05)
        else:
            os.killpg(group, signal.SIGKILL)
            troubles.append(f"{block.place}: the command does not end with Ctrl-C")
    return troubles


def tail(text, most):
    return text if len(text) <= most else "…" + text[-most:]


def run_alone(program, page, *flags):
    """Runs a page in its own network. PostgreSQL runs outside it: in a namespace it would have no user but root."""
    mapped = [] if os.getuid() == 0 else ["--map-root-user"]
    command = 'ip link set lo up && exec "$0" "$@"'
    started = time.monotonic()
    with contextlib.ExitStack() as stack:
        try:
            needs_postgres = any("postgres" in block.words for block in with_continued(blocks_of(page)))
            settings = stack.enter_context(postgres()) if needs_postgres else {}
        except Fault as fault:
            return page, time.monotonic() - started, {"fault": str(fault)}
        done = subprocess.run(
            ["unshare", "--net", *mapped, "bash", "-c", command, sys.executable, __file__, "--inside", program, str(page),
             *flags],
            capture_output=True, text=True, env=os.environ | settings)
    took = time.monotonic() - started
    try:
        return page, took, json.loads(done.stdout)
    except ValueError:
        return page, took, {"fault": done.stdout + done.stderr}


def prove(program):
    """Runs the pages that must pass or fail. Exits with 1 if one does not."""
    text = pathlib.Path(__file__).with_name("run_docs_cases.md").read_text()
    _, *cases = re.split(r"^## ", text, flags=re.MULTILINE)
    with tempfile.TemporaryDirectory(prefix="docs-") as folder:
        pages = []
        for number, case in enumerate(cases):
            pages.append(pathlib.Path(folder) / f"case-{number}.md")
            pages[-1].write_text("# " + case)
        with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
            results = list(pool.map(lambda page: run_alone(program, page), pages))
    wrong = 0
    for case, (_, _, result) in zip(cases, results, strict=True):
        wanted = re.match(r"(?:passes|fails with `(.*)`)$", case.partition("\n")[0])
        fault = result.get("fault")
        if not wanted or (wanted[1] not in (fault or "") if wanted[1] else fault):
            wrong += 1
            print(f"## {case}result: {fault or 'passed'}")
    if wrong or not cases:
        sys.exit(f"scripts/run_docs.py: {wrong} of {len(cases)} cases have another result than expected")
    print(f"{len(cases)} cases pass or fail as expected")


def main():
    flags = [argument for argument in sys.argv[1:] if argument in ("--markdown", "--show", "--prove")]
    arguments = [argument for argument in sys.argv[1:] if argument not in flags]
    if not arguments:
        sys.exit(__doc__)
    if arguments[0] == "--inside":
        try:
            print(json.dumps(run_page(arguments[1], pathlib.Path(arguments[2]), "--markdown" in flags)))
        except Fault as fault:
            print(json.dumps({"fault": str(fault)}))
        return

    program = str(pathlib.Path(arguments[0]).resolve())
    if "--prove" in flags:
        prove(program)
        return
    chosen = [(ROOT / name).resolve() for name in arguments[1:]]
    pages = chosen or sorted([*(ROOT / "docs").glob("*.md"), *SITE.glob("**/*.md")])
    try:
        pages = [page for page in pages if blocks_of(page)]
    except Fault as fault:
        sys.exit(f"scripts/run_docs.py: {fault}")
    ran, elsewhere, faults = 0, [], []
    with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
        for page, took, result in pool.map(lambda page: run_alone(program, page, *flags), pages):
            name = page.relative_to(ROOT)
            if "fault" in result:
                faults.append(result["fault"])
                print(f"FAILED {name}\n{result['fault']}", flush=True)
                continue
            ran += result["ran"]
            elsewhere += result["elsewhere"]
            if "--show" in flags:
                print(result["said"])
            print(f"{took:5.1f} s  {result['ran']:3} blocks  {name}", flush=True)
    if elsewhere:
        print(f"\n{len(elsewhere)} blocks do not run here:")
        for place, reason in elsewhere:
            print(f"- {place}: {reason}")
    print(f"\n{ran} blocks of {len(pages)} pages ran", flush=True)
    if faults:
        sys.exit(f"scripts/run_docs.py: {len(faults)} of {len(pages)} pages fail")
    if not ran:
        sys.exit("scripts/run_docs.py: no block ran")


if __name__ == "__main__":
    main()
