package web

import (
	"math/rand/v2"
	"strconv"
)

// RetryAfter returns the Retry-After of a 503: 3 to 8 seconds at random, so that clients refused together do not come back
// together.
func RetryAfter() string {
	const least, most = 3, 8
	return strconv.Itoa(least + rand.IntN(most-least+1))
}
