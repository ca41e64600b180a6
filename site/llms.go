package site

import (
	"bytes"

	"razao/internal/data/source"
	"razao/internal/web"
)

// writeLLMs renders /llms.txt, a site summary for language models in the format of llmstxt.org.
func (s *Site) writeLLMs() error {
	parsed, err := s.pages.ParseMarkdown("llms", templateFiles)
	if err != nil {
		return err
	}
	var body bytes.Buffer
	err = parsed.Execute(&body, append([]source.Source{source.CompanyRegistry()}, source.All()...))
	s.llms = web.NewDocument("text/plain; charset=utf-8", forADay, body.Bytes(), nil)
	return err
}
