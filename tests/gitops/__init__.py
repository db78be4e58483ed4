"""GitOps tools for real, on the control plane of the cluster tests."""
