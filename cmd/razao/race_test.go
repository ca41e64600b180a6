//go:build race

package main

// underRace says that the tests run under the race detector, which makes the program ten times as slow.
const underRace = true
