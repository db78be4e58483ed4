# The image of Argo CD's sidecar, built from overlays/argocd-cmp on the function image; prints its name.
version=v0.1.0
image=ghcr.io/zonecast/zonecast-cmp:$version

provide() {
    DOCKER_HOST=$("$here/install" docker)
    export DOCKER_HOST
    local arguments function
    function=$("$here/install" image)
    arguments=(--build-arg "FUNCTION=$function")
    # As in image.sh: an engine that we started has nowhere to pull kustomize from.
    if [ "$DOCKER_HOST" = "unix://$cache/docker/docker.sock" ]; then
        arguments+=(--build-arg "KUSTOMIZE=$("$here/install" kustomize-image)")
    fi
    docker build --quiet "${arguments[@]}" --tag "$image" "$repo/overlays/argocd-cmp" >&2
    say "cmp-image: $image"
    printf '%s\n' "$image"
}
