"""Manifests of other people's projects go through a fan-out of everything.

They stand beside the repository (``../shared/corpus``, or where ``ZONECAST_CORPUS`` says), not in it.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
import yaml

from krmfn.main import run
from krmfn.testing import item_texts, read_twice
from zonecast.pipeline import run as zonecast

CORPUS = Path(os.environ.get("ZONECAST_CORPUS") or Path(__file__).parents[3] / "shared" / "corpus")
FILES = sorted(path for path in CORPUS.glob("*") if path.name not in ("README.md", "index.tsv"))
CONFIG = """\
apiVersion: zonecast.dev/v1alpha1
kind: Placement
metadata: {name: everything}
spec:
  allowNoMatch: true
  zones: [us-east-1a, {name: us-east-1c, weight: 2}, "3"]
  onePodPerNode: true
  podSpec:
    nodeSelector: {pool: x}
    tolerations: [{key: dedicated, operator: Equal, value: x, effect: NoSchedule}]
  daemonSets: {tolerate: All}
"""
CHANGED = ("Deployment", "DaemonSet", "HorizontalPodAutoscaler")


def whole(text: str) -> bool:
    """Whether libyaml reads all of it; both readers read what is new alone, which takes long enough."""
    try:
        return all(True for _ in yaml.parse(text, yaml.CSafeLoader))
    except yaml.YAMLError:
        return False


@pytest.mark.skipif(not FILES, reason=f"no corpus in {CORPUS}")
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_everything_of_a_real_file(path: Path) -> None:
    """The output parses, others are the same bytes, a second run changes nothing; or it is a clear Error."""
    text = path.read_text()
    outcome = run(zonecast, text, CONFIG, "zonecast")
    assert "this is a bug" not in outcome.stderr
    if outcome.code:
        assert outcome.stderr.startswith("zonecast: ")
        return
    assert whole(outcome.stdout) or not whole(text)
    before, after = item_texts(text), item_texts(outcome.stdout)
    assert all(any(each in item for each in CHANGED) for item in before if item not in after)
    for item in after:
        if item not in before:
            assert len(read_twice(item)[0]) == 1
    again = run(zonecast, outcome.stdout, CONFIG, "zonecast")
    assert again.code == 0, again.stderr
    assert item_texts(again.stdout) == after
