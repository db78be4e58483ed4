# The kustomize CLI: the only host with --enable-exec. v5.8.2 and later want a newer Go.
version=v5.8.1
build() { go_build "sigs.k8s.io/kustomize/kustomize/v5@$version"; }
