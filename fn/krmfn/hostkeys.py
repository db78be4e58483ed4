"""Annotations that hosts put on items, and what a copy of an item may keep of them.

Sources: kyaml/kio/kioutil/kioutil.go, api/resource/resource.go of kustomize, and kpt's fnruntime.
"""

from __future__ import annotations

PATH = "internal.config.kubernetes.io/path"
INDEX = "internal.config.kubernetes.io/index"
LEGACY_PATH = "config.kubernetes.io/path"
LEGACY_INDEX = "config.kubernetes.io/index"
PACKAGE_PATH = "internal.config.kubernetes.io/package-path"
SEQ_INDENT = "internal.config.kubernetes.io/seqindent"
LOCAL_CONFIG = "config.kubernetes.io/local-config"
FUNCTION = "config.kubernetes.io/function"
DEPENDS_ON = "config.kubernetes.io/depends-on"

#: Proves that kustomize is the host: it alone sends it, and takes it off again.
KUSTOMIZE_ID = "kustomize.config.k8s.io/id"
#: The resource id by which kpt merges selected items back; older and newer spelling.
KPT_RESOURCE_IDS = ("internal.config.k8s.io/kpt-resource-id", "internal.config.kubernetes.io/kpt-resource-id")

PREVIOUS_NAMES = "internal.config.kubernetes.io/previousNames"
PREFIXES = "internal.config.kubernetes.io/prefixes"
SUFFIXES = "internal.config.kubernetes.io/suffixes"

#: Identify one item in one round trip: on a copy they would make the host merge it into the original.
ROUND_TRIP = (
    "internal.config.kubernetes.io/id",
    "config.k8s.io/id",
    "internal.config.kubernetes.io/annotations-migration-resource-id",
    *KPT_RESOURCE_IDS,
    KUSTOMIZE_ID,
    PATH,
    INDEX,
    LEGACY_PATH,
    LEGACY_INDEX,
    # kpt pkg update would match every copy to the one upstream object
    "internal.kpt.dev/upstream-identifier",
)

#: What kpt writes behind ``metadata:`` to find an object again: on a copy it would find the wrong one.
KPT_MERGE = "# kpt-merge:"
