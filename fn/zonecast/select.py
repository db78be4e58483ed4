"""Which objects a Placement is about."""

from __future__ import annotations

from krmfn import ObjectError
from krmfn.hostkeys import PREVIOUS_NAMES

from .origin import is_for_tools, origin_of
from .patterns import LabelSelector, Pattern
from .workload import Workload, template_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from krmfn import KubeObject

    from .placement import Selector

DEPLOYMENT = "Deployment"
DAEMON_SET = "DaemonSet"


class Matcher:
    """One selector, compiled. ``default_kind`` holds where it names no kind."""

    def __init__(self, selector: Selector, default_kind: str) -> None:
        self._kind = Pattern(selector.kind or default_kind)
        self._kinds: dict[str, bool] = {}
        self._name = _pattern(selector.name)
        self._others = [
            (_pattern(selector.group), "group"),
            (_pattern(selector.version), "version"),
            (_pattern(selector.namespace), "namespace"),
        ]
        self._labels = LabelSelector(selector.label_selector) if selector.label_selector else None
        self._annotations = LabelSelector(selector.annotation_selector) if selector.annotation_selector else None
        path = selector.pod_template_path
        self.template = tuple(path.split(".")) if path else None

    def matches(self, obj: KubeObject) -> bool:
        """Whether an object fulfils the selector. A copy is matched by its source's name as well."""
        kind = obj.kind
        wanted = self._kinds.get(kind)
        if wanted is None:
            wanted = self._kinds[kind] = self._kind.matches(kind)
        if not wanted:
            return False
        if self._name is not None and not self._name.may_be_in(obj.raw):
            return False
        for pattern, attribute in self._others:
            if pattern is not None and not pattern.matches(getattr(obj, attribute)):
                return False
        if self._name is not None and not any(self._name.matches(name) for name in names_of(obj)):
            return False
        if self._labels is not None and not self._labels.matches(obj.labels):
            return False
        return self._annotations is None or self._annotations.matches(obj.annotations)


def names_of(obj: KubeObject) -> list[str]:
    """Return the names an object goes by: its own, those before kustomize's prefixes, its source's."""
    names = [obj.name]
    text = obj.raw
    if PREVIOUS_NAMES in text:
        names += obj.annotation(PREVIOUS_NAMES).split(",")
    origin = origin_of(obj)
    if origin is not None:
        names.append(origin.name)
    return names


def select(
    resources: Iterable[KubeObject],
    targets: Sequence[Selector] | None,
    exclude: Iterable[Selector],
    default_kind: str = DEPLOYMENT,
) -> list[Workload]:
    """Return the objects that match a target and no exclusion, in the order of the list.

    Objects marked local-config are never among them, as they do not reach a cluster; but templates of copies are.

    Raises:
        ObjectError: a target of a kind whose pod template's place is not known.
    """
    wanted = [Matcher(each, default_kind) for each in targets] if targets is not None else None
    unwanted = [Matcher(each, default_kind) for each in exclude]
    found = []
    for obj in resources:
        if wanted is None:
            if obj.kind != default_kind:
                continue
            template = None
        else:
            match = next((each for each in wanted if each.matches(obj)), None)
            if match is None:
                continue
            template = match.template
        if any(each.matches(obj) for each in unwanted) or is_for_tools(obj):
            continue
        template = template or template_path(obj)
        if template is None:
            if wanted is None:
                continue  # a Deployment of another group
            raise ObjectError(f"{obj.kind} has no pod template that is known; set targets[].podTemplatePath", obj)
        found.append(Workload(obj, template))
    return found


def _pattern(text: str | None) -> Pattern | None:
    return Pattern(text) if text is not None else None
