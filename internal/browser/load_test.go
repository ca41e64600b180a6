package browser

import "github.com/chromedp/cdproto/network"

// load is what a page took over the network.
type load struct {
	Requests int
	Bytes    map[network.ResourceType]int // with the headers of the answers

	kinds map[network.RequestID]network.ResourceType
}

func (l *load) sent(e *network.EventRequestWillBeSent) {
	if e.RedirectResponse == nil {
		l.Requests++
	}
}

func (l *load) answered(e *network.EventResponseReceived) {
	if l.kinds == nil {
		l.kinds, l.Bytes = map[network.RequestID]network.ResourceType{}, map[network.ResourceType]int{}
	}
	l.kinds[e.RequestID] = e.Type
}

func (l *load) finished(e *network.EventLoadingFinished) {
	if kind, ok := l.kinds[e.RequestID]; ok {
		l.Bytes[kind] += int(e.EncodedDataLength)
	}
}

// Total returns all bytes.
func (l *load) Total() (total int) {
	for _, n := range l.Bytes {
		total += n
	}
	return total
}
