package browser

import (
	"os"
	"path/filepath"
	"strconv"

	"github.com/chromedp/cdproto/page"
)

const (
	tallest     = 2600    // pixels of a picture; of longer pages there is the beginning
	maxPicture  = 150_000 // bytes
	bestQuality = 80
)

// picture takes a picture of the page into the folder of RAZAO_SCREENS, when it is set.
func (v *visitor) picture(s *state, width int64, variant string) {
	v.t.Helper()
	dir := os.Getenv("RAZAO_SCREENS")
	if dir == "" {
		return
	}
	v.size(width)
	height := eval[float64](v, `document.documentElement.scrollHeight`)
	clip := &page.Viewport{Width: float64(width), Height: min(height, tallest), Scale: 1}
	name := filepath.Join(dir, s.name+"-"+strconv.FormatInt(width, 10)+variant+".webp")
	for quality := int64(bestQuality); ; quality -= 15 {
		shot := page.CaptureScreenshot().WithFormat(page.CaptureScreenshotFormatWebp).WithQuality(quality).WithClip(clip).WithCaptureBeyondViewport(true)
		image, err := shot.Do(v.inPage())
		if err != nil {
			v.t.Fatal(err)
		}
		if len(image) > maxPicture && quality > 20 {
			continue
		}
		if err := os.WriteFile(name, image, 0o644); err != nil {
			v.t.Fatal(err)
		}
		return
	}
}
