//go:build tools

// Package tools pins what this folder builds: Argo CD, one binary that acts by its file name.
package tools

import (
	_ "github.com/argoproj/argo-cd/v3/cmd"
)
