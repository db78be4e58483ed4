# The admission controller of Kyverno 1.13, the last one without the kinds of policies.kyverno.io, with its CRDs and its
# chart (folders crds and chart): tests/cluster runs a ClusterPolicy on it.
version=$(sed -n 's|^require github.com/kyverno/kyverno ||p' "$here/go/kyverno-1.13/go.mod")
build() {
    need go "install Go 1.26 or newer (https://go.dev/dl)"
    local module
    go build -C "$here/go/kyverno-1.13" -ldflags='-s -w' -o "$PWD/" github.com/kyverno/kyverno/cmd/kyverno >&2 &&
        module=$(go list -C "$here/go/kyverno-1.13" -m -f '{{.Dir}}' github.com/kyverno/kyverno) &&
        cp -r "$module/config/crds" crds &&
        cp -r "$module/charts/kyverno" chart &&
        chmod -R u+w crds chart
}
