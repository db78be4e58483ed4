"""The golden-folder runner finds what is wrong, and says it."""

from __future__ import annotations

from pathlib import Path

import pytest

from krmfn import ObjectError, ResourceList
from krmfn.testing import GoldenCase, check_golden, golden_cases, item_texts, read_twice, run_twice

ITEM = "- apiVersion: v1\n  kind: A\n  metadata:\n    name: a\n"
LIST = "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n" + ITEM
DOCUMENT = "apiVersion: v1\nkind: A\nmetadata:\n  name: a\n"
DONE = LIST + '    annotations:\n      seen: "yes"\n'


def mark(resources: ResourceList) -> None:
    """Mark every object."""
    for obj in resources:
        obj.set_annotation("seen", "yes")


def refuse(resources: ResourceList) -> None:
    """Refuse the first object."""
    raise ObjectError("no", resources.items[0], "spec")


def count(resources: ResourceList) -> None:
    """Do something else each time."""
    for obj in resources:
        obj.set_annotation("runs", "1" + obj.annotation("runs"))


def case(folder: Path, **files: str) -> GoldenCase:
    """Write a case; ``input`` is input.yaml, ``error`` error.txt, ``diff`` diff.patch."""
    names = {"error": "error.txt", "diff": "diff.patch"}
    for name, text in files.items():
        (folder / names.get(name, f"{name}.yaml")).write_bytes(text.encode())
    return GoldenCase(folder, "case")


def test_expected(tmp_path: Path) -> None:
    """What comes out is compared byte for byte."""
    check_golden(case(tmp_path, input=LIST, expected=DONE), mark)
    with pytest.raises(AssertionError, match=r"not what expected.yaml says"):
        check_golden(case(tmp_path, expected=DONE + "\n"), mark)


def test_crlf_counts(tmp_path: Path) -> None:
    """Line ends are bytes like others."""
    check_golden(case(tmp_path, input=LIST.replace("\n", "\r\n"), expected=DONE.replace("\n", "\r\n")), mark)
    with pytest.raises(AssertionError):
        check_golden(case(tmp_path, expected=DONE), mark)


def test_stream_with_config(tmp_path: Path) -> None:
    """A stream is read beside its config."""
    expected = DOCUMENT + '  annotations:\n    seen: "yes"\n'
    check_golden(case(tmp_path, input=DOCUMENT, config="apiVersion: v1\nkind: C\n", expected=expected), mark)


def test_error(tmp_path: Path) -> None:
    """A failure is compared by what is on standard error; success where one is recorded is a failure of the test."""
    check_golden(case(tmp_path, input=LIST, error="fn: A a (item 0): spec: no\n"), refuse, "fn")
    with pytest.raises(AssertionError, match=r"error.txt is recorded, but the run gave exit status 0"):
        check_golden(GoldenCase(tmp_path, "case"), mark)
    with pytest.raises(AssertionError, match=r"not what error.txt says"):
        check_golden(GoldenCase(tmp_path, "case"), refuse, "other")


def test_failure_where_success_is_recorded(tmp_path: Path) -> None:
    """The message of the run is in the message of the test."""
    with pytest.raises(AssertionError, match=r"A a .item 0.: spec: no"):
        check_golden(case(tmp_path, input=LIST, expected=DONE), refuse)


def test_diff(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A long input is recorded as a diff, which shows what changes and nothing else."""
    golden = case(tmp_path, input=LIST + "".join(ITEM.replace(": a", f": a{i}") for i in range(100)))
    monkeypatch.setenv("KRMFN_UPDATE", "1")
    check_golden(golden, lambda resources: resources.items[50].set_annotation("seen", "yes"))
    monkeypatch.delenv("KRMFN_UPDATE")
    patch = (tmp_path / "diff.patch").read_text()
    assert patch.startswith("--- input.yaml\n+++ output\n")
    assert [line for line in patch.splitlines()[2:] if line[0] in "+-"] == [
        "+    annotations:",
        '+      seen: "yes"',
    ]
    check_golden(golden, lambda resources: resources.items[50].set_annotation("seen", "yes"))
    with pytest.raises(AssertionError):
        check_golden(golden, mark)


def test_update(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With KRMFN_UPDATE the right kind of file is written, and one of another kind goes."""
    monkeypatch.setenv("KRMFN_UPDATE", "1")
    golden = case(tmp_path, input=LIST)
    check_golden(golden, mark)
    assert (tmp_path / "expected.yaml").read_text() == DONE
    check_golden(golden, refuse, "fn")
    assert {path.name for path in tmp_path.iterdir()} == {"input.yaml", "error.txt"}
    assert (tmp_path / "error.txt").read_text() == "fn: A a (item 0): spec: no\n"


def test_nothing_recorded(tmp_path: Path) -> None:
    """A case without an expected file fails and says how to make one."""
    with pytest.raises(AssertionError, match=r"KRMFN_UPDATE=1"):
        check_golden(case(tmp_path, input=LIST), mark)


def test_two_recorded(tmp_path: Path) -> None:
    """Two expected files contradict each other sooner or later."""
    with pytest.raises(AssertionError, match=r"keep one"):
        check_golden(case(tmp_path, input=LIST, expected=DONE, error="no\n"), mark)


def test_second_run(tmp_path: Path) -> None:
    """A function that is not idempotent fails though its first output is as recorded."""
    expected = LIST + '    annotations:\n      runs: "1"\n'
    with pytest.raises(AssertionError, match=r"the second run changed its own output"):
        check_golden(case(tmp_path, input=LIST, expected=expected), count)


def test_second_run_that_fails() -> None:
    """A function that fails over its own output is not idempotent either."""

    def once(resources: ResourceList) -> None:
        if resources.items[0].annotation("seen"):
            refuse(resources)
        mark(resources)

    with pytest.raises(AssertionError, match=r"exit status 1"):
        run_twice(once, LIST)


def test_results_may_differ() -> None:
    """The second run may report other results: only items count."""

    def report(resources: ResourceList) -> None:
        resources.results.info("again" if resources.items[0].annotation("seen") else "first")
        mark(resources)

    assert run_twice(report, LIST).code == 0


def test_cases_are_found(tmp_path: Path) -> None:
    """Each folder with an input is a case, at any depth, in order; none at all is an error."""
    with pytest.raises(ValueError, match=r"no folder"):
        golden_cases(tmp_path)
    for name in ("b/two", "a"):
        (tmp_path / name).mkdir(parents=True)
        case(tmp_path / name, input=LIST)
    assert [str(each) for each in golden_cases(tmp_path)] == ["a", "b/two"]


def test_item_texts() -> None:
    """Items of a list and documents of a stream, with the comments above them."""
    assert item_texts(LIST + "# b\n" + ITEM.replace(": a", ": b")) == [
        ITEM,
        "# b\n" + ITEM.replace(": a", ": b"),
    ]
    assert item_texts(DOCUMENT + "---\n" + DOCUMENT) == [DOCUMENT, "---\n" + DOCUMENT]


def test_readers() -> None:
    """The two readers are independent, and take what hosts send: a repeated anchor, a plain ``=``, a merge tag."""
    text = "a: &x 1\nb: *x\nc: &x 2\nd: =\ne:\n  !!merge <<: {f: 1}\n---\nyes: 012\n"
    pyyaml, ruamel = read_twice(text)
    assert pyyaml == [{"a": 1, "b": 1, "c": 2, "d": "=", "e": {"f": 1}}, {True: 10}]
    assert ruamel[1] == {"yes": 12}
