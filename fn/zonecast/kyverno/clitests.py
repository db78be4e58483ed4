"""The files of ``kyverno test`` beside a policy: ``.kyverno-test/<policy>/kyverno-test.yaml`` and what it names.

They are for the CLI alone. Each is marked local-config, so that no tool applies it; a host without files, as kustomize
is, has no place for them.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from krmfn.scan import Data

    from .samples import Case, Sample

_API_VERSION = "cli.kyverno.io/v1alpha1"
_NAME = "kubernetes.io/metadata.name"
FOLDER = ".kyverno-test"

#: How a result says what kind of policy it is about; a ClusterPolicy's names its rule.
_FLAGS = {"ValidatingPolicy": "isValidatingPolicy", "MutatingPolicy": "isMutatingPolicy"}


def files(policy: dict[str, Data], policy_file: str, cases: Sequence[Case]) -> Iterator[tuple[str, dict[str, Data]]]:
    """Yield (path beside the policy, without its ending, object) for the tests of a policy.

    ``policy_file`` is the policy's file, without its directory.
    """
    for case in cases:
        name = policy["metadata"]["name"]
        folder = f"{FOLDER}/{name}" + (f"/{case.name}" if case.name else "")
        up = "../" * (folder.count("/") + 1)
        own = f"{name}-{case.name}" if case.name else name
        test: dict[str, Data] = {
            "apiVersion": _API_VERSION,
            "kind": "Test",
            "metadata": {"name": own},
            "policies": [f"{up}{policy_file}"],
            "resources": ["resources.yaml"],
            "variables": "values.yaml",
        }
        has_cel = policy["kind"] in _FLAGS
        if has_cel and case.context:
            test["context"] = "context.yaml"
        elif case.responses:
            test["apiCallResponses"] = [
                {"urlPath": path, "method": "GET", "response": {"statusCode": 200, "body": body}}
                for path, body in case.responses.items()
            ]
        test["results"] = [result for sample in case.samples for result in _results(policy, sample)]
        yield f"{folder}/kyverno-test", test
        yield f"{folder}/values", _values(own, case)
        if has_cel and case.context:
            context = {"apiVersion": _API_VERSION, "kind": "Context", "metadata": {"name": own}}
            yield f"{folder}/context", {**context, "spec": {"resources": list(case.context)}}
        for sample in case.samples:
            yield f"{folder}/resources", sample.obj


def _results(policy: dict[str, Data], sample: Sample) -> Iterator[dict[str, Data]]:
    """Yield what comes of a sample: one result, or one for each rule of a ClusterPolicy."""
    metadata = sample.obj["metadata"]
    flag = _FLAGS.get(policy["kind"])
    for which in [{flag: True}] if flag else [{"rule": rule["name"]} for rule in policy["spec"]["rules"]]:
        result: dict[str, Data] = {"policy": policy["metadata"]["name"], **which, "kind": sample.obj["kind"]}
        result["resources"] = [f"{metadata['namespace']}/{metadata['name']}"]
        if sample.operation:
            result["operation"] = sample.operation
        result["result"] = sample.result
        yield result


def _values(name: str, case: Case) -> dict[str, Data]:
    """Return the labels of the samples' namespaces: the CLI knows none by itself, not even their names."""
    namespaces: dict[str, Mapping[str, str]] = {str(each.obj["metadata"]["namespace"]): {} for each in case.samples}
    namespaces.update(case.namespaces)
    return {
        "apiVersion": _API_VERSION,
        "kind": "Values",
        "metadata": {"name": name},
        "namespaces": [
            {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": each, "labels": {_NAME: each, **labels}}}
            for each, labels in namespaces.items()
        ],
    }
