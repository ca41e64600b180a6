//go:build !linux

package main

import "time"

// threadCPU is not known here.
func threadCPU() time.Duration { return 0 }
