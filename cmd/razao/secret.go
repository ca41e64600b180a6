package main

import (
	"errors"
	"fmt"
	"path/filepath"

	"razao/internal/people/seal"
)

// secret returns the secret from which keys are derived: RAZAO_SECRET, which several servers share,
// or the one in the data folder, created on first use.
func (a *app) secret() (string, error) {
	if given := a.settings.Secret; given != "" {
		return given, nil
	}
	return seal.SecretFile(a.settings.secretFile())
}

// keepSecret makes the secret of a backup that of the data folder, unless RAZAO_SECRET is set. With
// the wrong secret, keys and tokens still work, but every use costs a look-up; see "The secret" in
// docs/operations.md. Therefore another secret in the folder is replaced only if replace is set.
func (a *app) keepSecret(secret string, replace bool) error {
	if secret == "" || a.settings.Secret == secret {
		return nil
	}
	if a.settings.Secret != "" {
		a.log.Warn("the backup has another secret than RAZAO_SECRET: keys and tokens of before work at a price (docs/operations.md, \"The secret\")")
		return nil
	}
	err := seal.KeepSecret(a.settings.secretFile(), secret, replace)
	if errors.Is(err, seal.ErrOtherSecret) {
		return fmt.Errorf("%s is not the secret of the backup: delete it if no server uses it, or --replace", a.settings.secretFile())
	}
	return err
}

func (s *settings) secretFile() string { return filepath.Join(s.Data, "secret") }
