package main

import (
	"maps"
	"os"
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
	for _, m := range regexp.MustCompile(`(?m)^([A-Z_]+)=(.*)$`).FindAllStringSubmatch(string(text), -1) {
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
