"""Strategic merge patches, as Kubernetes has them, for the text of an object.

``obj.merge_strategic(patch)`` does all of it. The parts: ``of_template`` says by which keys lists merge, ``problems``
what is wrong with a patch, ``merge`` makes the content that it leads to, ``adopt`` gives an object that content with
the smallest edits of its text, and ``difference`` makes the patch that leads from one content to another.
"""

from __future__ import annotations

from .adopting import adopt, merge_patch
from .checking import problems
from .differing import difference
from .keys import ListKeys, of_template
from .merging import merge

__all__ = ["ListKeys", "adopt", "difference", "merge", "merge_patch", "of_template", "problems"]
