# Kyverno's controllers and CLI for tests/cluster, with the CRDs and the chart of the same version
# (folders crds and chart). The chart loses three dependencies that the module does not hold: extra
# CRDs and a server for reports, none of which a test needs.
version=$(sed -n 's|^require github.com/kyverno/kyverno ||p' "$here/go/kyverno/go.mod")
build() {
    need go "install Go 1.26 or newer (https://go.dev/dl)"
    local commands=github.com/kyverno/kyverno/cmd module
    go build -C "$here/go/kyverno" -ldflags='-s -w' -o "$PWD/" \
        $commands/{kyverno,kyverno-init,background-controller,cli/kubectl-kyverno} >&2 &&
        module=$(go list -C "$here/go/kyverno" -m -f '{{.Dir}}' github.com/kyverno/kyverno) &&
        cp -r "$module/config/crds" crds &&
        cp -r "$module/charts/kyverno" chart &&
        chmod -R u+w crds chart &&
        rm chart/Chart.lock &&
        sed -i '/- name: kyverno-api/,$d' chart/Chart.yaml
}
