package sample

import "time"

// Demonstration returns the options of two successive releases of roots companies: the newest that
// could exist at the given time and the one before it, so that there are changes to show. The
// public records come with the later one.
func Demonstration(now time.Time, roots int) (former, latest Options) {
	latest = Options{Roots: roots, Seed: 1}
	latest.Month, latest.Day = Latest(now)
	before, _ := Latest(now.AddDate(0, 0, -now.Day())) // from a day of the month before
	former = Options{Roots: roots, Seed: 1, Month: before, OnlyReceita: true}
	latest.First, latest.Since = before, before
	return former, latest
}
