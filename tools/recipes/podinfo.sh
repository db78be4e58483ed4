# The chart of podinfo (folder chart): a chart of other people for the tests of Helm, with an autoscaler, a budget and hooks.
version=v1.8.1-0.20250910200901-e86405a8674e
build() {
    need go "install Go 1.26 or newer (https://go.dev/dl)"
    local module
    module=$(go mod download -json "github.com/stefanprodan/podinfo@$version" | sed -n 's/^\t"Dir": "\(.*\)",$/\1/p') &&
        cp -r "$module/charts/podinfo" chart &&
        chmod -R u+w chart
}
