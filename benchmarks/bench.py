"""Measures zonecast beside the bare interpreter, libyaml and a Go function, in one run.

    python benchmarks/bench.py [--quick] [--check] [--json FILE] [--against PATH]

See README.md beside this file for what is measured and what is promised.
"""

from __future__ import annotations

import argparse
import json
import platform
import sys
import tempfile
from dataclasses import asdict
from pathlib import Path

import gopeer
import inputs
import verify
from measure import BenchError, Case, measure, run, warm_up
from targets import TARGETS

_VENV = Path(__file__).parents[1] / ".venv" / "bin"
_EVENTS = """\
import sys
from yaml._yaml import CParser
event = CParser(sys.stdin.buffer.read()).get_event
count = 1
while event() is not None:
    count += 1
print(count)
"""
_VARIANTS = {"all": inputs.ALL_NAMES, "rare": inputs.RARE_NAMES, "none": inputs.NO_NAMES}
# The list of "all" with autoscalers, which follow their Deployments: 42 % of the items are touched. "patched" is the
# same with a patch in one of the zones.
_FOLLOWED = {"followed": False, "patched": True}
# Cases of the other zonecast that --against names, on the same inputs.
_OTHER = "other "

# How often a case of each size runs in a round: the small ones are short and noisy.
_QUICK_PER_ROUND = {1: 8, 100: 4, 1000: 3}
_PER_ROUND = {**_QUICK_PER_ROUND, 10000: 1}
_QUICK_ROUNDS, _ROUNDS = 2, 6


def start_up_cases(python: str) -> list[Case]:
    """Return what no function can be faster than: the interpreter alone, and with PyYAML."""
    nothing = Path("/dev/null")
    return [
        Case("bare", 1, [python, "-c", "pass"], nothing),
        Case("bare -I -S", 1, [python, "-I", "-S", "-c", "pass"], nothing),
        Case("yaml", 1, [python, "-c", "import yaml"], nothing),
    ]


def list_cases(size: int, function: list[str], python: str, peer: str, folder: Path) -> list[Case]:
    """Return the cases on lists of ``size`` items: the peer, libyaml, and zonecast's variants."""
    items = inputs.items(size)

    def written(name: str, config: str) -> Path:
        path = folder / f"{name}-{size}.yaml"
        path.write_text(inputs.resource_list(items, config), encoding="utf-8")
        return path

    source = written("peer", inputs.peer_config())
    cases = [
        Case(f"peer/{size}", size, [peer], source, verify.pinned(items)),
        Case(f"events/{size}", size, [python, "-c", _EVENTS], source),
    ]
    for name, names in _VARIANTS.items():
        if size > 1 or name == "all":
            source = written(name, inputs.placement(names))
            check = verify.placed(items, names)
            cases.append(Case(f"{name}/{size}", size, function, source, check))
    if size > 1:
        items = inputs.items(size, followed=True)
        check = verify.placed(items, inputs.ALL_NAMES)
        for name, patched in _FOLLOWED.items():
            source = written(name, inputs.placement(inputs.ALL_NAMES, patched=patched))
            cases.append(Case(f"{name}/{size}", size, function, source, check))
    return cases


def twins(cases: list[Case], function: list[str], other: list[str], sink: Path) -> list[Case]:
    """Return each case, and behind those of ``function`` the same of the ``other`` zonecast, where it can do it."""
    found = []
    for case in cases:
        found.append(case)
        if case.command == function:
            twin = Case(f"{_OTHER}{case.key}", case.size, other, case.source, case.check)
            try:
                run(twin, sink)
            except BenchError as error:  # an older one does not know every field
                sys.stderr.write(f"left out: {str(error).splitlines()[0]}\n")
            else:
                found.append(twin)
    return found


def find_function(given: str | None) -> tuple[list[str], str]:
    """Return the command of zonecast and the interpreter it runs under."""
    script = Path(given) if given else _VENV / "zonecast"
    if script.exists():
        python = script.read_text(encoding="utf-8").partition("\n")[0].removeprefix("#!").split()
        return [str(script)], python[0]
    if given:
        message = f"there is no {given}"
        raise BenchError(message)
    return [sys.executable, "-m", "zonecast"], sys.executable


def print_cases(cases: dict[str, Case]) -> None:
    """Print one line for each case, with its ratio to the peer on a list of the same size."""
    head = f"{'case':<20}{'min ms':>10}{'median':>10}{'cpu':>10}{'peak MB':>9}{'x peer':>8}\n"
    sys.stdout.write(head)
    for case in cases.values():
        ratio = case.seconds / cases[f"peer/{case.size}"].seconds
        times = (case.seconds, case.median, case.cpu)
        columns = "".join(f"{1000 * time:>10.1f}" for time in times)
        sys.stdout.write(f"{case.key:<20}{columns}{case.peak / 1e6:>9.1f}{ratio:>8.2f}\n")


def print_followers(cases: dict[str, Case]) -> None:
    """Print what followers and patches add: each list beside the same without them."""
    sys.stdout.write("\n")
    for size in sorted({case.size for case in cases.values()}):
        for name, base in (("followed", "all"), ("patched", "followed")):
            if f"{name}/{size}" in cases:
                ratio = cases[f"{name}/{size}"].median / cases[f"{base}/{size}"].median
                sys.stdout.write(f"{name}/{size}: {ratio:.2f} x {base}\n")


def print_comparison(cases: dict[str, Case]) -> None:
    """Print what each case of zonecast costs beside the same of the other one: medians, and fastest runs."""
    compared = [(case, cases[f"{_OTHER}{key}"]) for key, case in cases.items() if f"{_OTHER}{key}" in cases]
    if compared:
        sys.stdout.write(f"\n{'case':<14}{'x other':>10}{'fastest':>10}{'cpu':>10}\n")
    for case, other in compared:
        ratios = (case.median / other.median, case.seconds / other.seconds, case.cpu / other.cpu)
        sys.stdout.write(f"{case.key:<14}{''.join(f'{ratio:>10.3f}' for ratio in ratios)}\n")


def print_targets(cases: dict[str, Case]) -> list[dict[str, object]]:
    """Print each target with what was measured; return them as they go into the JSON."""
    verdicts: list[dict[str, object]] = []
    sys.stdout.write("\n")
    for target in TARGETS:
        if not target.is_measured(cases):
            sys.stdout.write(f"   -    {target.what}: not measured\n")
            continue
        value = target.value(cases)
        met = value <= target.limit
        mark = "met   " if met else "MISSED"
        text = f"{value:.2f} {target.unit} (target {target.limit:g}"
        text += f"; fastest runs {target.fastest(cases):.2f})" if target.fastest is not None else ")"
        sys.stdout.write(f"{mark}  {target.what}: {text}\n")
        verdicts.append(
            {"what": target.what, "value": value, "limit": target.limit, "met": met},
        )
    return verdicts


def save(path: str, cases: dict[str, Case], verdicts: list[dict[str, object]]) -> None:
    """Write every sample and verdict to ``path`` as JSON."""
    result = {
        "machine": {"python": platform.python_version(), "platform": platform.platform()},
        "cases": {key: [asdict(sample) for sample in case.samples] for key, case in cases.items()},
        "targets": verdicts,
    }
    Path(path).write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")


def collect(function: str | None, against: str | None, *, quick: bool) -> dict[str, Case]:
    """Make the inputs, run everything in turns and return the measured cases."""
    command, python = find_function(function)
    other = find_function(against)[0] if against else []
    peer = str(gopeer.build())
    per_round = _QUICK_PER_ROUND if quick else _PER_ROUND
    with tempfile.TemporaryDirectory(prefix="zonecast-bench-") as name:
        folder = Path(name)
        sink = folder / "output.yaml"
        cases = start_up_cases(python)
        for size in per_round:
            listed = list_cases(size, command, python, peer, folder)
            cases += twins(listed, command, other, sink) if other else listed
        warm_up(cases, sink)
        measure(cases, _QUICK_ROUNDS if quick else _ROUNDS, per_round, sink)
    return {case.key: case for case in cases}


def main() -> int:
    """Run the benchmark of the command line; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="fewer rounds, no 10,000 items")
    parser.add_argument("--check", action="store_true", help="exit 1 if a target is missed")
    parser.add_argument("--json", metavar="FILE", help="keep every sample in FILE")
    parser.add_argument("--function", metavar="PATH", help="a zonecast script other than .venv's")
    parser.add_argument("--against", metavar="PATH", help="another zonecast script, to run in turns with it")
    options = parser.parse_args()
    try:
        cases = collect(options.function, options.against, quick=options.quick)
    except BenchError as error:
        sys.stderr.write(f"bench: {error}\n")
        return 2
    print_cases(cases)
    print_followers(cases)
    print_comparison(cases)
    verdicts = print_targets(cases)
    if options.json:
        save(options.json, cases, verdicts)
    return 1 if options.check and not all(verdict["met"] for verdict in verdicts) else 0


if __name__ == "__main__":
    sys.exit(main())
