package places

import (
	"testing"

	"razao/site/page"
	"razao/site/page/pagetest"
)

func TestPagesHoldHostileText(t *testing.T) {
	t.Parallel()
	pagetest.Hostile[page.Page](t, page.Render, &rankingPage{}, &comparisonPage{})
}
