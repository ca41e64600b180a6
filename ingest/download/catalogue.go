package download

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"

	"razao/internal/web/fetch"
)

// catalogue returns the addresses of a package's files as the publisher's CKAN catalogue lists them
// (action package_show). None is an error.
func (r *run) catalogue(ctx context.Context, id string) ([]string, error) {
	u := r.hosts[0].JoinPath("api/3/action/package_show")
	u.RawQuery = url.Values{"id": {id}}.Encode()
	body, err := r.read(ctx, u.String())
	if err != nil {
		return nil, err
	}
	var answer struct {
		Result struct {
			Resources []struct {
				URL string `json:"url"`
			} `json:"resources"`
		} `json:"result"`
	}
	if err := json.Unmarshal(body, &answer); err != nil {
		return nil, &fetch.Trouble{Err: fmt.Errorf("%s does not answer as a catalogue: %w", u, err)}
	}
	var addresses []string
	if most := 1000; len(answer.Result.Resources) > most {
		return nil, &fetch.Trouble{Err: fmt.Errorf("%s lists more than %d files", u, most)}
	}
	for _, resource := range answer.Result.Resources {
		if a, err := r.resolve(resource.URL); err == nil {
			addresses = append(addresses, a)
		}
	}
	if len(addresses) == 0 {
		return nil, &fetch.Trouble{Err: fmt.Errorf("%s lists no files", u)}
	}
	return addresses, nil
}

// resolve returns the absolute address of a resource. Catalogues list some as http that are served
// by https too: these are upgraded.
func (r *run) resolve(listed string) (string, error) {
	u, err := r.hosts[0].Parse(strings.TrimSpace(listed))
	if err != nil {
		return "", err
	}
	if u.Scheme == "http" && r.hosts[0].Scheme == "https" {
		u.Scheme = "https"
	}
	if u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return "", fmt.Errorf("%q is no address", listed)
	}
	return u.String(), nil
}

// fileOf returns the last segment of an address's path in lower case, "" if it cannot be parsed.
func fileOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return strings.ToLower(path.Base(u.Path))
}

const mostListed = 8 // addresses of a file that are taken from a catalogue: each is tried for minutes

// findPackage returns a finder of the one file of a CKAN package. names maps the published file
// names to those that the loader knows; paths are known addresses below each host, tried after
// those of the catalogue. A catalogue that fails or has moved is only logged.
func findPackage(id string, names map[string]string, paths ...string) func(context.Context, *run) ([]File, error) {
	return func(ctx context.Context, r *run) ([]File, error) {
		addresses, err := r.catalogue(ctx, id)
		if err != nil {
			if !errors.As(err, new(*fetch.Trouble)) {
				return nil, err
			}
			r.Log.Warn("the catalogue does not help, trying the known addresses", "source", r.id, "error", err)
		}
		var file File
		add := func(address string) {
			p := Origin{Address: address, Name: names[fileOf(address)]}
			if p.Name != "" && !slices.Contains(file.Origins, p) {
				file.Origins = append(file.Origins, p)
			}
		}
		for _, a := range addresses {
			if len(file.Origins) < mostListed {
				add(a)
			}
		}
		for _, p := range paths {
			for _, host := range r.hosts {
				add(host.JoinPath(p).String())
			}
		}
		return []File{file}, nil
	}
}

// findMonth returns a finder of a monthly file of a CKAN package: of the period, or the newest. The
// groups month and year of pattern say of which month a file is, since the order of a catalogue
// means nothing.
func findMonth(id string, pattern *regexp.Regexp) func(context.Context, *run) ([]File, error) {
	return func(ctx context.Context, r *run) ([]File, error) {
		if r.Period != "" && !monthLabel.MatchString(r.Period) {
			return nil, fmt.Errorf("period %q is not a month of the form %s", r.Period, r.period)
		}
		addresses, err := r.catalogue(ctx, id)
		if err != nil {
			return nil, err
		}
		byMonth := map[string]string{}
		newest := ""
		for _, a := range addresses {
			m := pattern.FindStringSubmatch(fileOf(a))
			if m == nil {
				continue
			}
			month := m[pattern.SubexpIndex("year")] + "-" + m[pattern.SubexpIndex("month")]
			if !r.hasBegun(month) {
				continue
			}
			byMonth[month] = a
			newest = max(newest, month)
		}
		month := newest
		if r.Period != "" {
			month = r.Period
		}
		address := byMonth[month]
		switch {
		case newest == "":
			return nil, &fetch.Trouble{Err: fmt.Errorf("the catalogue lists %d files, but no monthly one", len(addresses))}
		case address == "":
			return nil, &fetch.Trouble{Err: fmt.Errorf("%s is not published; the newest month is %s", month, newest)}
		}
		return []File{{Origins: []Origin{{Address: address, Name: fileOf(address)}}}}, nil
	}
}
