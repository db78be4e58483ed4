# The command that pushes artifacts and watches Flux work. Its module does not hold the manifests that `flux install`
# would apply, which a release embeds: nothing here installs Flux that way, so an empty list stands in for them.
version=v2.9.5
build() {
    go_copy "github.com/fluxcd/flux2/v2@$version"
    mkdir -p source/cmd/flux/manifests
    echo '[]' >source/cmd/flux/manifests/none.yaml
    go_build_copy ./cmd/flux flux
}
