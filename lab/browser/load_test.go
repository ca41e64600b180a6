package browser

import (
	"maps"

	"github.com/chromedp/cdproto/network"
)

// load is what a page transfers over the network.
type load struct {
	requests int
	bytes    map[network.ResourceType]int // with the headers of the answers

	kinds map[network.RequestID]network.ResourceType
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

func (l *load) finished(e *network.EventLoadingFinished) {
	if kind, ok := l.kinds[e.RequestID]; ok {
		l.bytes[kind] += int(e.EncodedDataLength)
	}
}

// total returns all bytes.
func (l *load) total() (total int) {
	for _, n := range l.bytes {
		total += n
	}
	return total
}

// loaded returns the load of the page opened last.
func (v *visitor) loaded() load {
	v.mu.Lock()
	defer v.mu.Unlock()
	return load{requests: v.load.requests, bytes: maps.Clone(v.load.bytes)}
}
