package s3test

import (
	"testing"

	"razao/internal/store/indexstore"
	"razao/internal/store/indexstore/storetest"
)

// TestStore checks the index store in S3.
func TestStore(t *testing.T) {
	t.Setenv("AWS_ACCESS_KEY_ID", "test")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "testtest")
	s, err := indexstore.Open(Start(t))
	if err != nil {
		t.Fatal(err)
	}
	storetest.Check(t, s.(indexstore.Writable), nil)
}
