"""The slower path for one object that splices cannot edit safely: a ruamel.yaml round trip.

The object comes back with the same meaning and without sharing: aliases copied out, merge keys spelled out, tags
of the core schema applied. Comments and key order stay; the layout is ruamel.yaml's.
"""

from __future__ import annotations

import copy
import io
import warnings
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap, CommentedSeq, TaggedScalar
from ruamel.yaml.constructor import RoundTripConstructor
from ruamel.yaml.error import YAMLError
from ruamel.yaml.mergevalue import merge_attrib
from ruamel.yaml.scalarstring import DoubleQuotedScalarString

from .emit import style_of
from .errors import InputError, ObjectError
from .scan import MAX_EXPANDED, scan, to_data

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .kubeobject import KubeObject
    from .scan import Data


class _Constructor(RoundTripConstructor):
    """Reads a plain ``=`` as the string that it is to every other reader."""


_Constructor.add_constructor("tag:yaml.org,2002:value", RoundTripConstructor.construct_yaml_str)


def expand(text: str, obj: KubeObject) -> str:
    """Return ``text`` (one object, alone or behind a dash) without anchors, aliases, merge keys and core tags.

    Raises:
        ObjectError: the result would not mean the same, or ruamel.yaml does not read the object.
    """
    before = _meaning(text, obj)
    style = style_of(text, scan(text))
    yaml = YAML()
    yaml.Constructor = _Constructor
    yaml.preserve_quotes = True
    yaml.width = 1 << 20
    yaml.indent(mapping=2, sequence=4 if style.wide else 2, offset=2 if style.wide else 0)
    out = io.StringIO()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # an anchor name may be used twice
            document = yaml.load(text)
            _unshare(document)
            yaml.dump(document, out)
    except YAMLError as error:
        raise ObjectError(f"the fall-back reader fails: {str(error).splitlines()[0]}", obj) from None
    result = _as_placed(out.getvalue(), text, style.newline)
    if _meaning(result, obj) != before:
        raise ObjectError("cannot be written anew without a change of meaning; expand its anchors by hand", obj)
    return result


def _meaning(text: str, obj: KubeObject) -> Data:
    try:
        return to_data(scan(text).root)
    except InputError as error:
        raise ObjectError(str(error), obj) from None


def _as_placed(result: str, text: str, newline: str) -> str:
    """Put the new text in the column, and give it the line ends, of the old one."""
    indent = text[: len(text) - len(text.lstrip(" "))] if text.lstrip(" ").startswith("- ") else ""
    own = len(result) - len(result.lstrip(" "))
    lines = [indent + line[own:] if line else line for line in result.rstrip("\n").split("\n")]
    return newline.join(lines) + (newline if text.endswith("\n") else "")


def _unshare(document: Any) -> None:
    """Give every place of the document a value of its own."""
    seen: set[int] = set()
    stack = [document]
    budget = MAX_EXPANDED
    while stack:
        node = stack.pop()
        budget -= 1
        if budget < 0:
            raise YAMLError(f"aliases expand to more than {MAX_EXPANDED} values")
        _forget_anchor(node)
        if isinstance(node, CommentedMap):
            _spell_out_merge(node)
        for key, child in list(node.items() if isinstance(node, CommentedMap) else enumerate(node)):
            if isinstance(child, (CommentedMap, CommentedSeq)):
                own = copy.deepcopy(child) if id(child) in seen else child
                if own is not child:
                    node[key] = own
                seen.add(id(own))
                stack.append(own)
            elif isinstance(child, TaggedScalar) and str(child.tag.value).endswith(":str"):
                node[key] = DoubleQuotedScalarString(child.value)
            else:
                _forget_anchor(child)


def _spell_out_merge(node: CommentedMap) -> None:
    own = {key for key, _ in node.non_merged_items()}
    inherited = [(key, value) for key, value in node.items() if key not in own]
    if hasattr(node, merge_attrib):
        delattr(node, merge_attrib)
    for key, value in inherited:
        node[key] = copy.deepcopy(value)


def _forget_anchor(node: Any) -> None:
    anchor = getattr(node, "anchor", None)
    if anchor is not None and getattr(anchor, "value", None) is not None:
        anchor.value = None
        anchor.always_dump = False
