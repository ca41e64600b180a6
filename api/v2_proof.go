package api

import (
	"encoding/json"
	"fmt"

	"github.com/gin-gonic/gin"

	"razao/internal/data/openapi"
	"razao/internal/store/loads"
	"razao/internal/store/proof"
	"razao/internal/web"
)

// proofRoute is the proof that a company is in the load. It has no collections, so it takes no parameters.
var proofRoute = route{resource: companyResource, modo: "prova", path: "prova"}

// prove serves /v2/empresas/{raiz}/prova.
func (a *API) prove(c *gin.Context, b *body) error {
	q := v2Request{route: proofRoute}
	if err := q.parseDocument(c.Param("documento")); err != nil {
		return err
	}
	if _, err := parameters(c.Request.URL); err != nil {
		return err
	}
	s, err := a.config.Live.Acquire()
	if err != nil {
		return fmt.Errorf("current snapshot: %w", err)
	}
	defer s.Release()
	ctx := c.Request.Context()
	leaf, err := loads.Prove(ctx, s, q.document.Root)
	if err != nil {
		return err
	}
	checkpoint, err := a.config.Checkpoints.Checkpoint(&s.Load)
	if err != nil {
		return err
	}
	dados, err := json.Marshal(proof.NewAnswer(q.document.Root, &s.Load, checkpoint, &leaf))
	if err != nil {
		return fmt.Errorf("encode a proof: %w", err)
	}
	b.bytes = append(append(b.bytes, `{"dados":`...), dados...)
	b.etag = web.ETag(appendGaps(b.bytes, &s.Load, lackingOf(&s.Load, q.parts())))
	v := &v2Renderer{v2Request: q, snap: s}
	b.bytes = append(v.meta(b.bytes, web.EventOf(ctx).RequestID), '}')
	return nil
}

// proofOperation describes the route.
func proofOperation() operation {
	return operation{
		Operation: openapi.Operation{
			Path: "/v2/" + proofRoute.plural + "/{documento}/" + proofRoute.path, ID: "empresa_prova", Tags: []string{companyResource.plural},
			Parameters: []openapi.Object{companyResource.parameter()},
		},
		schema: "RespostaProva", example: "v2_empresa_prova", refusals: common(),
	}
}

// proofRowSchema is the schema of a row of a proof.Answer.
func proofRowSchema() openapi.Object {
	return openapi.Record("Uma linha guardada.",
		openapi.Field("seq", openapi.Object{
			openapi.Field("type", "integer"), openapi.Field("description", "0: a empresa e os primeiros sócios e estabelecimentos; acima, mais estabelecimentos; abaixo, mais sócios"),
		}),
		openapi.Field("doc", openapi.Text("a linha como foi guardada, em base64")))
}

// proofSchema is the schema of proof.Answer.
func proofSchema() openapi.Object {
	return openapi.Record(
		"A prova. Hashes e bytes em base64 (RFC 4648, seção 4).",
		openapi.Field("cnpj_basico", openapi.Text("as 8 posições da empresa")),
		openapi.Field("carga", openapi.Integer("número da carga, cuja página é /fontes/receita/cargas/{carga}")),
		openapi.Field("indice", openapi.Integer("posição da folha, a partir de 0, na ordem dos CNPJs")),
		openapi.Field("tamanho", openapi.Integer("folhas da árvore: as empresas da carga, também as que só têm estabelecimentos")),
		openapi.Field("folha", openapi.Text("hash da folha: SHA-256 do byte 0, das 8 posições, do nonce e, de cada linha, seq e tamanho (4 bytes cada, big endian) e doc")),
		openapi.Field("caminho", openapi.List(openapi.Text("hash da subárvore vizinha, da folha para a raiz"))),
		openapi.Field("checkpoint", openapi.Text("nota assinada: origem, tamanho e raiz da árvore; assinatura Ed25519")),
		openapi.Field("chave", openapi.Text("chave que confere a assinatura: nome, hash e chave pública")),
		openapi.Field("nonce", openapi.TextOrNull("16 bytes que entram na folha, para que o hash não revele o que falta; null sem linhas")),
		openapi.Field("linhas", openapi.OrNull(openapi.List(component("LinhaGuardada")))),
		openapi.Field("aviso", openapi.TextOrNull("por que não há linhas; null quando há")),
	)
}
