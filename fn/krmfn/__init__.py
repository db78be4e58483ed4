"""krmfn: write KRM functions in Python. The names are those of the kpt Go SDK."""

from __future__ import annotations

from .errors import ConfigError, InputError, KrmError, ObjectError
from .kubeobject import KubeObject
from .main import Outcome, as_main, run
from .resourcelist import ResourceList
from .result import Result, Results

__all__ = [
    "ConfigError",
    "InputError",
    "KrmError",
    "KubeObject",
    "ObjectError",
    "Outcome",
    "ResourceList",
    "Result",
    "Results",
    "as_main",
    "run",
]
