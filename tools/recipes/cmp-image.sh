# The image of Argo CD's sidecar, built from overlays/argocd-cmp on the function image; prints its name.
version=v0.1.0
image=ghcr.io/zonecast/zonecast-cmp:$version

provide() {
    DOCKER_HOST=$("$here/install" docker)
    export DOCKER_HOST
    "$here/install" image >/dev/null
    # As in image.sh: an engine that we started has nowhere to pull kustomize from.
    if [ "$DOCKER_HOST" = "unix://$cache/docker/docker.sock" ]; then
        "$here/install" kustomize-image >/dev/null
    fi
    docker build --quiet --tag "$image" "$repo/overlays/argocd-cmp" >&2
    say "cmp-image: $image"
    printf '%s\n' "$image"
}
