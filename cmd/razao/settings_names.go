package main

import (
	"errors"
	"fmt"
	"maps"
	"net/netip"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/blevesearch/bleve/v2/search"
	"github.com/caarlos0/env/v11"
)

const settingPrefix = "RAZAO_"

// clientNames are of programs that call the API, as its documentation shows them: they may be in the
// environment of somebody who also runs this program.
var clientNames = []string{"RAZAO_URL", "RAZAO_CHAVE"}

// settingNames returns the names of all settings, from the tags of the struct.
func settingNames() []string {
	params, err := env.GetFieldParams(&settings{})
	if err != nil {
		panic(err) // the struct is not fit for package env
	}
	var names []string
	for _, p := range params {
		names = append(names, p.Key)
	}
	return names
}

// refuseUnknown returns an error for names that begin like settings and are none: a misspelt one
// would silently leave its default in force, such as a private database.
func refuseUnknown(given map[string]string) error {
	known := settingNames()
	var unknown []error
	for _, name := range slices.Sorted(maps.Keys(given)) {
		switch {
		case !strings.HasPrefix(name, settingPrefix) || slices.Contains(known, name) || slices.Contains(clientNames, name):
		case nearest(name, known) == "":
			unknown = append(unknown, fmt.Errorf("%s is not a setting: .env.example lists all", name))
		default:
			unknown = append(unknown, fmt.Errorf("%s is not a setting; did you mean %s?", name, nearest(name, known)))
		}
	}
	return errors.Join(unknown...)
}

// nearest returns the name of the least edit distance, or "" if more than half of it differs.
func nearest(name string, known []string) string {
	best, least := "", len(name)
	for _, k := range known {
		most := max(len(name), len(k)) - len(settingPrefix)
		if d := search.LevenshteinDistance(name, k); d < least && 2*d <= most {
			best, least = k, d
		}
	}
	return best
}

// malformed returns the error for the settings whose values package env cannot parse, which names Go
// fields. The settings at fault are those that fail alone. Strings always parse, so no secret is
// quoted.
func malformed(given map[string]string) error {
	var all []error
	for _, name := range slices.Sorted(slices.Values(settingNames())) {
		_, err := env.ParseAsWithOptions[settings](env.Options{Environment: map[string]string{name: given[name]}})
		if failed := new(env.ParseError); errors.As(err, failed) {
			all = append(all, fmt.Errorf("%s: %s", name, wrongKind(failed.Type, given[name])))
		}
	}
	return errors.Join(all...)
}

// wrongKind says that a value is not of the type of its setting. Addresses may hold passwords, so
// they are not quoted.
func wrongKind(t reflect.Type, value string) string {
	switch {
	case t == reflect.TypeFor[time.Duration]():
		return fmt.Sprintf("%q is not a duration, such as 6s or 2m", value)
	case t == reflect.TypeFor[[]netip.Prefix]():
		return fmt.Sprintf("%q is not a list of networks, such as 10.0.0.0/8,192.168.1.7/32", value)
	case t.Kind() == reflect.Bool:
		return fmt.Sprintf("%q is neither true nor false", value)
	case t.Kind() == reflect.Int:
		return fmt.Sprintf("%q is not a whole number, or is too large", value)
	}
	return "it is not of the form name=value,name=value"
}
