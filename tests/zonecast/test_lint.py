"""Findings about copies that are right by themselves and may still surprise."""

from __future__ import annotations

import pytest
from yamls import deployment, place, said

from krmfn import KubeObject


def container(text: str) -> KubeObject:
    """Return a Deployment whose container has more fields."""
    source = deployment().text.replace("image: example.com/web}", f"image: example.com/web, {text}}}")
    return KubeObject(source.replace("name: web, image", "name: main, image"))


@pytest.mark.parametrize(
    ("text", "field"),
    [
        ("args: [--lock=web]", "containers[0].args[0]"),
        ("args: [run, web]", "containers[0].args[1]"),
        ("env: [{name: A, value: x}, {name: DEPLOYMENT, value: web}]", "containers[0].env[1].value"),
        ("env: [{name: DEPLOYMENT, value: 'web'}]", "containers[0].env[0].value"),
    ],
)
def test_a_program_that_is_told_its_own_name(text: str, field: str) -> None:
    """After the fan-out nothing has that name any more: Warning at the place."""
    warnings = said(place("zones: [a, b]", container(text)).results, "warning")
    assert len(warnings) == 1
    assert f"spec.template.spec.{field}" in warnings[0]


@pytest.mark.parametrize(
    "text",
    ["args: [--app=webshop]", "env: [{name: web, value: x}]", "command: [web]", "workingDir: web"],
)
def test_other_uses_of_the_word(text: str) -> None:
    """A longer word, a variable of that name, or the program itself, which is often called so."""
    assert not said(place("zones: [a, b]", container(text)).results, "warning")


def test_without_zones_the_name_stays() -> None:
    """Nothing is renamed, so nothing is to be said."""
    assert not said(
        place("podSpec: {nodeSelector: {a: b}}", container("args: [--lock=web]")).results, "warning"
    )
