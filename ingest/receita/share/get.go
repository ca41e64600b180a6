package share

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"

	"razao/internal/web/fetch"
)

const chunk = 256 << 10 // bytes between writes and reports of progress

// resume requests the bytes that the part at path lacks and appends them. It returns nil once the
// part has its full size.
func (c *Client) resume(ctx context.Context, url, path string, file File) error {
	part, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	defer func() { _ = part.Close() }()
	held, err := part.Seek(0, io.SeekEnd)
	if err != nil {
		return err
	}
	if held == file.Bytes {
		return part.Sync()
	}
	if held > file.Bytes {
		held = 0
	}
	a, err := c.get(ctx, url, file, held)
	if err != nil {
		return err
	}
	defer a.Close()
	if a.StatusCode == http.StatusRequestedRangeNotSatisfiable {
		return cmp.Or[error](cut(part, 0), fetch.Passing("the server does not know the bytes from %d on", held))
	}
	from, err := begins(a, file, held)
	if err != nil {
		return err
	}
	if err := cut(part, from); err != nil {
		return err
	}
	return c.receive(a, part, file, from)
}

// get requests a file from an offset on, under the condition that it is still the listed version.
func (c *Client) get(ctx context.Context, url string, file File, offset int64) (*fetch.Answer, error) {
	req, err := http.NewRequest(http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	if offset > 0 {
		req.Header.Set("Range", fmt.Sprintf("bytes=%d-", offset))
		// If-Range needs a strong tag (RFC 9110, section 13.1.5); begins compares a weak one.
		if strings.HasPrefix(file.ETag, `"`) {
			req.Header.Set("If-Range", file.ETag)
		}
	}
	return c.send(ctx, req)
}

// begins returns the offset at which the body of an answer begins, or why the answer cannot be
// used. It is asked before anything on disk is discarded.
func begins(a *fetch.Answer, file File, asked int64) (int64, error) {
	var from int64
	switch a.StatusCode {
	case http.StatusOK:
	case http.StatusPartialContent:
		var last, total int64
		_, err := fmt.Sscanf(a.Header.Get("Content-Range"), "bytes %d-%d/%d", &from, &last, &total)
		if err == nil && total == file.Bytes && from == asked {
			break
		}
		if sameETag(a.Header.Get("ETag"), file.ETag) {
			return 0, fetch.Passing("the server sent %q when asked for the bytes from %d on", a.Header.Get("Content-Range"), asked)
		}
	default:
		return 0, refusal(a)
	}
	switch {
	case a.IsPage():
		return 0, pageError(a)
	case !sameETag(a.Header.Get("ETag"), file.ETag):
		return 0, fmt.Errorf("%w (ETag %s, listed %s): try again later", errChanged, a.Header.Get("ETag"), file.ETag)
	case a.ContentLength >= 0 && a.ContentLength != file.Bytes-from:
		return 0, fetch.Passing("the server wants to send %d bytes where %d are missing", a.ContentLength, file.Bytes-from)
	}
	return from, nil
}

// sameETag compares the tag of an answer with the listed one, ignoring weakness. An answer without
// a tag passes: size and checksum decide then.
func sameETag(sent, listed string) bool {
	bare := func(s string) string { return strings.Trim(strings.TrimPrefix(s, "W/"), `"`) }
	return sent == "" || bare(sent) == bare(listed)
}

// receive appends the body of an answer to a part that ends at offset. A body that is longer than
// listed discards the part.
func (c *Client) receive(a *fetch.Answer, part *os.File, file File, offset int64) error {
	buf := make([]byte, chunk)
	for {
		n, err := a.Read(buf)
		if offset+int64(n) > file.Bytes {
			return cmp.Or[error](cut(part, 0), fetch.Passing("the server sent more than the %d bytes it lists", file.Bytes))
		}
		if _, err := part.Write(buf[:n]); err != nil {
			return fmt.Errorf("%w: the download needs %d bytes more: free space and try again", err, file.Bytes-offset)
		}
		offset += int64(n)
		c.report(file.Name, offset, file.Bytes)
		switch {
		case err == io.EOF && offset == file.Bytes:
			return part.Sync()
		case err == io.EOF:
			return fetch.Passing("the server ended after %d of %d bytes", offset, file.Bytes)
		case err != nil:
			return err
		}
	}
}

// cut truncates a file to size and moves its position there.
func cut(f *os.File, size int64) error {
	if err := f.Truncate(size); err != nil {
		return err
	}
	_, err := f.Seek(size, io.SeekStart)
	return err
}
