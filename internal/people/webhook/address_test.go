package webhook

import (
	"errors"
	"net/url"
	"strconv"
	"testing"
)

// TestOneReceiverOnce spells an address that an account has in every other way.
func TestOneReceiverOnce(t *testing.T) {
	t.Parallel()
	s, id := newWebhooks(t)
	if _, err := NewStore(s.pool, s.seal, false).Create(t.Context(), id, "formulario", "https://exemplo.com/x/y?a=b%2Fc"); err != nil {
		t.Fatal(err)
	}
	for i, address := range []string{
		"https://EXEMPLO.com/x/y?a=b%2Fc", "https://exemplo.com./x/y?a=b%2Fc", "https://exemplo.com:443/x/y?a=b%2Fc", "https://exemplo.com:0443/x/y?a=b%2Fc",
		"https://exemplo.com//x/y?a=b%2Fc", "https://exemplo.com/x//y?a=b%2Fc", "https://exemplo.com/x/./y?a=b%2Fc", "https://exemplo.com/z/../x/y?a=b%2Fc",
		"https://exemplo.com/%78/y?a=b%2Fc", "https://exemplo.com/x/y?%61=b%2fc", "https://exemplo.com/%7a/%2E%2e/x/y?a=b%2Fc",
	} {
		unhurried := NewStore(s.pool, s.seal, false) // what an account may ask without a pause is counted by store
		if _, err := unhurried.Create(t.Context(), id, "outro"+strconv.Itoa(i), address); !errors.Is(err, ErrSameURL) {
			t.Errorf("%s: %v", address, err)
		}
	}
	for address, same := range map[string]string{
		"https://exemplo.com": "https://exemplo.com/?", "http://exemplo.com:80/": "http://exemplo.com", "https://[::1]/": "https://[0:0::1]/", "http://127.0.0.1:9/x": "http://[::ffff:127.0.0.1]:9/x",
		"https://ação.example/": "https://XN--AO-SIAP.example/", "https://exemplo.com/é": "https://exemplo.com/%c3%A9",
	} {
		if normal(address) != normal(same) {
			t.Errorf("%s is %s, %s is %s", address, normal(address), same, normal(same))
		}
	}
	for _, other := range []string{
		"https://exemplo.com/x/y", "https://exemplo.com/x/y/?a=b%2Fc", "https://exemplo.com/x/Y?a=b%2Fc", "https://exemplo.com/x%2Fy?a=b%2Fc", "https://exemplo.com/x/y?a=b/c",
		"https://exemplo.com:80/x/y?a=b%2Fc", "https://www.exemplo.com/x/y?a=b%2Fc", "http://exemplo.com/x/y?a=b%2Fc",
	} {
		if normal(other) == normal("https://exemplo.com/x/y?a=b%2Fc") {
			t.Errorf("%s is another receiver", other)
		}
	}
}

// FuzzNormal: the spelling that stands for all stands for itself, and is an address of the same host.
func FuzzNormal(f *testing.F) {
	for _, address := range []string{"https://exemplo.com", "https://a:443//b/../c%2f?", "http://[::1]:080/%", "https://é./x", "http://[::]", "http://[fe80::1%25a%2Fb]/"} {
		f.Add(address)
	}
	public := NewStore(nil, nil, true)
	f.Fuzz(func(t *testing.T, address string) {
		if public.check(address) != nil {
			return
		}
		once := normal(address)
		if again := normal(once); again != once {
			t.Errorf("%q is %q, and that %q", address, once, again)
		}
		if _, err := url.Parse(once); err != nil {
			t.Errorf("%q is %q: %v", address, once, err)
		}
	})
}
