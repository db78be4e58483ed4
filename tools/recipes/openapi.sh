# The OpenAPI document of the Kubernetes of tests/cluster (swagger.json), for schemas without internet.
version=$(sed -n 's|^require k8s.io/kubernetes ||p' "$here/go/kubernetes/go.mod")
build() {
    need go "install Go 1.26 or newer (https://go.dev/dl)"
    local module
    module=$(go mod download -json "k8s.io/kubernetes@$version" | sed -n 's/^\t"Dir": "\(.*\)",$/\1/p') &&
        cp "$module/api/openapi-spec/swagger.json" . &&
        chmod u+w swagger.json
}
