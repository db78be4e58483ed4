"""Run a function as a program: standard input, files, or the legacy plugin protocol.

The rule behind everything here: a host takes what stands on standard output for the truth and deletes what is
missing there. So it is written once, at the end, whole; on an error the exit status is 1 and standard output holds
the untouched list with the results, or nothing where the input could not be read.
"""

from __future__ import annotations

import os
import sys

from .errors import ConfigError, InputError, KrmError, ObjectError
from .kubeobject import KubeObject
from .resourcelist import KIND, ResourceList

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import NoReturn

    Function = Callable[[ResourceList], None]

_CHUNK = 1 << 18
_HOW_TO_STREAM = "for plain manifests name a config file as the first argument (Helm: --post-renderer-args CONFIG)"


class Outcome:
    """What one run comes to."""

    __slots__ = ("code", "stderr", "stdout")

    def __init__(self, stdout: str, stderr: str, code: int) -> None:
        self.stdout = stdout
        self.stderr = stderr
        self.code = code


def run(function: Function, text: str, config: str | None = None, name: str = "function") -> Outcome:
    """Run ``function`` on the text of a ResourceList or of a document stream, without touching the process.

    ``config`` is the text of a functionConfig given beside the input: required for a stream.
    """
    try:
        resources = read(text, config)
    except KrmError as error:
        return Outcome("", f"{name}: {error}\n", 1)
    return run_on(function, resources, name, text)


def read(text: str, config: str | None = None) -> ResourceList:
    """Read a ResourceList or, where ``config`` is given, a document stream.

    Raises:
        InputError: it is neither.
    """
    given = KubeObject(config) if config is not None else None
    if not _is_list(text):
        if given is None:
            raise InputError(f"expected a {KIND} on standard input; {_HOW_TO_STREAM}", 1)
        _ = given.kind  # a config that cannot be read is the first thing to say
        return ResourceList.read_stream(text, given)
    resources = ResourceList.read(text)
    if given is not None:
        resources.config, resources.has_config = given, True
    return resources


def run_on(function: Function, resources: ResourceList, name: str, text: str) -> Outcome:
    """Run ``function`` on a list that was read from ``text``."""
    results = resources.results
    output = ""
    try:
        function(resources)
        if not results.failed:
            resources.fold_lists()
            for obj in resources:
                if obj.normalised:
                    results.info(f"written anew by ruamel.yaml because of {obj.normalised}", obj)
            output = resources.write()
    except ConfigError as error:
        for path, message in error.findings:
            results.error(message, resources.config, path)
    except ObjectError as error:
        results.collect(error)
    except KrmError as error:
        results.error(str(error))
    except (Exception, SystemExit) as error:  # noqa: BLE001 - whatever happens, no host may take half a list for a whole one
        results.error(_unexpected(error))
    if results.failed:
        results.drop_infos()  # they speak of what did not happen
        output = _untouched(resources, text)
    lines = "".join(f"{name}: {_severity(each.severity)}{each}\n" for each in results.by_weight())
    return Outcome(output, lines, 1 if results.failed else 0)


def as_main(function: Function, *, name: str = "", docs: Callable[[], str] | None = None) -> NoReturn:
    """Run ``function`` as this program and exit.

    Standard input is a ResourceList. With arguments: ``CONFIG [FILE...]`` reads the functionConfig from a file and the
    objects from more files, or as a document stream from standard input (kustomize's legacy plugin protocol, a Helm
    post-renderer). ``--help`` prints ``docs``, or the function's docstring, without reading the input.
    ``KRMFN_DUMP_INPUT`` names a file that the input is copied to.
    """
    import gc  # noqa: PLC0415

    gc.disable()  # a short process whose objects live to its end
    arguments = sys.argv[1:]
    name = name or os.path.basename(sys.argv[0] or "function")
    if arguments and arguments[0] in ("--help", "-h"):
        sys.stdout.write(docs() if docs is not None else (function.__doc__ or name) + "\n")
        sys.stdout.flush()
        raise SystemExit(0)
    out = _take_stdout()
    outcome = _main(function, arguments, name)
    _say(outcome.stderr)
    code = outcome.code
    if not _deliver(out, outcome.stdout):
        code = 1
        _say(f"{name}: standard output is closed\n")
    os._exit(code)  # nothing is left to clean up, and taking a large list apart takes time


def _main(function: Function, arguments: Sequence[str], name: str) -> Outcome:
    unknown = [argument for argument in arguments if argument.startswith("-")]
    if unknown:
        return Outcome("", f"{name}: unknown option {unknown[0]}; usage: {name} [CONFIG [FILE...]], {name} --help\n", 1)
    try:
        config = _read_file(arguments[0]) if arguments else None
        if len(arguments) > 1:
            resources = _read_files(arguments[1:], config or "")
            return run_on(function, resources, name, "")
        data = sys.stdin.buffer.read() if sys.stdin is not None else b""
        dump = os.environ.get("KRMFN_DUMP_INPUT")
        if dump:
            with open(dump, "wb") as file:
                file.write(data)
        text = _decode(data)
        del data
        return run(function, text, config, name)
    except KrmError as error:
        return Outcome("", f"{name}: {error}\n", 1)
    except OSError as error:
        return Outcome("", f"{name}: {error.filename or 'standard input'}: {error.strerror}\n", 1)
    except Exception as error:  # noqa: BLE001
        return Outcome("", f"{name}: {_unexpected(error)}\n", 1)


def _read_file(path: str) -> str:
    with open(path, "rb") as file:
        return _decode(file.read(), path)


def _read_files(paths: Sequence[str], config: str) -> ResourceList:
    resources = ResourceList(config=KubeObject(config))
    for path in paths:
        try:
            resources.join(ResourceList.read_stream(_read_file(path)))
        except InputError as error:
            raise InputError(f"{path}: {error}") from None
    return resources


def _decode(data: bytes, path: str = "") -> str:
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        where = f"{path}: " if path else ""
        line = data.count(b"\n", 0, error.start) + 1
        raise InputError(f"{where}line {line}: not UTF-8: byte 0x{data[error.start]:02x} at {error.start}") from None


def _is_list(text: str) -> bool:
    """Whether the text is meant as a ResourceList: its kind stands at the root, however it is spelled."""
    at = text.find(KIND)
    if at < 0:
        return False
    if text[:4096].lstrip("\ufeff \t\r\n").startswith("{"):
        return True
    while at >= 0:
        line = text[text.rfind("\n", 0, at) + 1 : at]
        if line.strip("\"' ") in ("kind:", 'kind:"', "kind':", 'kind":') and line[:1] != " ":
            return True
        at = text.find(KIND, at + 1)
    return False


def _untouched(resources: ResourceList, text: str) -> str:
    if not _is_list(text):
        return ""
    try:
        return resources.write_untouched(text)
    except KrmError:
        return ""


def _severity(severity: str) -> str:
    return "warning: " if severity == "warning" else ""


def _unexpected(error: BaseException) -> str:
    """Return one line for an exception that is a fault of the function."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    where = f" at {trace.tb_frame.f_code.co_filename}:{trace.tb_lineno}" if trace is not None else ""
    return f"unexpected {type(error).__name__}: {error}{where}; this is a bug, nothing was changed"


def _take_stdout() -> int:
    """Return a descriptor for the output, and send everything else that is written to standard output to stderr."""
    try:
        os.fstat(2)
    except OSError:  # standard error is closed: nothing may take its number and be written to by accident
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    try:
        out = os.dup(1)
        os.dup2(2, 1)
    except OSError:
        return -1
    return out


def _say(text: str) -> None:
    if sys.stderr is not None and text:
        sys.stderr.write(text)
        sys.stderr.flush()


def _deliver(out: int, text: str) -> bool:
    """Write the whole text; False where nobody takes it."""
    # ASCII cannot fail to encode, so it needs no second copy as a whole: that costs time and memory.
    size = _CHUNK if text.isascii() else len(text)
    try:
        for at in range(0, len(text), size or 1):
            data = memoryview(text[at : at + size].encode())
            while data:
                data = data[os.write(out, data) :]
    except OSError:
        return False
    return out >= 0 or not text
