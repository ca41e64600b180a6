package browser

import (
	"maps"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
)

// load is what a page transfers over the network.
type load struct {
	requests int
	bytes    map[network.ResourceType]int // with the headers of the answers

	kinds map[network.RequestID]network.ResourceType // of what has not ended yet
}

func newLoad() load {
	return load{bytes: map[network.ResourceType]int{}, kinds: map[network.RequestID]network.ResourceType{}}
}

// answered counts a request. The favicon is not counted: browsers request it at any time.
func (l *load) answered(e *network.EventResponseReceived) {
	if e.Type != network.ResourceTypeOther {
		l.requests++
		l.kinds[e.RequestID] = e.Type
	}
}

func (l *load) finished(id network.RequestID, bytes int) {
	if kind, ok := l.kinds[id]; ok {
		l.bytes[kind] += bytes
		delete(l.kinds, id)
	}
}

// total returns all bytes.
func (l *load) total() (total int) {
	for _, n := range l.bytes {
		total += n
	}
	return total
}

// loaded returns the load of the page opened last, once it has ended: the browser tells of that at its own pace.
func (v *visitor) loaded() (l load) {
	v.t.Helper()
	for ended := false; !ended; {
		v.do(chromedp.Evaluate(`document.fonts.ready.then(() => 0)`, nil, wait))
		v.mu.Lock()
		l, ended = load{requests: v.load.requests, bytes: maps.Clone(v.load.bytes)}, len(v.load.kinds) == 0
		v.mu.Unlock()
	}
	return l
}
