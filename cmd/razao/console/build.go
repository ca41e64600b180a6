package console

import (
	"runtime"
	"runtime/debug"
)

// BuildJSON returns a description of the running program for encoding as JSON: its version, and
// what the go command recorded when it was built.
func BuildJSON(version string) any {
	b := struct {
		Version string `json:"version"`
		Commit  string `json:"commit,omitempty"` // "" outside a checkout
		Time    string `json:"time,omitempty"`   // of the commit, RFC 3339
		Changed bool   `json:"changed"`          // the checkout had uncommitted changes
		Go      string `json:"go"`
		OS      string `json:"os"`
		Arch    string `json:"arch"`
	}{Version: version, Go: runtime.Version(), OS: runtime.GOOS, Arch: runtime.GOARCH}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return b
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			b.Commit = s.Value
		case "vcs.time":
			b.Time = s.Value
		case "vcs.modified":
			b.Changed = s.Value == "true"
		}
	}
	return b
}
