package main

import (
	"errors"
	"fmt"
	"path/filepath"

	"razao/internal/seal"
)

// secret returns what keys are derived from: RAZAO_SECRET, which several servers share, or one made once for the data folder.
func (a *app) secret() (string, error) {
	given := a.settings.Secret
	if given == "" {
		return seal.SecretFile(a.settings.secretFile())
	}
	if len(given) < seal.LeastSecret {
		return "", fmt.Errorf("RAZAO_SECRET has %d characters, at least %d are needed", len(given), seal.LeastSecret)
	}
	return given, nil
}

// keepSecret makes the secret of a backup that of the data folder, unless RAZAO_SECRET names one. Another one there goes if replace says
// so: keys and tokens work with either, as "The secret" in docs/operations.md explains, but cost more with the wrong one.
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
