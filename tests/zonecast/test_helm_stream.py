"""What Helm hands to a post-renderer: plain documents, each below the line that names its template."""

from __future__ import annotations

import pytest
from yamls import deployment

from krmfn.main import Outcome, run
from zonecast.pipeline import run as zonecast

SOURCE = "# Source: shop/templates/{}.yaml\n"
SERVICE = f"---\n{SOURCE.format('service')}apiVersion: v1\nkind: Service\nmetadata:\n  name: web\n"
WEB = f"---\n{SOURCE.format('web')}# the front\n{deployment().text}"
CONFIG = "apiVersion: zonecast.dev/v1alpha1\nkind: Placement\nmetadata: {name: shop}\nspec:\n  zones: [a, b]\n"
OTHER = "  targets: [{name: other}]\n"


def placed(stream: str, config: str = CONFIG) -> Outcome:
    """Run the function on a stream."""
    return run(zonecast, stream, config, "zonecast")


def test_every_copy_names_its_template() -> None:
    """``helm template --show-only`` drops an object without the line; other comments above stay with the first copy."""
    done = placed(SERVICE + WEB)
    assert done.stdout.startswith(SERVICE)
    _, _, first, second = done.stdout.split("---\n")
    assert first.startswith(f"{SOURCE.format('web')}# the front\napiVersion")
    assert second.startswith(f"{SOURCE.format('web')}apiVersion")


def test_a_second_run_keeps_the_lines() -> None:
    """An upgrade renders anew, but a stream that was placed may be placed again."""
    first = placed(SERVICE + WEB).stdout
    assert placed(first).stdout == first


def test_a_zone_that_is_added_names_the_template_too() -> None:
    """A re-fan equals a fresh fan-out, to the byte."""
    more = CONFIG.replace("[a, b]", "[a, b, c]")
    assert placed(placed(WEB).stdout, more).stdout == placed(WEB, more).stdout


def test_a_source_that_stays_and_its_copies_name_the_template() -> None:
    """The line is true of each of them."""
    done = placed(WEB, CONFIG + "  fanOut: {source: Keep}\n")
    assert done.stdout.count(SOURCE.format("web")) == len(("web", "a", "b"))
    assert done.stdout.count("# the front") == 1


@pytest.mark.parametrize("stream", ["", "\n", "---\n# Source: shop/templates/off.yaml\n---\n"])
def test_a_stream_without_objects_is_an_error(stream: str) -> None:
    """It comes from a command that failed, or from a chart with everything switched off."""
    done = placed(stream)
    assert (done.code, done.stdout) == (1, "")
    assert "targets match nothing; the list has no Deployment" in done.stderr


def test_a_stream_without_objects_can_be_allowed() -> None:
    """With ``allowNoMatch`` it comes out as it came."""
    stream = "---\n# Source: shop/templates/off.yaml\n"
    done = placed(stream, CONFIG + "  allowNoMatch: true\n")
    assert (done.code, done.stdout) == (0, stream)


def test_an_error_writes_nothing() -> None:
    """Helm takes what a post-renderer prints for the whole release."""
    done = placed(SERVICE + WEB, CONFIG + OTHER)
    assert (done.code, done.stdout) == (1, "")
    assert "Deployments in the list: Deployment web" in done.stderr


def test_a_forgotten_config_says_where_it_goes() -> None:
    """The message is what Helm shows; the flag of Helm is in it."""
    done = run(zonecast, SERVICE + WEB, None, "zonecast")
    assert done.code == 1
    assert "--post-renderer-args CONFIG" in done.stderr
