package main

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/caarlos0/env/v11"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/spf13/cobra"

	"razao/ingest"
)

// TestExampleOfSettings holds .env.example to the settings: it names each once, with what it is when nothing is set.
func TestExampleOfSettings(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../.env.example")
	if err != nil {
		t.Fatal(err)
	}
	example := map[string]string{}
	for _, m := range regexp.MustCompile(`(?m)^([A-Z0-9_]+)=(.*)$`).FindAllStringSubmatch(string(text), -1) {
		if _, twice := example[m[1]]; twice {
			t.Errorf("%s is there twice", m[1])
		}
		example[m[1]] = strings.Trim(m[2], `"`)
	}
	if diff := cmp.Diff(slices.Sorted(slices.Values(settingNames())), slices.Sorted(maps.Keys(example))); diff != "" {
		t.Errorf(".env.example (-settings +example):\n%s", diff)
	}
	given, err := env.ParseAsWithOptions[settings](env.Options{Environment: example})
	if err != nil {
		t.Fatal(err)
	}
	defaults, err := env.ParseAsWithOptions[settings](env.Options{Environment: map[string]string{}})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(defaults, given, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("values of .env.example (-default +example):\n%s", diff)
	}
}

// TestTableOfCommands holds docs/operations.md to the commands: it names each with all its flags, and nothing else.
func TestTableOfCommands(t *testing.T) {
	t.Parallel()
	documented := documentedCommands(t)
	root := command()
	var check func(c *cobra.Command)
	check = func(c *cobra.Command) {
		path := strings.TrimPrefix(c.CommandPath(), "razao ")
		flags, named := documented[path]
		want := flagsOf(c)
		if diff := cmp.Diff(want, flags); !named && !c.HasSubCommands() || named && diff != "" {
			t.Errorf("razao %s: named: %v, its flags (-command +table):\n%s", path, named, diff)
		}
		delete(documented, path)
		for _, sub := range c.Commands() {
			check(sub)
		}
	}
	for _, c := range root.Commands() {
		check(c)
	}
	for path := range documented {
		t.Errorf("docs/operations.md has razao %s, which is no command", path)
	}
}

// flagsOf returns the flags of a command in alphabetical order.
func flagsOf(c *cobra.Command) (flags []string) {
	for _, m := range regexp.MustCompile(`(?m)^ +(?:-., )?(--[a-z]+)`).FindAllStringSubmatch(c.LocalFlags().FlagUsages(), -1) {
		flags = append(flags, m[1])
	}
	return flags
}

// documentedCommands returns the commands of the table with their flags, in alphabetical order.
func documentedCommands(t *testing.T) map[string][]string {
	t.Helper()
	text, err := os.ReadFile("../../docs/operations.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(text), "\n## Commands\n")
	section, _, _ = strings.Cut(section, "\n## ")
	commands := map[string][]string{}
	for _, row := range regexp.MustCompile("(?m)^\\| (`.*?`) \\| ").FindAllStringSubmatch(section, -1) {
		for _, span := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(row[1], -1) {
			path := regexp.MustCompile(`^[a-z_]+( [a-z_]+)*( FONTE)?`).FindString(strings.TrimPrefix(span[1], "razao "))
			flags := regexp.MustCompile(`--[a-z]+`).FindAllString(span[1], -1)
			slices.Sort(flags)
			every, each := strings.CutSuffix(path, "FONTE")
			if !each {
				commands[path] = flags
				continue
			}
			for _, id := range ingest.SourceIDs() {
				commands[every+id] = flags
			}
		}
	}
	return commands
}

// TestUsesOfTheSecret holds the table of docs/operations.md to the code: it names each purpose for which something is derived from
// RAZAO_SECRET, and nothing else, so that an operator who loses the secret knows what ends.
func TestUsesOfTheSecret(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../docs/operations.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(text), "| Derived from it (purpose) |")
	table, _, _ = strings.Cut(table, "\n\n")
	documented := map[string]bool{}
	for _, row := range regexp.MustCompile(`(?m)^\| (.+) \| `).FindAllStringSubmatch(table, -1) {
		for _, named := range regexp.MustCompile("\\((`[^)]*`)\\)").FindAllStringSubmatch(row[1], -1) {
			for name := range strings.SplitSeq(named[1], ", ") {
				documented[strings.Trim(name, "`")] = true
			}
		}
	}
	if diff := cmp.Diff(slices.Sorted(maps.Keys(purposesOfTheSecret(t))), slices.Sorted(maps.Keys(documented))); diff != "" {
		t.Errorf("purposes (-code +table):\n%s", diff)
	}
}

// purposesOfTheSecret returns the purposes that the code gives to seal.Sealer: in calls, as text or as a constant of the file, and in the
// two places from which package oauthserver takes its own.
func purposesOfTheSecret(t *testing.T) map[string]bool {
	t.Helper()
	call := regexp.MustCompile(`(?:\bseal|\bs)\.(?:Key|MAC|DerivedToken|Token|Encrypt)\((?:"([^"]+)"|(\w+)[,)])`)
	elsewhere := regexp.MustCompile(`(?:= kind\{|requestPurpose\(\) string \{ return )"([^"]+)"`)
	purposes := map[string]bool{}
	for _, root := range []string{".", "../../api", "../../site", "../../internal/people", "../../internal/assist"} {
		err := filepath.WalkDir(root, func(path string, _ fs.DirEntry, err error) error {
			if err != nil || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") || filepath.Base(filepath.Dir(path)) == "seal" {
				return err
			}
			code, err := os.ReadFile(path)
			for _, m := range elsewhere.FindAllSubmatch(code, -1) {
				purposes[strings.TrimSpace(string(m[1]))] = true
			}
			for _, m := range call.FindAllSubmatch(code, -1) {
				purpose := string(m[1])
				if name := string(m[2]); name != "" {
					constant := regexp.MustCompile(`\b` + name + `\s*= "([^"]+)"`).FindSubmatch(code)
					if constant == nil {
						t.Errorf("%s: the purpose %s is not a constant of the file", path, name)
						continue
					}
					purpose = string(constant[1])
				}
				purposes[purpose] = true
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return purposes
}
