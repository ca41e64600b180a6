// Package analysis runs the questions of docs/analysis.md; its test needs cgo.
package analysis
