"""The one thing that policies need and no manifest can say: what Kyverno's chart must stop to filter away."""

from __future__ import annotations

#: overlays/kyverno/values.yaml; the entry is the chart's own, in its spelling since 1.13.
VALUES = """\
# Helm values for Kyverno's own chart: let it see bindings. By default the chart filters
# `Pod/binding` away, and a deletion-cost policy is READY but never acts. The entry is compared as
# an exact string with the chart's list.
config:
  resourceFiltersExclude:
  - "[Pod/binding,*,*]"
"""
