# The image of overlays/argocd-repo-server; prints its name. Where no public registry can be reached it stands on the plain
# base in place of Argo CD's image: what the Dockerfile adds is the same.
image=zonecast.local/argocd-zonecast

provide() {
    DOCKER_HOST=$("$here/install" docker)
    export DOCKER_HOST
    local arguments=()
    if [ "$DOCKER_HOST" = "unix://$cache/docker/docker.sock" ]; then
        arguments=(--network host --build-arg "ARGOCD=$("$here/install" base-image)")
    fi
    docker build --quiet "${arguments[@]}" --file "$repo/overlays/argocd-repo-server/Dockerfile" --tag "$image" "$repo" >&2
    say "repo-server-image: $image"
    printf '%s\n' "$image"
}
