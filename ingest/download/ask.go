package download

import (
	"context"
	"fmt"
	"io"
	"net/http"

	"razao/internal/web/fetch"
)

// read returns the body, up to 16 MiB, of a short answer such as a page or a catalogue. It retries.
func (r *run) read(ctx context.Context, address string) (body []byte, err error) {
	err = r.retry.Do(ctx, address, func() (bool, error) {
		body, err = r.readOnce(ctx, address)
		return false, err
	})
	return body, err
}

// readOnce is one attempt of read.
func (r *run) readOnce(ctx context.Context, address string) ([]byte, error) {
	const most = 16 << 20
	a, err := r.get(ctx, address, nil)
	if err != nil {
		return nil, err
	}
	defer a.Close()
	if a.StatusCode != http.StatusOK {
		return nil, r.refusal(a)
	}
	body, err := io.ReadAll(io.LimitReader(a, most+1))
	if err == nil && len(body) > most {
		return nil, &fetch.Trouble{Err: fmt.Errorf("%s answers with more than %d bytes", address, most)}
	}
	return body, err
}

// exists reports whether a file is published at an address. It asks by GET for the first byte,
// because some servers refuse HEAD. An HTML page does not count.
func (r *run) exists(ctx context.Context, address string) (found bool, err error) {
	err = r.retry.Do(ctx, address, func() (bool, error) {
		a, err := r.get(ctx, address, http.Header{"Range": {"bytes=0-0"}})
		if err != nil {
			return false, err
		}
		defer a.Close()
		switch a.StatusCode {
		case http.StatusOK, http.StatusPartialContent:
			found = !a.IsPage()
			return false, nil
		}
		return false, r.refusal(a)
	})
	if isMissing(err) {
		return false, nil
	}
	return found, err
}
