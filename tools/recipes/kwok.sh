# Plays the nodes of tests/cluster: pods bound to them become Running at once, nothing is run.
version=v0.7.0
build() { go_build "sigs.k8s.io/kwok/cmd/kwok@$version"; }
