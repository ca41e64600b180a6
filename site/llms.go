package site

import (
	"bytes"
	"net/http"

	"github.com/gin-gonic/gin"

	"razao/internal/source"
	"razao/internal/web"
)

// writeLLMs renders /llms.txt, a site summary for language models in the format of llmstxt.org.
func (s *Site) writeLLMs() error {
	parsed, err := s.pages.ParseMarkdown("llms", templateFiles)
	if err != nil {
		return err
	}
	var body bytes.Buffer
	err = parsed.Execute(&body, append([]source.Source{source.Cadastre()}, source.All()...))
	s.llmsTxt = body.Bytes()
	return err
}

// llms answers /llms.txt.
func (s *Site) llms(c *gin.Context) {
	s.pages.Sender.Send(c, web.Reply{Status: http.StatusOK, ContentType: "text/plain; charset=utf-8", ETag: web.ETag(s.llmsTxt), Caching: forADay, Body: s.llmsTxt})
}
