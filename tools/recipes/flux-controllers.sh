# Flux's source-controller and kustomize-controller for tests/gitops, with the CRDs of the same version (folder crds).
# Each is a module that finds its API in a folder beside it: here in the module that was published with it.
version=v1.7.3
build() {
    local name
    mkdir crds
    for name in source-controller kustomize-controller; do
        go_copy "github.com/fluxcd/$name@$version"
        go mod edit -replace "github.com/fluxcd/$name/api=github.com/fluxcd/$name/api@$version" source/go.mod
        cp source/config/crd/bases/*.yaml crds/
        go_build_copy . "$name"
    done
}
