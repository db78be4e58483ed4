# Argo CD for tests/gitops: one binary that acts by its file name, and the manifest of a whole installation
# (install.yaml) of the same version.
version=$(sed -n 's|^require github.com/argoproj/argo-cd/v3 ||p' "$here/go/argocd/go.mod")
build() {
    need go "install Go 1.26 or newer (https://go.dev/dl)"
    local module role of=github.com/argoproj/argo-cd/v3/common
    # As the released binary: it has to run in any image that it is mounted into.
    CGO_ENABLED=0 go build -C "$here/go/argocd" -o "$PWD/argocd" -ldflags="-s -w -X $of.version=${version#v}" \
        github.com/argoproj/argo-cd/v3/cmd >&2 &&
        module=$(go list -C "$here/go/argocd" -m -f '{{.Dir}}' github.com/argoproj/argo-cd/v3) &&
        cp "$module/manifests/install.yaml" install.yaml &&
        chmod u+w install.yaml || return
    for role in application-controller applicationset-controller cmp-server repo-server; do
        ln -s argocd "argocd-$role"
    done
}
