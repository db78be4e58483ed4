"""A git repository on this machine, as a GitOps tool is pointed at it."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from cluster.toolbox import on_path

# Nothing of the person who runs the tests: no name, no signing, no hooks.
NOBODY = {
    **{f"GIT_{who}_{what}": value for who in ("AUTHOR", "COMMITTER") for what, value in
       {"NAME": "tests", "EMAIL": "tests@zonecast.invalid"}.items()},
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_SYSTEM": os.devnull,
}  # fmt: skip


@dataclass(frozen=True)
class Repository:
    """A repository with one branch, ``main``; its work tree is the folder itself."""

    folder: Path

    @classmethod
    def made(cls, folder: Path) -> Repository:
        """Make an empty repository in a new folder."""
        folder.mkdir(parents=True)
        made = cls(folder)
        made._git("init", "--quiet", "--initial-branch=main")
        return made

    def cloned(self, folder: Path, branch: str) -> Repository:
        """Clone it and start a new branch there, which a push brings back here."""
        self._git("clone", "--quiet", self.url, str(folder))
        clone = Repository(folder)
        clone._git("switch", "--quiet", "--create", branch)
        clone._git("push", "--quiet", "--set-upstream", "origin", branch)
        return clone

    def head(self) -> str:
        """Return the hash of the commit that is checked out."""
        return self._git("rev-parse", "HEAD").strip()

    @property
    def url(self) -> str:
        """The URL to clone it by."""
        return f"file://{self.folder}"

    def commit(self, files: Mapping[str, str | None], message: str = "change") -> str:
        """Write files, or remove those that are ``None``; return the hash of the commit."""
        for name, text in files.items():
            file = self.folder / name
            if text is None:
                file.unlink()
            else:
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(text)
        return self.commit_all(message)

    def commit_all(self, message: str = "change") -> str:
        """Commit the work tree as it is, also when nothing changed; return the hash."""
        self._git("add", "--all")
        self._git("commit", "--quiet", "--allow-empty", f"--message={message}")
        return self.head()

    def _git(self, *arguments: str) -> str:
        """Run git in the folder."""
        done = subprocess.run(
            [on_path("git"), *arguments],
            cwd=self.folder,
            env={**os.environ, **NOBODY},
            capture_output=True,
            text=True,
            check=True,
        )
        return done.stdout
