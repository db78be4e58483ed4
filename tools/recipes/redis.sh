# The cache that Argo CD keeps what it rendered in; prints the folder of redis-server.
provide() {
    apt_install redis-server redis-server
    dirname "$(command -v redis-server)"
}
