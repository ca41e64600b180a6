package account

import (
	"errors"
	"strings"
	"testing"

	"razao/internal/people/seal"
)

// TestKeysOfEverySealWork presents keys of the meter's own seal, of another seal, and without a
// MAC.
func TestKeysOfEverySealWork(t *testing.T) {
	s, m := setUp(t)
	own, _ := mustCreate(t, s, "ana@exemplo.com", "esta")
	other, otherKey := mustCreate(t, NewStore(s.pool, seal.New("another secret of the tests")), "ana@exemplo.com", "outra")
	old, oldKey := mustCreate(t, NewStore(s.pool, seal.New("a third secret of the tests")), "ana@exemplo.com", "antiga")
	execute(t, s.pool, `UPDATE api_key SET seal = NULL WHERE id = $1`, oldKey.ID)
	if !m.Knows(own) || m.Knows(other) || m.Knows(old) {
		t.Errorf("known at first: %t %t %t", m.Knows(own), m.Knows(other), m.Knows(old))
	}
	for name, key := range map[string]string{"own": own, "other": other, "old": old} {
		if _, err := m.Admit(t.Context(), key); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if !m.Knows(key) {
			t.Errorf("%s: not known once it was admitted", name)
		}
	}
	for _, id := range []KeyID{otherKey.ID, oldKey.ID} {
		must(t, NewStore(s.pool, nil).RevokeKey(t.Context(), id))
	}
	for name, key := range map[string]string{"other": other, "old": old} {
		if _, err := m.Admit(t.Context(), key); !errors.Is(err, ErrInvalidKey) || m.Knows(key) {
			t.Errorf("%s, revoked: %v, known %t", name, err, m.Knows(key))
		}
	}
}

// TestForeignKeysAreNoticed runs the query whether active keys exist that this seal did not make.
func TestForeignKeysAreNoticed(t *testing.T) {
	s, _ := setUp(t)
	exist := func() bool {
		t.Helper()
		found, err := foreignKeys(t.Context(), s.pool, testSeal)
		must(t, err)
		return found
	}
	mustCreate(t, s, "ana@exemplo.com", "esta")
	if exist() {
		t.Error("the service's own keys are foreign")
	}
	for _, secret := range []string{"a", "b", "c", "d", "e", "f", "g", "h"} { // whose fingerprints are less and greater
		_, key := mustCreate(t, NewStore(s.pool, seal.New(secret)), "ana@exemplo.com", "outra")
		if !exist() {
			t.Errorf("the key of secret %s is not noticed", secret)
		}
		execute(t, s.pool, `UPDATE api_key SET seal = NULL WHERE id = $1`, key.ID)
		if !exist() {
			t.Error("a key without a seal is not noticed")
		}
		must(t, NewStore(s.pool, nil).RevokeKey(t.Context(), key.ID))
		if exist() {
			t.Error("a revoked key counts")
		}
	}
}

// TestARevokedKeyInALoopCostsOneQuery closes the database after the first refusal.
func TestARevokedKeyInALoopCostsOneQuery(t *testing.T) {
	s, _ := setUp(t)
	m := idleMeter(secondPool(t, s.pool))
	plain, key := mustCreate(t, s, "ana@exemplo.com", "ERP")
	must(t, s.RevokeKey(t.Context(), key.ID))
	for i := range 3 {
		if _, err := m.Admit(t.Context(), plain); !errors.Is(err, ErrInvalidKey) || !m.Knows(plain) {
			t.Fatalf("time %d: %v", i+1, err)
		}
		m.pool.Close()
	}
}

func TestForgedMACs(t *testing.T) {
	t.Parallel()
	for range 1000 {
		key := newKey(testSeal)
		if !sealed(testSeal, key) || sealed(seal.New("another secret of the tests"), key) {
			t.Fatalf("key %q", key)
		}
		forged := goodKey(key[3:36] + string(base62[(strings.IndexByte(base62, key[36])+1)%62]))
		if !wellFormed(forged) || sealed(testSeal, forged) {
			t.Fatalf("%q passes for %q", forged, key)
		}
	}
}

// FuzzSealedKey checks that a well-formed key is sealed only with the MAC of its random part.
func FuzzSealedKey(f *testing.F) {
	f.Add(newKey(testSeal)[3:37])
	f.Add(strings.Repeat("0", 34))
	f.Fuzz(func(t *testing.T, secret string) {
		key := goodKey(secret)
		if !wellFormed(key) {
			return
		}
		mac := macOf(testSeal, secret[:24])
		if got := sealed(testSeal, key); got != (string(mac[:]) == secret[24:]) {
			t.Errorf("sealed(%q) = %v", key, got)
		}
	})
}
