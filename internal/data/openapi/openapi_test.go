package openapi

import "testing"

func TestMembersKeepTheirOrder(t *testing.T) {
	t.Parallel()
	got, err := Marshal(Object{{"b", 1}, {"a", Object{}}, {`"&`, []Object{{{"c", nil}}}}})
	if want := `{"b":1,"a":{},"\"&":[{"c":null}]}`; err != nil || string(got) != want {
		t.Errorf("got %s, %v, want %s", got, err, want)
	}
	if _, err := Marshal(Object{{"a", func() {}}}); err == nil {
		t.Error("a value without JSON is no error")
	}
}
