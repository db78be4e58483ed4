# The function image, built from the repository's Dockerfile; prints its name.
version=v0.1.0
image=ghcr.io/zonecast/zonecast:$version

provide() {
    DOCKER_HOST=$("$here/install" docker)
    export DOCKER_HOST
    local arguments=() base
    # An engine that we started has no bridge for build steps and nowhere to pull a base from.
    if [ "$DOCKER_HOST" = "unix://$cache/docker/docker.sock" ]; then
        base=$("$here/install" base-image)
        arguments=(--network host --build-arg "BASE=$base")
    fi
    docker build --quiet "${arguments[@]}" --tag "$image" "$repo" >&2
    say "image: $image"
    printf '%s\n' "$image"
}
