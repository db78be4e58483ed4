"""Policies go into the list: new ones beside what they are about, those that are there are brought up to date."""

from __future__ import annotations

from krmfn import ObjectError
from krmfn.hostkeys import KUSTOMIZE_ID, LOCAL_CONFIG

from ..origin import PLACEMENT, marked
from .clitests import FOLDER, files

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from krmfn import KubeObject, ResourceList
    from krmfn.scan import Data

    from ..placement import Placement
    from .samples import Case

    #: A policy, the object that it is about, and what it is tried on.
    Policy = tuple[dict[str, Data], KubeObject, Sequence[Case]]

_ROLE = "ClusterRole"
_POLICIES = ("ValidatingPolicy", "MutatingPolicy", "ClusterPolicy")
_WITHIN = f"{FOLDER}/"


class Writer:
    """Writes policies, their roles and their tests into a list."""

    def __init__(self, resources: ResourceList, placement: Placement) -> None:
        self.resources = resources
        self.placement = placement
        #: What is there: policies and roles by name, what tests are made of by file.
        self._present: dict[tuple[str, str, str], KubeObject] = {}
        self._tests: dict[tuple[str, str, str], KubeObject] = {}
        for obj in resources:
            if _WITHIN in obj.raw and obj.is_local_config:
                self._tests[obj.file, obj.kind, obj.name] = obj
            elif obj.kind in _POLICIES or obj.kind == _ROLE:
                self._present[obj.group, obj.kind, obj.name] = obj
        self._kept: set[KubeObject] = set()

    def write(self, policies: Sequence[Policy], roles: Iterable[dict[str, Data]], names: Collection[str]) -> None:
        """Write roles, then policies, each beside the object that it is about, then the tests of the policies.

        ``names`` are those that policies of this Placement can have: what is there under one of them and is no longer
        asked for goes.
        """
        if policies:
            for role in roles:
                self._write(role, policies[0][1])
        written = [(data, self._write(data, beside), cases) for data, beside, cases in policies]
        tested = [each for each in written if each[2]]
        if any(not obj.file or KUSTOMIZE_ID in obj.raw for _, obj, _ in tested):
            message = "the host gives no files, so the tests have no place: nothing is written for them"
            self.resources.results.warning(message, self.resources.config, "spec.kyverno.tests")
            tested = []
        for data, obj, cases in tested:
            self._write_tests(data, obj, cases)
        self._remove_others(names)

    def _write(self, data: dict[str, Data], beside: KubeObject) -> KubeObject:
        """Add an object, or bring the one that is there up to date; return it."""
        name = data["metadata"]["name"]
        obj = self._present.get((data["apiVersion"].rpartition("/")[0], data["kind"], name))
        if obj is None:
            obj = self._append(data, beside, f"{data['kind']}-{name}".lower())
            self.resources.results.info("added", obj)
        elif obj.annotation(PLACEMENT):
            self._update(obj, data)
        else:
            message = f"{name} is to be added, and the one that is there is not zonecast's"
            raise ObjectError(message, obj, "metadata.name")
        obj.merge_nested(marked(obj, self.placement.name))
        return obj

    def _append(self, data: dict[str, Data], beside: KubeObject, stem: str, ending: str = "") -> KubeObject:
        obj = self.resources.new(data)
        obj.stand_beside(beside, stem, ending)
        obj.settle()  # so that its file is known
        self.resources.append(obj)
        return obj

    def _update(self, obj: KubeObject, data: dict[str, Data]) -> None:
        self._kept.add(obj)
        edits: dict[tuple[str, ...], Data] = {
            ("metadata", kind, key): value
            for kind in ("annotations", "labels")
            for key, value in data["metadata"].get(kind, {}).items()
        }
        if obj.namespace and not data["metadata"].get("namespace"):
            self.resources.results.info(f'"{obj.namespace}" is removed: a {obj.kind} is cluster-scoped', obj)
            edits["metadata", "namespace"] = None
        fields = {(key,): value for key, value in data.items() if key not in ("kind", "metadata")}
        obj.merge_nested({**edits, **fields})

    def _write_tests(self, data: dict[str, Data], policy: KubeObject, cases: Sequence[Case]) -> None:
        """Write the files of ``kyverno test`` beside a policy, or bring those that are there up to date."""
        directory, slash, base = policy.file.rpartition("/")
        for stem, part in files(data, base, cases):
            metadata = part["metadata"]
            annotations = {**metadata.get("annotations", {}), LOCAL_CONFIG: "true"}
            local = {**part, "metadata": {**metadata, "annotations": annotations}}
            obj = self._tests.get((f"{directory}{slash}{stem}.yaml", part["kind"], metadata["name"]))
            if obj is None:
                self._append(local, policy, stem, ending="yaml")
            else:
                self._update(obj, local)

    def _remove_others(self, names: Collection[str]) -> None:
        """Take out the policies of this Placement that it does not ask for now, and what their tests were made of."""
        gone: list[KubeObject] = []
        for (_, kind, name), obj in self._present.items():
            is_ours = kind in _POLICIES and name in names and obj.annotation(PLACEMENT) == self.placement.name
            if is_ours and obj not in self._kept:
                self.resources.results.info("removed: it is not asked for", obj)
                gone.append(obj)
        for (file, _, _), obj in self._tests.items():
            policy = file.partition(_WITHIN)[2].partition("/")[0]
            if policy in names and obj not in self._kept:
                gone.append(obj)
        if gone:
            self.resources.replace(dict.fromkeys(gone, ()))
