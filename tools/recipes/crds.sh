# CRDs of others, from their own Go modules, one folder each: by them the API server of tests/cluster checks what we
# render for KEDA, VPA, Argo Rollouts, Argo CD, Flux, and a release of Kyverno that is not built here.
modules='
keda         github.com/kedacore/keda/v2@v2.21.0              config/crd/bases
vpa          k8s.io/autoscaler/vertical-pod-autoscaler@v1.8.1 deploy/vpa-v1-crd-gen.yaml
rollouts     github.com/argoproj/argo-rollouts@v1.9.0         manifests/crds/rollout-crd.yaml
argocd       github.com/argoproj/argo-cd/v3@v3.2.6            manifests/crds/application-crd.yaml
flux         github.com/fluxcd/kustomize-controller@v1.7.3    config/crd/bases
kyverno-1.18 github.com/kyverno/kyverno@v1.18.2               config/crds/policies.kyverno.io
'
version=$(cksum <<<"$modules" | cut -d' ' -f1)
build() {
    need go "install Go 1.26 or newer (https://go.dev/dl)"
    local name module where found folder
    while read -r name module where; do
        [ -n "$name" ] || continue
        found=$(go mod download -json "$module") || die "$found"
        folder=$(sed -n 's/.*"Dir": "\(.*\)".*/\1/p' <<<"$found")
        mkdir "$name"
        find "$folder/$where" -name '*.yaml' -exec cp --no-preserve=mode {} "$name" \;
    done <<<"$modules"
}
