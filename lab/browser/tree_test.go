package browser

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/chromedp"
)

// spoken is an element of a page as a screen reader has it.
type spoken struct {
	role, name, described string
	level                 int    // of a heading
	to                    string // of a link
	depth                 int
}

// Roles that the walk through a page stops at.
var (
	landmarks = []string{"banner", "complementary", "contentinfo", "form", "main", "navigation", "region", "search"}
	controls  = []string{"button", "checkbox", "combobox", "DisclosureTriangle", "link", "listbox", "menuitem", "radio", "searchbox", "slider", "spinbutton", "textbox"}
	pictures  = []string{"image", "img", "graphics-document", "SvgRoot"}
)

// tree returns what assistive technology is told of the page, in reading order.
func (v *visitor) tree() (all []spoken) {
	v.t.Helper()
	nodes, err := accessibility.GetFullAXTree().Do(v.inPage())
	if err != nil || len(nodes) == 0 {
		v.t.Fatalf("%d nodes, %v", len(nodes), err)
	}
	byID := map[accessibility.NodeID]*accessibility.Node{}
	for _, node := range nodes {
		byID[node.NodeID] = node
	}
	var walk func(node *accessibility.Node, depth int)
	walk = func(node *accessibility.Node, depth int) {
		if node == nil {
			return
		}
		if !node.Ignored {
			one := spoken{role: text(node.Role), name: text(node.Name), described: text(node.Description), depth: depth}
			for _, p := range node.Properties {
				switch p.Name {
				case accessibility.PropertyNameLevel:
					_ = json.Unmarshal(p.Value.Value, &one.level)
				case accessibility.PropertyNameURL:
					one.to = text(p.Value)
				}
			}
			all = append(all, one)
			depth++
		}
		for _, id := range node.ChildIDs {
			walk(byID[id], depth)
		}
	}
	walk(nodes[0], 0)
	return all
}

// text returns a value of the tree that is a text.
func text(value *accessibility.Value) (s string) {
	if value != nil {
		_ = json.Unmarshal(value.Value, &s)
	}
	return strings.Join(strings.Fields(s), " ")
}

// walked are the states whose tree is walked.
var walked = []string{"busca", "busca-filtros", "empresa", "empresa-ibama", "empresa-individual", "rede"}

// isSpoken walks through results and companies with the tree of a screen reader, and logs what it would read. That headings and landmarks are
// in order, and controls have names, axe finds on every page.
func (w *website) isSpoken(t *testing.T) {
	t.Parallel()
	for _, name := range walked {
		s := states[slices.IndexFunc(states, func(s state) bool { return s.name == name })]
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			v := w.visit(t)
			v.size(wide)
			v.open(s.path)
			v.do(chromedp.Evaluate(`document.querySelectorAll("details").forEach((one) => { one.open = true })`, nil))
			all := v.tree()
			var read strings.Builder
			for _, one := range all {
				if one.role == "heading" || one.role == "table" || slices.Contains(slices.Concat(landmarks, controls, pictures), one.role) {
					fmt.Fprintf(&read, "%s%s %s\n", strings.Repeat(" ", one.depth), strings.TrimSuffix(fmt.Sprint(one.role, " ", one.level), " 0"), one.name)
				}
			}
			t.Log("\n" + read.String())
			for _, wrong := range charts(all) {
				t.Error(wrong)
			}
			if strings.HasPrefix(name, "busca") {
				for _, wrong := range sameNames(all) {
					t.Error(wrong)
				}
			}
		})
	}
}

// charts checks that what a picture shows is there to be read before the next heading: in a table, or in links.
func charts(all []spoken) (wrong []string) {
	for i, one := range all {
		if !slices.Contains(pictures, one.role) {
			continue
		}
		rest := all[i+1:]
		if end := slices.IndexFunc(rest, func(next spoken) bool { return next.role == "heading" }); end >= 0 {
			rest = rest[:end]
		}
		if !slices.ContainsFunc(rest, func(next spoken) bool { return next.role == "table" || next.role == "link" && next.name != "" }) {
			wrong = append(wrong, fmt.Sprintf("no table and no link says what the picture %q shows", one.name))
		}
	}
	return wrong
}

// sameNames finds links with one name that lead to different places, and that nothing describes.
func sameNames(all []spoken) (wrong []string) {
	to := map[string]string{}
	for _, one := range all {
		if one.role != "link" {
			continue
		}
		name := one.name + " " + one.described
		if other, twice := to[name]; twice && other != one.to {
			wrong = append(wrong, fmt.Sprintf("%q leads to %s and to %s", strings.TrimSpace(name), other, one.to))
		}
		to[name] = one.to
	}
	return wrong
}
