# A base for the function image where no public image registry can be reached: Debian's minimal
# system, imported into the engine. Prints the image's name, for `--build-arg BASE=`.
version=bookworm
image=zonecast.local/debian:$version

provide() {
    DOCKER_HOST=$("$here/install" docker)
    export DOCKER_HOST
    if ! docker image inspect "$image" >/dev/null 2>&1; then
        [ "$(id -u)" = 0 ] || die "base-image: debootstrap wants root"
        apt_install debootstrap debootstrap
        say "base-image: debootstrap $version"
        # shellcheck disable=SC2064 # the path of now is the one to remove
        root=$(mktemp -d) && trap "rm -rf '$root'" EXIT
        debootstrap --variant=minbase "$version" "$root" >&2
        # Builds on it trust the certificate authorities that this machine trusts.
        cp /etc/ssl/certs/ca-certificates.crt "$root/etc/host-ca.crt"
        tar -C "$root" --exclude='./var/cache/apt/*' -c . |
            docker import --change "ENV PIP_CERT=/etc/host-ca.crt" - "$image" >&2
    fi
    say "base-image: $image"
    printf '%s\n' "$image"
}
