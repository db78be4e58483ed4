# Schema checks of rendered manifests.
version=v0.8.0
build() { go_build "github.com/yannh/kubeconform/cmd/kubeconform@$version"; }
