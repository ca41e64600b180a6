package ask

import (
	"context"
	"io"
	"net/http"
	"testing"

	"razao/internal/testing/fixture"
	"razao/internal/testing/freeport"
)

// TestHelloEnds asks gin's hello, and expects it to end with its context: the benchmark waits for it.
func TestHelloEnds(t *testing.T) {
	t.Parallel()
	address, err := freeport.Address()
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- Hello(ctx, address) }()
	fixture.Wait(t, "hello", func() bool {
		resp, err := http.Get("http://" + address + "/00000000000191")
		if err != nil {
			return false // it starts
		}
		defer func() { _ = resp.Body.Close() }()
		body, err := io.ReadAll(resp.Body)
		return err == nil && string(body) == "hello"
	})
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
