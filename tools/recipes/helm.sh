# Helm 3: renders the Kyverno chart, and runs zonecast as its post-renderer. As Helm's own builds it believes in the
# Kubernetes of its client library; without that, charts that ask for a version since 1.20 refuse to be rendered.
version=v3.22.0+kube1.37
build() {
    need go "install Go 1.26 or newer (https://go.dev/dl)"
    local kube=helm.sh/helm/v3/pkg/chartutil.k8sVersion
    GOBIN=$PWD GOFLAGS="${GOFLAGS:-} -trimpath" go install -ldflags="-s -w -X ${kube}Minor=${version##*.}" \
        "helm.sh/helm/v3/cmd/helm@${version%+*}" >&2
}
