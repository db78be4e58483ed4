# kube-apiserver, kube-controller-manager and kube-scheduler for tests/cluster. The servers read
# their version from the linker; without it they report one that clients cannot parse.
version=$(sed -n 's|^require k8s.io/kubernetes ||p' "$here/go/kubernetes/go.mod")
build() {
    need go "install Go 1.26 or newer (https://go.dev/dl)"
    local of=k8s.io/component-base/version major minor
    IFS=. read -r major minor _ <<<"${version#v}"
    go build -C "$here/go/kubernetes" -o "$PWD/" \
        -ldflags="-s -w -X $of.gitVersion=$version -X $of.gitMajor=$major -X $of.gitMinor=$minor" \
        k8s.io/kubernetes/cmd/kube-{apiserver,controller-manager,scheduler} >&2
}
