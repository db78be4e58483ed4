"""What a run has to say: the ``results`` of the ResourceList, also for standard error.

Shape: functions spec, section Result (kustomize, cmd/config/docs/api-conventions/functions-spec.md). No host fails
on a result alone and kustomize shows none, so errors also set the exit status and everything goes to standard error.
"""

from __future__ import annotations

ERROR, WARNING, INFO = "error", "warning", "info"

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from .errors import ObjectError
    from .kubeobject import KubeObject
    from .scan import Data


class Result:
    """One finding: severity, message, the object it is about, a field of it."""

    __slots__ = ("api_version", "field", "file", "index", "kind", "message", "name", "namespace", "severity")

    def __init__(self, severity: str, message: str, obj: KubeObject | None = None, field: str = "") -> None:
        self.severity = severity
        self.message = message
        self.field = field
        self.api_version = obj.api_version if obj is not None else ""
        self.kind = obj.kind if obj is not None else ""
        self.name = obj.name if obj is not None else ""
        self.namespace = obj.namespace if obj is not None else ""
        self.file = obj.file if obj is not None else ""
        self.index = obj.index if obj is not None else -1

    def to_data(self) -> dict[str, Data]:
        """Return the entry of ``results``."""
        data: dict[str, Data] = {"message": self.message, "severity": self.severity}
        if self.kind:
            reference = {"apiVersion": self.api_version, "kind": self.kind, "name": self.name}
            if self.namespace:
                reference["namespace"] = self.namespace
            data["resourceRef"] = reference
        if self.field:
            data["field"] = {"path": self.field}
        if self.file:
            data["file"] = {"path": self.file}
        return data

    def __str__(self) -> str:
        """Return one line: where, what."""
        name = f"{self.namespace}/{self.name}" if self.namespace else self.name
        place = ", ".join(part for part in (self.file, f"item {self.index}" if self.index >= 0 else "") if part)
        where = f"{self.kind} {name}" + (f" ({place})" if place else "") if self.kind else ""
        return ": ".join(part for part in (where, self.field, self.message) if part)


class Results:
    """The findings of one run, in the order in which they were made."""

    def __init__(self) -> None:
        self._results: list[Result] = []

    def __iter__(self) -> Iterator[Result]:
        """Iterate over the findings."""
        return iter(self._results)

    def __len__(self) -> int:
        """Return how many findings there are."""
        return len(self._results)

    def error(self, message: str, obj: KubeObject | None = None, field: str = "") -> None:
        """Report what ends the run: nothing is changed, the exit status is 1."""
        self._results.append(Result(ERROR, message, obj, field))

    def warning(self, message: str, obj: KubeObject | None = None, field: str = "") -> None:
        """Report what a person should look at."""
        self._results.append(Result(WARNING, message, obj, field))

    def info(self, message: str, obj: KubeObject | None = None, field: str = "") -> None:
        """Report a decision."""
        self._results.append(Result(INFO, message, obj, field))

    def collect(self, error: ObjectError) -> None:
        """Report an error that was raised about one object, so that the run can find others."""
        self.error(str(error), error.object, error.field)

    def join(self, other: Results) -> None:
        """Add the findings of another run."""
        self._results += other._results

    def drop_infos(self) -> None:
        """Forget the decisions: the run failed, and nothing of it will be."""
        self._results = [result for result in self._results if result.severity != INFO]

    @property
    def failed(self) -> bool:
        """Whether there is an error among the findings."""
        return any(result.severity == ERROR for result in self._results)

    def by_weight(self) -> list[Result]:
        """Return the findings, errors first: hosts cut what they print after a few lines."""
        order = {ERROR: 0, WARNING: 1, INFO: 2}
        return sorted(self._results, key=lambda result: order[result.severity])
