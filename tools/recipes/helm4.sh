# Helm 4, whose post-renderers are plugins.
version=v4.3.2
build() { go_build "helm.sh/helm/v4/cmd/helm@$version"; }
