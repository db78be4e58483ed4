"""One run as a process: what reaches standard output, what the exit status is, whatever the function does."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Callable

import pytest

from krmfn import ConfigError, KubeObject, ObjectError, ResourceList, run
from krmfn.testing import item_texts, read_twice

Run = Callable[..., "subprocess.CompletedProcess[bytes]"]

HEAD = "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\n"
ITEM = """\
- apiVersion: apps/v1
  kind: Deployment
  metadata:
    name: web
    namespace: shop
    annotations:
      config.kubernetes.io/path: web.yaml
      internal.config.kubernetes.io/path: web.yaml
  spec:
    replicas: 012 # octal
"""
CONFIG = "functionConfig:\n  apiVersion: x/v1\n  kind: Config\n  metadata:\n    name: config\n  spec:\n    zone: a\n"
LIST = HEAD + "items:\n" + ITEM + CONFIG
DOCUMENT = "apiVersion: v1\nkind: A\nmetadata:\n  name: a\n"

START = (
    "import os, subprocess, sys\nfrom krmfn import *\n\n\ndef function(resources):\n    '''What it does.'''\n"
)
END = "\n\nas_main(function, name='fn')\n"


def program(*lines: str) -> str:
    """Return a function's whole program with ``lines`` as its body."""
    return START + "".join(f"    {line}\n" for line in lines) + END


SET = "[obj.set_annotation('seen', 'yes') for obj in resources]"


# ------------------------------------------------------------------------------------------------ in one process


def test_results_are_written() -> None:
    """A result has severity, message, reference, field and file, as the functions spec says; the items are unchanged."""

    def function(resources: ResourceList) -> None:
        resources.results.info("looked", resources.items[0], "spec.replicas")
        resources.results.warning("mind")

    outcome = run(function, LIST, name="fn")
    assert outcome.code == 0
    assert outcome.stdout.startswith(LIST)
    for data in (*read_twice(outcome.stdout)[0], *read_twice(outcome.stdout)[1]):
        assert data["results"] == [
            {
                "message": "looked",
                "severity": "info",
                "resourceRef": {
                    "apiVersion": "apps/v1",
                    "kind": "Deployment",
                    "name": "web",
                    "namespace": "shop",
                },
                "field": {"path": "spec.replicas"},
                "file": {"path": "web.yaml"},
            },
            {"message": "mind", "severity": "warning"},
        ]
    assert outcome.stderr.splitlines() == [
        "fn: warning: mind",
        "fn: Deployment shop/web (web.yaml, item 0): spec.replicas: looked",
    ]


def test_an_error_result_fails_the_run() -> None:
    """A reported error: exit status 1, the untouched list with the results, the point first on standard error."""

    def function(resources: ResourceList) -> None:
        resources.items[0].set_nested("spec", "replicas", 5)
        resources.results.info("did something", resources.items[0])
        resources.results.warning("mind")
        resources.append(KubeObject("- apiVersion: v1\n  kind: New\n  metadata:\n    name: new\n"))
        resources.results.error("cannot", resources.items[0], "spec")

    outcome = run(function, LIST, name="fn")
    assert outcome.code == 1
    assert item_texts(outcome.stdout) == [ITEM]
    assert outcome.stdout.startswith(LIST)
    # Infos speak of what did not happen.
    assert [each["severity"] for each in read_twice(outcome.stdout)[0][0]["results"]] == ["warning", "error"]
    assert outcome.stderr.splitlines()[0] == "fn: Deployment shop/web (web.yaml, item 0): spec: cannot"


@pytest.mark.parametrize(
    ("error", "line"),
    [
        (ObjectError("is wrong", field="spec.x"), "fn: spec.x: is wrong"),
        (ConfigError([("spec.a", "one"), ("spec.b", "two")]), "fn: Config config: spec.a: one"),
        (ZeroDivisionError("division by zero"), "fn: unexpected ZeroDivisionError: division by zero at "),
        (RecursionError("too deep"), "fn: unexpected RecursionError: too deep at "),
        (MemoryError(), "fn: unexpected MemoryError:  at "),
        (KeyError("x"), "fn: unexpected KeyError: 'x' at "),
    ],
)
def test_an_exception_fails_the_run(error: Exception, line: str) -> None:
    """Whatever a function raises: one line, no traceback, the untouched list."""

    def function(resources: ResourceList) -> None:
        resources.items.clear()
        raise error

    outcome = run(function, LIST, name="fn")
    assert outcome.code == 1
    assert outcome.stderr.splitlines()[0].startswith(line)
    assert "Traceback" not in outcome.stderr
    assert outcome.stdout.startswith(LIST)
    assert item_texts(outcome.stdout) == [ITEM]


def test_all_findings_of_a_config_are_reported() -> None:
    """A ConfigError with several findings is as many lines and results."""

    def function(_resources: ResourceList) -> None:
        raise ConfigError([("spec.a", "one"), ("spec.b", "two"), ("", "three")])

    outcome = run(function, LIST, name="fn")
    assert [line.rpartition(": ")[2] for line in outcome.stderr.splitlines()] == ["one", "two", "three"]
    assert len(read_twice(outcome.stdout)[0][0]["results"]) == 3


def test_object_error_from_an_edit() -> None:
    """An edit that raises in the middle of a function leaves nothing half done."""

    def function(resources: ResourceList) -> None:
        resources.items[0].set_nested("spec", "replicas", 5)
        resources.items[0].nested_string("spec", "replicas")

    outcome = run(function, LIST, name="fn")
    assert (outcome.code, item_texts(outcome.stdout)) == (1, [ITEM])
    assert "spec.replicas: must be a string, got 5" in outcome.stderr


def test_results_of_a_json_list() -> None:
    """JSON in gives JSON out, results included; an error too."""
    text = '{"apiVersion": "config.kubernetes.io/v1", "kind": "ResourceList", "items": []}\n'
    for severity, code in (("info", 0), ("error", 1)):

        def function(resources: ResourceList, severity: str = severity) -> None:
            getattr(resources.results, severity)("said")

        outcome = run(function, text)
        assert outcome.code == code
        assert json.loads(outcome.stdout)["results"] == [{"message": "said", "severity": severity}]


def test_results_join_those_that_came() -> None:
    """Results of an earlier function stay, and the same result is not there twice."""
    earlier = "results:\n- message: earlier\n  severity: info\n"
    outcome = run(lambda resources: resources.results.info("mine"), LIST + earlier)
    results = read_twice(outcome.stdout)[0][0]["results"]
    assert [each["message"] for each in results] == ["earlier", "mine"]
    again = run(lambda resources: resources.results.info("mine"), outcome.stdout)
    assert again.stdout == outcome.stdout


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("ending", ["", "\n"])
def test_results_follow_the_style_of_the_list(newline: str, ending: str) -> None:
    """Results in a list with CRLF, or without a newline at its end, leave all that was there."""
    text = LIST.rstrip("\n").replace("\n", newline) + ending.replace("\n", newline)
    outcome = run(lambda resources: resources.results.info("mine"), text)
    assert outcome.stdout.startswith(text)
    assert outcome.stdout.replace(newline, "").count("\n") == 0
    assert read_twice(outcome.stdout)[0][0]["results"][0]["message"] == "mine"


def test_a_message_of_any_text() -> None:
    """A message with line breaks, colons and control characters survives as a result."""
    message = 'a: "b"\n# c\td\x07 é \u2028'
    outcome = run(lambda resources: resources.results.info(message), LIST)
    assert read_twice(outcome.stdout)[0][0]["results"][0]["message"] == message
    assert read_twice(outcome.stdout)[1][0]["results"][0]["message"] == message


def test_errors_come_first() -> None:
    """Hosts cut standard error after a few lines: errors stand before warnings, those before infos."""

    def function(resources: ResourceList) -> None:
        for i in range(6):
            resources.results.info(f"info {i}")
        resources.results.warning("warning")
        if resources.items[0].name != "web":
            resources.results.error("error")

    assert run(function, LIST, name="fn").stderr.splitlines()[:2] == ["fn: warning: warning", "fn: info 0"]
    failed = run(function, LIST.replace("name: web", "name: other"), name="fn")
    assert failed.stderr.splitlines() == ["fn: error", "fn: warning: warning"]


def test_a_name_taken_is_an_error() -> None:
    """An added object with the identity of one that is there fails the run and names both."""

    def function(resources: ResourceList) -> None:
        resources.append(resources.items[0].clone("web"))

    outcome = run(function, LIST)
    assert (outcome.code, item_texts(outcome.stdout)) == (1, [ITEM])
    assert "the name is taken by Deployment shop/web (web.yaml, item 0)" in outcome.stderr


def test_duplicates_that_came_are_not_ours() -> None:
    """A list that came with a duplicate goes out with it: nothing of the user's is lost or refused."""
    text = HEAD + "items:\n" + ITEM + ITEM + CONFIG
    assert run(lambda _: None, text).stdout == text


def test_kpt_sends_an_object_twice() -> None:
    """Of items with the same kpt resource id, one for each selector that matched, one is kept."""
    item = ITEM.replace("config.kubernetes.io/path", "internal.config.k8s.io/kpt-resource-id", 1)
    assert len(ResourceList.read(HEAD + "items:\n" + item + item + CONFIG)) == 1


def test_fallback_says_so() -> None:
    """An object that a library wrote anew has an Info result, on standard error too."""
    text = HEAD + "items:\n- apiVersion: v1\n  kind: A\n  metadata: &m\n    name: a\n  more: *m\n"
    outcome = run(lambda resources: resources.items[0].set_nested("more", "name", "b"), text, name="fn")
    assert outcome.code == 0
    assert "fn: A a (item 0): written anew by ruamel.yaml because of" in outcome.stderr
    assert read_twice(outcome.stdout)[0][0]["results"][0]["severity"] == "info"


# --------------------------------------------------------------------------------------------------- as a process


def test_process_writes_the_list(python: Run) -> None:
    """Standard input, standard output, exit status 0, silence elsewhere."""
    done = python(program(SET), stdin=LIST.encode())
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.decode() == run(lambda r: r.items[0].set_annotation("seen", "yes"), LIST).stdout


NOISE = {
    "print": "print('noise')",
    "print-flush": "print('noise', flush=True)",
    "sys-stdout": "sys.stdout.write('noise\\n')",
    "sys-stdout-buffer": "sys.stdout.buffer.write(b'noise\\n')",
    "dunder-stdout": "sys.__stdout__.write('noise\\n')",
    "os-write": "os.write(1, b'noise\\n')",
    "subprocess": "subprocess.run(['echo', 'noise'])",
    "os-system": "os.system('echo noise')",
    "printf-in-shell": "subprocess.run('echo noise >&1', shell=True)",
    "new-file-object": "open(1, 'w', closefd=False).write('noise\\n')",
    "dev-stdout": "open('/dev/stdout', 'w').write('noise\\n')",
    "fork": "os.fork() or (print('noise', flush=True), os._exit(0))",
}


@pytest.mark.parametrize("line", NOISE.values(), ids=NOISE)
def test_stray_output_cannot_corrupt_the_list(python: Run, line: str) -> None:
    """What a function prints, in any way, is on standard error; the list is alone on standard output."""
    done = python(program(SET, line), stdin=LIST.encode())
    assert done.returncode == 0
    assert b"noise" not in done.stdout
    assert done.stdout.decode() == run(lambda r: r.items[0].set_annotation("seen", "yes"), LIST).stdout
    assert b"noise" in done.stderr


@pytest.mark.parametrize(
    "line",
    [
        "raise SystemExit(0)",
        "sys.exit()",
        "exit(0)",
        "raise KeyboardInterrupt",
        "raise SystemExit('bye')",
        "raise GeneratorExit",
    ],
)
def test_leaving_early_is_no_success(python: Run, line: str) -> None:
    """A function that exits the interpreter has written no list: that must never look like an empty success."""
    done = python(program(SET, line), stdin=LIST.encode())
    assert done.returncode != 0
    assert done.stdout == b"" or item_texts(done.stdout.decode()) == [ITEM]


def test_unexpected_exception_as_a_process(python: Run) -> None:
    """One line with the place of the fault, exit status 1, the untouched list."""
    done = python(program(SET, "{}['x']"), stdin=LIST.encode())
    assert done.returncode == 1
    assert done.stderr.decode().startswith("fn: unexpected KeyError: 'x' at <string>:")
    assert b"Traceback" not in done.stderr
    assert item_texts(done.stdout.decode()) == [ITEM]


def test_closed_stdout(tmp_path: Path) -> None:
    """With standard output closed (``>&-``) a run fails and says so."""
    script = tmp_path / "fn.py"
    script.write_text(program(SET))
    command = f"'{sys.executable}' '{script}' >&-"
    done = subprocess.run(
        ["sh", "-c", command], input=LIST.encode(), capture_output=True, check=False, timeout=60
    )
    assert done.returncode == 1
    assert b"standard output is closed" in done.stderr


@pytest.mark.parametrize("length", [1, 100_000])
def test_closed_pipe(tmp_path: Path, length: int) -> None:
    """A reader that went away is an error, not a traceback and not a success, for a short list and a long one."""
    script = tmp_path / "fn.py"
    script.write_text(program(SET))
    text = LIST.replace("012", "x" * length)
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        [sys.executable, str(script)], input=text.encode(), stdout=writer, stderr=-1, check=False, timeout=60
    )
    os.close(writer)
    assert done.returncode == 1
    assert done.stderr == b"fn: standard output is closed\n"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device of Linux")
def test_full_disk(tmp_path: Path) -> None:
    """A list that could not be written whole is an error."""
    script = tmp_path / "fn.py"
    script.write_text(program(SET))
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, str(script)], input=LIST.encode(), stdout=full, stderr=-1, check=False
        )
    assert done.returncode == 1


def test_closed_stderr(tmp_path: Path) -> None:
    """Without a standard error the list still arrives whole, findings or not."""
    script = tmp_path / "fn.py"
    script.write_text(program(SET, "resources.results.info('said')", "print('noise')"))
    done = subprocess.run(
        ["sh", "-c", f"'{sys.executable}' '{script}' 2>&-"],
        input=LIST.encode(),
        capture_output=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 0
    assert b"noise" not in done.stdout
    assert "seen: " in item_texts(done.stdout.decode())[0]


def test_closed_stdin(tmp_path: Path) -> None:
    """Without a standard input there is no list: an error."""
    script = tmp_path / "fn.py"
    script.write_text(program(SET))
    done = subprocess.run(
        ["sh", "-c", f"'{sys.executable}' '{script}' <&-"], capture_output=True, check=False, timeout=60
    )
    assert (done.returncode, done.stdout) == (1, b"")
    assert b"Traceback" not in done.stderr


def test_empty_stdin(python: Run) -> None:
    """Nothing on standard input is an error: an empty success would delete everything."""
    done = python(program(SET))
    assert (done.returncode, done.stdout) == (1, b"")
    assert b"expected a ResourceList" in done.stderr


def test_long_output_in_pieces(python: Run) -> None:
    """A list larger than any pipe's buffer arrives whole."""
    items = "".join(ITEM.replace("web", f"web-{i}") for i in range(5000))
    done = python(program("pass"), stdin=(HEAD + "items:\n" + items).encode())
    assert done.stdout.decode() == HEAD + "items:\n" + items


def test_dump_of_the_input(python: Run, tmp_path: Path) -> None:
    """KRMFN_DUMP_INPUT names a file that gets what came in, byte for byte, whatever becomes of the run."""
    dump = tmp_path / "input.yaml"
    for data in (LIST.encode(), b"\xff\xfe no text"):
        python(program(SET), stdin=data, env={**os.environ, "KRMFN_DUMP_INPUT": str(dump)})
        assert dump.read_bytes() == data


def test_dump_that_cannot_be_written(python: Run, tmp_path: Path) -> None:
    """A dump that fails is an error that names the file."""
    done = python(
        program(SET), stdin=LIST.encode(), env={**os.environ, "KRMFN_DUMP_INPUT": str(tmp_path / "no" / "x")}
    )
    assert done.returncode == 1
    assert str(tmp_path / "no" / "x") in done.stderr.decode()
    assert b"Traceback" not in done.stderr


@pytest.mark.parametrize("option", ["--help", "-h"])
def test_help_does_not_read_stdin(option: str) -> None:
    """``--help`` prints the documentation to standard output and exits 0 though standard input never ends."""
    reader, writer = os.pipe()
    try:
        done = subprocess.run(
            [sys.executable, "-c", program(SET), option],
            stdin=reader,
            capture_output=True,
            check=False,
            timeout=20,
        )
    finally:
        os.close(reader)
        os.close(writer)
    assert (done.returncode, done.stdout.decode().strip(), done.stderr) == (0, "What it does.", b"")


def test_unknown_option(python: Run) -> None:
    """An unknown option is an error with the usage; standard input is not taken for a list."""
    done = python(program(SET), "--frobnicate", stdin=LIST.encode())
    assert (done.returncode, done.stdout) == (1, b"")
    assert "unknown option --frobnicate" in done.stderr.decode()


def test_file_arguments(python: Run, tmp_path: Path) -> None:
    """``CONFIG FILE...`` reads the objects from files and writes one stream."""
    (tmp_path / "config.yaml").write_text("apiVersion: x/v1\nkind: Config\nmetadata:\n  name: c\n")
    (tmp_path / "a.yaml").write_text("# about a\n" + DOCUMENT)
    (tmp_path / "b.yaml").write_text(
        "---\n" + DOCUMENT.replace(": a", ": b") + "---\n" + DOCUMENT.replace(": a", ": c")
    )
    files = [str(tmp_path / name) for name in ("config.yaml", "a.yaml", "b.yaml")]
    done = python(program("resources.items[1].set_annotation('by', resources.config.name)"), *files)
    assert (done.returncode, done.stderr) == (0, b"")
    documents = read_twice(done.stdout.decode())[0]
    assert [each["metadata"]["name"] for each in documents] == ["a", "b", "c"]
    assert documents[1]["metadata"]["annotations"] == {"by": "c"}
    assert done.stdout.startswith(b"# about a\napiVersion")


@pytest.mark.parametrize("broken", [b"a: [\n", b"\xff", b"kind: A\n"])
def test_file_argument_that_is_wrong(python: Run, tmp_path: Path, broken: bytes) -> None:
    """A file that cannot be read is an error with its name and line, and nothing is written."""
    (tmp_path / "config.yaml").write_text("apiVersion: x/v1\nkind: Config\nmetadata:\n  name: c\n")
    (tmp_path / "a.yaml").write_bytes(broken)
    done = python(program(SET), str(tmp_path / "config.yaml"), str(tmp_path / "a.yaml"))
    assert (done.returncode, done.stdout) == (1, b"")
    assert f"{tmp_path / 'a.yaml'}: line" in done.stderr.decode()


def test_file_argument_that_is_absent(python: Run, tmp_path: Path) -> None:
    """A file that is not there is an error with its name."""
    done = python(program(SET), str(tmp_path / "none.yaml"), stdin=LIST.encode())
    assert (done.returncode, done.stdout) == (1, b"")
    assert "none.yaml" in done.stderr.decode()
    assert b"Traceback" not in done.stderr


def test_legacy_plugin(python: Run, tmp_path: Path) -> None:
    """The legacy plugin protocol of kubectl: the config is a file, the objects a stream of documents, out comes a stream."""
    config = tmp_path / "config.yaml"
    config.write_text("apiVersion: x/v1\nkind: Config\nmetadata:\n  name: c\n")
    text = DOCUMENT + "---\n" + DOCUMENT.replace(": a", ": b")
    done = python(
        program("resources.items[1].set_annotation('by', resources.config.name)"),
        str(config),
        stdin=text.encode(),
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.decode() == text + "  annotations:\n    by: c\n"


def test_stream_that_fails(python: Run, tmp_path: Path) -> None:
    """On an error in a stream nothing is written: a part of it would be taken for the whole."""
    config = tmp_path / "config.yaml"
    config.write_text("apiVersion: x/v1\nkind: Config\nmetadata:\n  name: c\n")
    done = python(
        program(SET, "resources.results.error('no')"),
        str(config),
        stdin=(DOCUMENT + "---\n" + DOCUMENT).encode(),
    )
    assert (done.returncode, done.stdout) == (1, b"")


def test_list_with_a_config_file(python: Run, tmp_path: Path) -> None:
    """A config file replaces the functionConfig for the run; the list goes out as it came."""
    config = tmp_path / "config.yaml"
    config.write_text("apiVersion: x/v1\nkind: Config\nmetadata:\n  name: other\n")
    done = python(program("resources.results.info(resources.config.name)"), str(config), stdin=LIST.encode())
    assert done.stdout.decode().startswith(LIST)
    assert done.stderr == b"fn: other\n"


def test_stream_without_a_config(python: Run) -> None:
    """A stream without a config file is an error that says what was expected."""
    done = python(program(SET), stdin=DOCUMENT.encode())
    assert (done.returncode, done.stdout) == (1, b"")
    assert "expected a ResourceList" in done.stderr.decode()


def test_absent_config() -> None:
    """Without a functionConfig the config is empty, and the function can tell."""

    def function(resources: ResourceList) -> None:
        assert not resources.has_config
        assert resources.config.nested_string("spec", "zone", default="none") == "none"

    assert run(function, HEAD + "items:\n" + ITEM).code == 0


def test_snippet_of_the_documentation(python: Run) -> None:
    """A function author's whole program, as the style guide shows it."""
    source = '''
"""Pin every Deployment to one zone."""
from krmfn import ResourceList, as_main

ZONE = "topology.kubernetes.io/zone"

def pin(resources: ResourceList) -> None:
    """Set the zone nodeSelector of every Deployment from ``spec.zone`` of the config."""
    zone = resources.config.nested_string("spec", "zone")
    for deployment in resources.where(kind="Deployment"):
        deployment.set_nested("spec", "template", "spec", "nodeSelector", {ZONE: zone})
        resources.results.info(f"pinned to {zone}", deployment)

if __name__ == "__main__":
    as_main(pin)
'''
    done = python(source, stdin=LIST.encode())
    assert done.returncode == 0
    data = read_twice(done.stdout.decode())[0][0]
    assert data["items"][0]["spec"]["template"]["spec"]["nodeSelector"] == {
        "topology.kubernetes.io/zone": "a"
    }
    assert data["results"][0]["message"] == "pinned to a"
