package seal

import (
	"context"
	"encoding/base64"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func TestSealed(t *testing.T) {
	t.Parallel()
	s, other := New("a secret of the tests"), New("another secret of the tests")
	seen := map[string]bool{}
	for range 1000 {
		token := s.Token("access")
		if len(token) != 43 || seen[token] || !s.Sealed("access", token) {
			t.Fatalf("bad token %q", token)
		}
		seen[token] = true
		if s.Sealed("refresh", token) || other.Sealed("access", token) {
			t.Fatalf("%q passes for another purpose or secret", token)
		}
	}
	if string(s.Fingerprint()) == string(other.Fingerprint()) || len(s.Fingerprint()) != 8 {
		t.Errorf("fingerprints %x and %x", s.Fingerprint(), other.Fingerprint())
	}
	if same := New("a secret of the tests"); string(same.Fingerprint()) != string(s.Fingerprint()) {
		t.Error("the fingerprint of a secret changes")
	}
}

// TestDerivedToken derives tokens again, and from another text, for another purpose and under another
// secret.
func TestDerivedToken(t *testing.T) {
	t.Parallel()
	s := New("a secret of the tests")
	token := s.DerivedToken("access", "refresh token")
	if !s.Sealed("access", token) || token != New("a secret of the tests").DerivedToken("access", "refresh token") {
		t.Errorf("%q is not sealed, or not the same twice", token)
	}
	seen := map[string]bool{token[:26]: true} // of the random part
	for _, other := range []string{
		s.DerivedToken("access", "refresh tokeN"), s.DerivedToken("refresh", "refresh token"),
		New("another secret of the tests").DerivedToken("access", "refresh token"),
	} {
		if seen[other[:26]] {
			t.Errorf("%q comes from something else, too", other)
		}
		seen[other[:26]] = true
	}
}

// TestEncrypt opens what was sealed, and refuses it for another purpose or secret, in another spelling,
// and with any bit changed.
func TestEncrypt(t *testing.T) {
	t.Parallel()
	s, other := New("a secret of the tests"), New("another secret of the tests")
	for _, text := range []string{"", "x", "estado", strings.Repeat("\x00\xff", 5000)} {
		sealed := s.Encrypt("request", text)
		if got, ok := New("a secret of the tests").Decrypt("request", sealed); !ok || got != text {
			t.Errorf("%.20q became %.20q, %t", text, got, ok)
		}
		if sealed == s.Encrypt("request", text) {
			t.Errorf("%.20q is sealed the same way twice", text)
		}
		for _, opened := range []struct {
			by      *Sealer
			purpose string
			sealed  string
		}{
			{s, "code", sealed},
			{other, "request", sealed},
			{s, "request", sealed + "\n"},
			{s, "request", "\r" + sealed},
			{s, "request", sealed + "="},
			{s, "request", sealed[1:]},
			{s, "request", ""},
			{s, "request", s.Token("request")},
		} {
			if _, ok := opened.by.Decrypt(opened.purpose, opened.sealed); ok {
				t.Errorf("%.20q is opened as %q: %.50q", text, opened.purpose, opened.sealed)
			}
		}
	}
	sealed := s.Encrypt("request", "estado")
	raw, err := base64.RawURLEncoding.DecodeString(sealed)
	if err != nil {
		t.Fatal(err)
	}
	for bit := range 8 * len(raw) {
		raw[bit/8] ^= 1 << (bit % 8)
		if _, ok := s.Decrypt("request", base64.RawURLEncoding.EncodeToString(raw)); ok {
			t.Errorf("bit %d may change", bit)
		}
		raw[bit/8] ^= 1 << (bit % 8)
	}
}

func FuzzDecrypt(f *testing.F) {
	s := New("a secret of the tests")
	f.Add("")
	f.Add(s.Token("request"))
	f.Add(s.Encrypt("code", "x"))
	f.Fuzz(func(t *testing.T, sealed string) {
		if _, ok := s.Decrypt("request", sealed); ok {
			t.Errorf("%q was never sealed", sealed)
		}
	})
}

// TestEveryChangeIsRefused changes each character of a token to each other one of its alphabet. The
// token ends in a zero byte, as one of 256 does: without its last character it decodes to the same
// bytes.
func TestEveryChangeIsRefused(t *testing.T) {
	t.Parallel()
	s := New("a secret of the tests")
	token := s.Token("access")
	for raw := []byte{1}; raw[len(raw)-1] != 0; {
		token = s.Token("access")
		raw, _ = base64.RawURLEncoding.DecodeString(token) // what Token makes decodes
	}
	const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_=+/ \r\n\x00"
	for i := range len(token) {
		for _, c := range []byte(alphabet) {
			if changed := token[:i] + string(c) + token[i+1:]; changed != token && s.Sealed("access", changed) {
				t.Errorf("%q passes for %q", changed, token)
			}
		}
	}
	for _, wrong := range []string{"", token + "A", token[1:], token + "=", strings.Repeat("A", 43)} {
		if s.Sealed("access", wrong) {
			t.Errorf("%q passes", wrong)
		}
	}
}

func FuzzSealed(f *testing.F) {
	s := New("a secret of the tests")
	f.Add(s.Token("access"))
	f.Add(s.Token("refresh"))
	f.Add(strings.Repeat("A", 43))
	f.Add("")
	f.Fuzz(func(t *testing.T, token string) {
		raw, err := base64.RawURLEncoding.DecodeString(token)
		want := err == nil && len(raw) == 32 && base64.RawURLEncoding.EncodeToString(raw) == token
		if want {
			mac := s.MAC("access", string(raw[:20]))
			want = string(mac[:12]) == string(raw[20:])
		}
		if got := s.Sealed("access", token); got != want {
			t.Errorf("Sealed(%q) = %v, want %v", token, got, want)
		}
	})
}

func BenchmarkSealed(b *testing.B) {
	s := New("a secret of the tests")
	token := s.Token("access")
	for b.Loop() {
		if !s.Sealed("access", token) {
			b.Fatal("refused")
		}
	}
}

// TestFilter follows MayExist as foreign secrets come and go.
func TestFilter(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		asked, exist, trouble := 0, true, error(nil)
		g := NewFilter(func(context.Context) (bool, error) { asked++; return exist, trouble })
		guess := func() bool { may := g.MayExist(Hash{1}, false); synctest.Wait(); return may }
		for range 2 {
			if !guess() || asked != 1 {
				t.Errorf("at first: asked %d times", asked)
			}
		}
		exist = false
		time.Sleep(askEvery)
		if !guess() { // and learns
			t.Error("what was known a minute ago is forgotten")
		}
		if guess() || asked != 2 {
			t.Errorf("no secret of another seal: asked %d times", asked)
		}
		exist = true
		time.Sleep(askEvery - time.Second)
		if guess() {
			t.Error("asked too often")
		}
		time.Sleep(time.Second)
		_ = guess()
		if !guess() || asked != 3 {
			t.Errorf("a secret of another seal was made: asked %d times", asked)
		}
		exist = false
		time.Sleep(askEvery)
		_ = guess()
		trouble = errors.New("no database")
		time.Sleep(knownFor)
		for range 2 {
			if !guess() {
				t.Error("what is unknown is taken not to exist")
			}
		}
	})
}

// TestFilterRemembers follows one sealed and one foreign secret.
func TestFilterRemembers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := NewFilter(func(context.Context) (bool, error) { return false, nil })
		own, foreign := Hash{1}, Hash{2}
		g.Record(foreign, false, true)
		_ = g.MayExist(Hash{3}, false)
		synctest.Wait()
		if g.MayExist(Hash{3}, false) || g.Known(Hash{3}, false) {
			t.Error("a guess is worth a query")
		}
		if !g.Known(foreign, false) || !g.MayExist(foreign, false) || !g.Known(own, true) || !g.MayExist(own, true) {
			t.Error("what is no guess is not worth a query")
		}
		g.Record(foreign, false, false)
		g.Record(own, true, false)
		if g.Known(foreign, false) || g.MayExist(foreign, false) || g.MayExist(own, true) {
			t.Error("what was revoked is looked up again at once")
		}
		time.Sleep(refusedFor)
		if !g.MayExist(own, true) || !g.Known(own, true) {
			t.Error("a refusal is remembered for ever")
		}
	})
}

// TestFilterClose closes a filter whose query hangs: the query is cancelled and waited for, and no other
// one starts.
func TestFilterClose(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		asked, ended := 0, error(nil)
		g := NewFilter(func(ctx context.Context) (bool, error) {
			asked++
			<-ctx.Done()
			ended = ctx.Err()
			return false, ended
		})
		_ = g.MayExist(Hash{1}, false)
		synctest.Wait()
		g.Close()
		if !errors.Is(ended, context.Canceled) {
			t.Errorf("the query ended with %v, want it cancelled", ended)
		}
		time.Sleep(askEvery)
		if !g.MayExist(Hash{1}, false) {
			t.Error("what is unknown is taken not to exist")
		}
		synctest.Wait()
		if asked != 1 {
			t.Errorf("asked %d times, want once", asked)
		}
		g.Close() // again: nothing to wait for
	})
}
