package metrics

import (
	"github.com/prometheus/client_golang/prometheus"

	"razao/internal/web"
)

var (
	slotsMax     = describe("slots", "Requests of a class that may be worked on at once.", "class")
	slotsTaken   = describe("slots_taken", "Requests that are being worked on.", "class")
	slotsWaiting = describe("slots_waiting", "Requests that wait for a slot.", "class")
	slotsRefused = describe("slots_refused_total", "Requests that were refused because no slot was free soon enough.", "class")

	bodiesMax     = describe("bodies_max_bytes", "Bytes of large bodies that may be held at once.")
	bodiesHeld    = describe("bodies_held_bytes", "Bytes of large bodies that arrive, are made or are sent.")
	bodiesRefused = describe("bodies_refused_total", "Bodies that were not made because too many bytes were held.")
)

// limits is the collector of what sheds load.
type limits struct {
	uncheckedCollector
	slots  map[string]*web.Slots
	bodies *web.SharedSlots
}

// Watch adds what sheds load: the slots of requests, by class, and the bytes of large bodies. It must
// be called at most once.
func (m *Metrics) Watch(slots map[string]*web.Slots, bodies *web.SharedSlots) {
	if m != nil {
		m.registry.MustRegister(&limits{slots: slots, bodies: bodies})
	}
}

// Collect implements prometheus.Collector.
func (l *limits) Collect(to chan<- prometheus.Metric) {
	out := sink(to)
	for class, p := range l.slots {
		stats := p.Stats()
		out.gauge(slotsMax, float64(stats.Size), class)
		out.gauge(slotsTaken, float64(stats.Taken), class)
		out.gauge(slotsWaiting, float64(stats.Waiting), class)
		out.count(slotsRefused, stats.Refused, class)
	}
	bodies := l.bodies.Stats()
	out.gauge(bodiesMax, float64(bodies.Size))
	out.gauge(bodiesHeld, float64(bodies.Taken))
	out.count(bodiesRefused, bodies.Refused)
}
