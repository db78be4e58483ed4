//go:build tools

// Package tools pins what this folder builds: the etcd server.
package tools

import _ "go.etcd.io/etcd/server/v3"
