package outline

import (
	"io"
	"strings"
)

// Against reduces an outline to its difference from another state of the same page: lines that only
// the other has, after -, and lines that only this one has, after +. What both have in common is in
// the golden file of the other alone, so that a changed word of a template changes one file.
func Against(other io.Reader) Option {
	return func(w *writer) { w.other = other }
}

// difference returns the line diff between two outlines by their longest common subsequence.
// Changes with common lines between them are separated by ---.
func difference(from, to string) string {
	a, b := strings.SplitAfter(from, "\n"), strings.SplitAfter(to, "\n")
	longest := common(a, b)
	var out strings.Builder
	apart := false // lines of both came since the last change
	change := func(sign, line string) {
		if apart && out.Len() > 0 {
			out.WriteString("---\n")
		}
		apart = false
		out.WriteString(sign + line)
	}
	i, j := 0, 0
	for i < len(a) || j < len(b) {
		switch {
		case i < len(a) && j < len(b) && a[i] == b[j]:
			i, j, apart = i+1, j+1, true
		case j == len(b) || i < len(a) && longest[i+1][j] >= longest[i][j+1]:
			change("- ", a[i])
			i++
		default:
			change("+ ", b[j])
			j++
		}
	}
	return out.String()
}

// common returns, for all i and j, the length of the longest common subsequence of a[i:] and b[j:].
// It takes time and memory in O(len(a)·len(b)).
func common(a, b []string) [][]int {
	longest := make([][]int, len(a)+1)
	for i := range longest {
		longest[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				longest[i][j] = longest[i+1][j+1] + 1
			} else {
				longest[i][j] = max(longest[i+1][j], longest[i][j+1])
			}
		}
	}
	return longest
}
