# kpt is used as found: no version of it that can be built from published modules alone is known.
provide() {
    need kpt "install it (https://kpt.dev/installation) and put it on PATH"
    say "kpt $(kpt version): $(command -v kpt)"
    dirname "$(command -v kpt)"
}
