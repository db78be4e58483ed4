# kustomize as an image, in /app as the project's own has it, where no public registry can be reached. Prints the image's
# name, for `--build-arg KUSTOMIZE=`.
version=$(sed -n 's/^version=//p' "$here/recipes/kustomize.sh")
image=zonecast.local/kustomize:$version

provide() {
    DOCKER_HOST=$("$here/install" docker)
    export DOCKER_HOST
    local folder
    if ! docker image inspect "$image" >/dev/null 2>&1; then
        folder=$("$here/install" kustomize)
        tar -C "$folder" --transform 's,^\./,app/,' -c ./kustomize | docker import - "$image" >&2
    fi
    say "kustomize-image: $image"
    printf '%s\n' "$image"
}
