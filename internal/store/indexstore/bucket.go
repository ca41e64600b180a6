package indexstore

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"net/http"
	"net/url"
	"strings"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"

	"razao/internal/web/fetch"
)

// bucket is a store below a prefix in an S3 bucket, or in any service with its protocol.
type bucket struct {
	core         minio.Core
	name, prefix string // prefix is "" or ends in a slash
}

// s3Attempts is the number of attempts that the client makes at one request.
const (
	awsEndpoint = "https://s3.amazonaws.com"
	s3Attempts  = 3
)

// openBucket parses an s3:// address. It takes credentials from the variables of AWS or MinIO;
// without any, requests are anonymous.
func openBucket(u *url.URL) (*bucket, error) {
	query := u.Query()
	address := awsEndpoint
	if query.Has("endpoint") {
		address = query.Get("endpoint")
	}
	end, err := url.Parse(address)
	if err != nil || u.Host == "" || end.Host == "" || end.Scheme != "http" && end.Scheme != "https" {
		return nil, errors.New("it is not s3://bucket/prefix?endpoint=https://host:port")
	}
	for key := range query {
		if key != "endpoint" && key != "region" {
			return nil, fmt.Errorf("s3://… takes endpoint and region, not %q", key)
		}
	}
	client, err := minio.New(end.Host, &minio.Options{
		Secure: end.Scheme == "https", Region: query.Get("region"), Transport: transport(), MaxRetries: s3Attempts,
		Creds: credentials.NewChainCredentials([]credentials.Provider{&credentials.EnvAWS{}, &credentials.EnvMinio{}}),
	})
	if err != nil {
		return nil, err
	}
	prefix := strings.Trim(u.Path, "/")
	if prefix != "" {
		prefix += "/"
	}
	return &bucket{minio.Core{Client: client}, u.Host, prefix}, nil
}

func (b *bucket) String() string {
	return "s3://" + b.name + "/" + b.prefix + " at " + b.core.EndpointURL().Host
}

// Open implements Store.
func (b *bucket) Open(ctx context.Context, name string, from int64) (io.ReadCloser, error) {
	var o minio.GetObjectOptions
	if from > 0 {
		if err := o.SetRange(from, 0); err != nil {
			return nil, err
		}
	}
	body, _, _, err := b.core.GetObject(ctx, b.name, b.prefix+name, o)
	if err != nil {
		return nil, explain(name, err)
	}
	return body, nil
}

// explain classifies an error of S3: a missing key wraps fs.ErrNotExist, anything else is a
// *fetch.Trouble that may be passing or not. A missing bucket is not a missing file.
func explain(name string, err error) error {
	var refused minio.ErrorResponse
	switch {
	case !errors.As(err, &refused):
		return fetch.Passing("%s: %w", name, err)
	case refused.StatusCode == http.StatusNotFound && refused.Code == minio.NoSuchKey:
		return fmt.Errorf("%s: %w (%w)", name, fs.ErrNotExist, err)
	}
	return &fetch.Trouble{Err: fmt.Errorf("%s: %s: %w", name, refused.Code, err), Again: fetch.MayPass(refused.StatusCode)}
}

// Put implements Writable. Large files are multipart uploads of 16 MB parts, each retried by
// itself. Chunked payload signatures are disabled: not every server supports them, TLS protects the
// transport, and whoever fetches a file compares its checksum.
func (b *bucket) Put(ctx context.Context, name string, size int64, content io.ReadSeeker) error {
	_, err := b.core.Client.PutObject(ctx, b.name, b.prefix+name, content, size,
		minio.PutObjectOptions{ContentType: "application/octet-stream", DisableContentSha256: true})
	return err
}

// List implements Writable.
func (b *bucket) List(ctx context.Context, prefix string) iter.Seq2[Object, error] {
	return func(yield func(Object, error) bool) {
		all := b.core.ListObjectsIter(ctx, b.name, minio.ListObjectsOptions{Prefix: b.prefix + prefix, Recursive: true})
		for o := range all {
			if !yield(Object{strings.TrimPrefix(o.Key, b.prefix), o.Size, o.LastModified}, o.Err) || o.Err != nil {
				return
			}
		}
	}
}

// Remove implements Writable.
func (b *bucket) Remove(ctx context.Context, name string) error {
	return b.core.RemoveObject(ctx, b.name, b.prefix+name, minio.RemoveObjectOptions{})
}
