//go:build !linux

package main

// yieldProcess does nothing outside Linux: a load competes with servers.
func yieldProcess() error { return nil }

func yieldThread(int) error { return nil }
