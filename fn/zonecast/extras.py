"""What one zone's copy gets beyond the others: nodeSelector, tolerations, and the zone in an environment variable.

Each returns what it added as data for the copy's origin, and takes it away again by that: what it took the place of
comes back, so that nothing of one zone leaks into another.
"""

from __future__ import annotations

from krmfn import KubeObject, ObjectError
from krmfn.kubeobject import dotted

from .tolerations import missing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from krmfn.scan import Data

    Path = tuple[str, ...]

_SELECTOR, _TOLERATIONS, _ENV = "nodeSelector", "tolerations", "env"
_CONTAINERS = ("initContainers", "containers")


def add_node_selector(obj: KubeObject, pod_spec: Path, labels: dict[str, str], *, replace: bool) -> dict[str, Data]:
    """Add labels; return those that were added, each with the value that it replaced.

    Raises:
        ObjectError: one has another value already, and must not be replaced.
    """
    path = (*pod_spec, _SELECTOR)
    present = obj.nested_string_map(*path)
    added: dict[str, Data] = {}
    for key, value in labels.items():
        old = present.get(key)
        if old == value:
            continue
        if old is not None and not replace:
            message = f'is already "{old}", the zone wants "{value}"; set onConflict: Replace, or exclude it'
            raise ObjectError(message, obj, dotted((*path, key)))
        obj.set_nested(*path, key, value)
        added[key] = old
    return {_SELECTOR: added} if added else {}


def add_tolerations(obj: KubeObject, pod_spec: Path, wanted: Sequence[dict[str, Data]]) -> dict[str, Data]:
    """Append tolerations for taints that none covers yet; return them."""
    path = (*pod_spec, _TOLERATIONS)
    added = missing(obj.nested_slice(*path), wanted)
    for each in added:
        obj.append_nested(*path, each)
    return {_TOLERATIONS: added} if added else {}


def add_env(obj: KubeObject, pod_spec: Path, variable: str, zone: str) -> dict[str, Data]:
    """Give every container ``variable`` with the zone as its value.

    Returns its name, and the entries whose place it took by the name of their container: as data, and as text where
    the data would not come back as it was written.
    """
    replaced: dict[str, Data] = {}
    places: dict[str, tuple[str | int, ...]] = {}
    before = ""
    for path, container in _containers(obj, pod_spec):
        at = _index(container, variable)
        if at is None:
            obj.append_nested(*path, _ENV, {"name": variable, "value": zone})
            continue
        entry = container[_ENV][at]
        before = before or obj.text
        places[str(container.get("name"))] = (*path, _ENV, at)
        if entry.get("value") != zone or len(entry) > 2:  # noqa: PLR2004 - name and value
            replaced[str(container.get("name"))] = {key: each for key, each in entry.items() if key != "name"}
            _set(obj, (*path, _ENV, at), entry, {"value": zone})
        else:
            replaced[str(container.get("name"))] = {"value": zone}
    added: dict[str, Data] = {_ENV: {"name": variable, **({"was": replaced} if replaced else {})}}
    if replaced:
        from krmfn.entries import entry_text  # noqa: PLC0415 - few variables are there already

        probe = KubeObject(obj.text)
        take_away(probe, pod_spec, added, zone)
        after, texts = probe.text, {name: entry_text(before, place) for name, place in places.items()}
        lost = {name: text for name, text in texts.items() if text != entry_text(after, places[name])}
        added[_ENV].update({"text": lost} if lost else {})
    return added


def take_away(obj: KubeObject, pod_spec: Path, added: dict[str, Data], zone: str) -> None:
    """Take away what ``added`` says that ``zone`` was given."""
    for key, old in (added.get(_SELECTOR) or {}).items():
        if old is None:
            obj.remove_nested(*pod_spec, _SELECTOR, key)
        else:
            obj.set_nested(*pod_spec, _SELECTOR, key, old)
    for toleration in reversed(added.get(_TOLERATIONS) or ()):
        present = obj.nested_slice(*pod_spec, _TOLERATIONS)
        last = [i for i, each in enumerate(present) if each == toleration][-1:]
        for i in last:
            obj.remove_nested(*pod_spec, _TOLERATIONS, i)
    env = added.get(_ENV) or {}
    variable, replaced, texts = str(env.get("name")), env.get("was") or {}, env.get("text") or {}
    for path, container in _containers(obj, pod_spec) if env else ():
        at = _index(container, variable)
        if at is None or container[_ENV][at].get("value") != zone:
            continue  # edited by hand since
        old = replaced.get(str(container.get("name")))
        if old is None:
            obj.remove_nested(*path, _ENV, at)
        else:
            _set(obj, (*path, _ENV, at), container[_ENV][at], old)
        text = texts.get(str(container.get("name")))
        if text:
            from krmfn.entries import with_entry  # noqa: PLC0415

            with_entry(obj, (*path, _ENV, at), text)


def _set(obj: KubeObject, path: tuple[str | int, ...], entry: dict[str, Data], wanted: dict[str, Data]) -> None:
    """Make the fields of a variable those of ``wanted``, its name aside."""
    for key, value in wanted.items():
        obj.set_nested(*path, key, value)
    for key in entry:
        if key != "name" and key not in wanted:
            obj.remove_nested(*path, key)


def _containers(obj: KubeObject, pod_spec: Path) -> Iterator[tuple[tuple[str | int, ...], dict[str, Data]]]:
    for kind in _CONTAINERS:
        for i, container in enumerate(obj.nested_slice(*pod_spec, kind)):
            if container:
                yield (*pod_spec, kind, i), container


def _index(container: dict[str, Data], variable: str) -> int | None:
    """Return where a variable is; of several the last, which is the one that counts."""
    found = [i for i, each in enumerate(container.get(_ENV) or ()) if (each or {}).get("name") == variable]
    return found[-1] if found else None
