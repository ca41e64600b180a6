package main

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"time"
)

// profile is a CPU profile: who was running, and under whom.
type profile struct {
	samples []cpuSample
	total   time.Duration
}

// cpuSample is CPU time spent in one stack, the innermost function first.
type cpuSample struct {
	stack []string
	cpu   time.Duration
}

// spent is the CPU time of one function: in itself, and with all that it calls.
type spent struct {
	function  string
	flat, cum time.Duration
}

// with is the CPU time of the stacks in which a function occurs that matches.
func (p *profile) with(match func(function string) bool) time.Duration {
	var sum time.Duration
	for _, s := range p.samples {
		if slices.ContainsFunc(s.stack, match) {
			sum += s.cpu
		}
	}
	return sum
}

// under is the CPU time of one function and all that it calls.
func (p *profile) under(function string) time.Duration {
	return p.with(func(f string) bool { return f == function })
}

// ours is the CPU time that some code outside the runtime asked for: the rest is the collector and the scheduler.
func (p *profile) ours() time.Duration {
	return p.with(func(f string) bool { return strings.HasPrefix(f, "razao/") || strings.HasPrefix(f, "github.com/") })
}

// add appends the samples of another profile.
func (p *profile) add(other *profile) {
	p.samples = append(p.samples, other.samples...)
	p.total += other.total
}

// plain returns a function's name without its type arguments, which can be long.
func plain(function string) string {
	before, rest, ok := strings.Cut(function, "[")
	last := strings.LastIndexByte(rest, ']')
	if !ok || last < 0 {
		return function
	}
	return before + rest[last+1:]
}

// functions returns what every function used, in no particular order.
func (p *profile) functions() []*spent {
	by := map[string]*spent{}
	of := func(function string) *spent {
		if by[function] == nil {
			by[function] = &spent{function: function}
		}
		return by[function]
	}
	for _, s := range p.samples {
		for i, function := range s.stack {
			if i == 0 {
				of(function).flat += s.cpu
			}
			if !slices.Contains(s.stack[:i], function) { // a recursion counts once
				of(function).cum += s.cpu
			}
		}
	}
	return slices.Collect(maps.Values(by))
}

// top returns the n functions with the most CPU time of their own.
func (p *profile) top(n int) []*spent {
	return first(n, p.functions(), func(s *spent) time.Duration { return s.flat })
}

// topOfOurs returns the n functions of this program with the most CPU time, of themselves and of what they call.
func (p *profile) topOfOurs(n int) []*spent {
	others := func(s *spent) bool { return !strings.HasPrefix(s.function, "razao/") }
	return first(n, slices.DeleteFunc(p.functions(), others), func(s *spent) time.Duration { return s.cum })
}

func first(n int, all []*spent, most func(*spent) time.Duration) []*spent {
	slices.SortFunc(all, func(a, b *spent) int {
		return cmp.Or(cmp.Compare(most(b), most(a)), cmp.Compare(a.function, b.function))
	})
	return all[:min(n, len(all))]
}

func readProfile(path string) (*profile, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("CPU profile: %w", err)
	}
	defer func() { _ = f.Close() }()
	p, err := parseProfile(f)
	if err != nil {
		return nil, fmt.Errorf("CPU profile %s: %w", path, err)
	}
	return p, nil
}
