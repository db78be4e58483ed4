"""The function under the real hosts: kustomize, kubectl, kpt, and a container engine."""
