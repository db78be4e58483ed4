//go:build tools

// Package tools pins what this folder builds: the admission controller of the last Kyverno that many still run with
// ClusterPolicy alone.
package tools

import (
	_ "github.com/kyverno/kyverno/cmd/kyverno"
)
