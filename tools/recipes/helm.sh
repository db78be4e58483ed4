# Only for those who ask: renders the Kyverno chart.
version=v3.22.0
build() { go_build "helm.sh/helm/v3/cmd/helm@$version"; }
