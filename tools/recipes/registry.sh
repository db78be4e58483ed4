# The registry that artifacts are pushed to in tests/gitops.
version=v3.1.1
build() { go_build "github.com/distribution/distribution/v3/cmd/registry@$version"; }
