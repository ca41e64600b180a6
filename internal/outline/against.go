package outline

import (
	"io"
	"strings"
)

// Against tells a page by how it differs from another state of the same page: the lines that only the other has, after -, and
// those that only this one has, after +. What both say is in the golden file of the other alone, so that a word of a template
// is in one file.
func Against(other io.Reader) Option {
	return func(w *writer) { w.other = other }
}

// difference returns how one outline differs from another, by a longest common subsequence of their lines. The rest of a
// change follows ---, where lines that both have lie between.
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

// common returns how many lines the rests of a and b from i and j have in common, in their order.
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
