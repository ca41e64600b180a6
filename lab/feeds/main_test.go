package feeds

import (
	"testing"

	"razao/lab/internal/built"
)

func TestMain(m *testing.M) { built.Main(m) }
