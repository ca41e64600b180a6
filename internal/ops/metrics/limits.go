package metrics

import (
	"github.com/prometheus/client_golang/prometheus"

	"razao/internal/web"
)

var (
	placesMax     = describe("places", "Requests of a class that may be worked on at once.", "class")
	placesTaken   = describe("places_taken", "Requests that are being worked on.", "class")
	placesWaiting = describe("places_waiting", "Requests that wait for a place.", "class")
	placesRefused = describe("places_refused_total", "Requests that were refused because there was no place soon enough.", "class")

	bodiesMax     = describe("bodies_max_bytes", "Bytes of large bodies that may be held at once.")
	bodiesHeld    = describe("bodies_held_bytes", "Bytes of large bodies that are being made or sent.")
	bodiesRefused = describe("bodies_refused_total", "Bodies that were not made because too many bytes were held.")
)

// limits is the collector of what sheds load.
type limits struct {
	places map[string]*web.Places
	bodies *web.Budget
}

// Watch adds what sheds load: the places of requests, by class, and the byte budget of large
// bodies. It must be called at most once.
func (m *Metrics) Watch(places map[string]*web.Places, bodies *web.Budget) {
	if m != nil {
		m.registry.MustRegister(&limits{places, bodies})
	}
}

// Describe implements prometheus.Collector.
func (l *limits) Describe(to chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{placesMax, placesTaken, placesWaiting, placesRefused, bodiesMax, bodiesHeld, bodiesRefused} {
		to <- d
	}
}

// Collect implements prometheus.Collector.
func (l *limits) Collect(to chan<- prometheus.Metric) {
	out := sink(to)
	for class, p := range l.places {
		stats := p.Stats()
		out.gauge(placesMax, float64(stats.Size), class)
		out.gauge(placesTaken, float64(stats.Taken), class)
		out.gauge(placesWaiting, float64(stats.Waiting), class)
		out.count(placesRefused, stats.Refused, class)
	}
	size, held, refused := l.bodies.Stats()
	out.gauge(bodiesMax, float64(size))
	out.gauge(bodiesHeld, float64(held))
	out.count(bodiesRefused, refused)
}
