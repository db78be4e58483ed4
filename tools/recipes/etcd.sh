# The store of the control plane that tests/cluster starts. `go install` refuses the module (it
# has replace directives), so go/etcd is a module of our own that pins it.
version=$(sed -n 's|^require go.etcd.io/etcd/server/v3 ||p' "$here/go/etcd/go.mod")
build() {
    need go "install Go 1.26 or newer (https://go.dev/dl)"
    go build -C "$here/go/etcd" -ldflags='-s -w' -o "$PWD/etcd" go.etcd.io/etcd/server/v3 >&2
}
