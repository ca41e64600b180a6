// Code generated from /v2/openapi.json by lab/clients. DO NOT EDIT.

package razao

import (
	"context"
	"encoding/json"
	"iter"
	"net/http"
)

// ResultadoDescricoes: Textos dos códigos.
type ResultadoDescricoes struct {
	IdentificadorMatrizFilial *string `json:"identificador_matriz_filial"` // texto do código identificador_matriz_filial; null: desconhecido
	SituacaoCadastral         *string `json:"situacao_cadastral"`          // texto do código situacao_cadastral; null: desconhecido
	CnaeFiscalPrincipal       *string `json:"cnae_fiscal_principal"`       // texto do código cnae_fiscal_principal; null: desconhecido
	PorteEmpresa              *string `json:"porte_empresa"`               // texto do código porte_empresa; null: desconhecido
	Municipio                 *string `json:"municipio"`                   // texto do código municipio; null: desconhecido
}

// Resultado: Um estabelecimento encontrado; quando o resultado é a empresa, aquele que a representa. Os campos são os dele e os da sua empresa.
type Resultado struct {
	Cnpj                      string              `json:"cnpj"`                        // CNPJ do estabelecimento
	CnpjBasico                string              `json:"cnpj_basico"`                 // as 8 primeiras posições do CNPJ, que identificam a empresa
	RazaoSocial               string              `json:"razao_social"`                // razão social ou nome empresarial; um CPF no fim é mascarado
	NomeFantasia              string              `json:"nome_fantasia"`               // nome fantasia; um CPF no fim é mascarado
	IdentificadorMatrizFilial string              `json:"identificador_matriz_filial"` // se é matriz ou filial; não se deduz do número 0001 (1 Matriz; 2 Filial)
	SituacaoCadastral         string              `json:"situacao_cadastral"`          // situação cadastral, código de dois dígitos (01 Nula; 02 Ativa; 03 Suspensa; 04 Inapta; 05 Ativa Não Regular; 08 Baixada)
	DataInicioAtividade       *string             `json:"data_inicio_atividade"`       // data de início da atividade (AAAA-MM-DD)
	CnaeFiscalPrincipal       string              `json:"cnae_fiscal_principal"`       // atividade principal, código CNAE de sete dígitos
	PorteEmpresa              string              `json:"porte_empresa"`               // porte declarado, código de dois dígitos (00 Não informado; 01 Microempresa; 03 Empresa de Pequeno Porte; 05 Demais)
	CapitalSocial             *json.Number        `json:"capital_social"`              // capital social em reais, com duas casas
	Uf                        string              `json:"uf"`                          // sigla do estado; EX: exterior
	Municipio                 string              `json:"municipio"`                   // município, código de quatro dígitos da Receita Federal; não é o do IBGE
	CodigoMunicipioIbge       string              `json:"codigo_municipio_ibge"`       // município, código de sete dígitos do IBGE; vazio no exterior
	Descricoes                ResultadoDescricoes `json:"descricoes"`                  // Textos dos códigos.
	Motivo                    string              `json:"motivo"`                      // por que foi encontrado
	Socio                     *string             `json:"socio"`                       // nome do sócio encontrado; null quando não foi por um
	EstabelecimentosDaEmpresa int64               `json:"estabelecimentos_da_empresa"` // estabelecimentos da empresa
	Url                       string              `json:"url"`                         // endereço do registro completo da empresa ou, com agrupar=nao, do estabelecimento
}

// EntendidoLugaresItemDescricoes: Textos dos códigos.
type EntendidoLugaresItemDescricoes struct {
	Municipio *string `json:"municipio"` // nome do município
}

// EntendidoLugaresItem: Um lugar que as palavras dizem e que foi usado como filtro; literal=1 o desfaz.
type EntendidoLugaresItem struct {
	Palavras   string                         `json:"palavras"`   // as palavras
	Uf         string                         `json:"uf"`         // sigla do estado
	Municipio  string                         `json:"municipio"`  // código do município na Receita Federal; vazio quando é o estado inteiro
	Descricoes EntendidoLugaresItemDescricoes `json:"descricoes"` // Textos dos códigos.
}

// EntendidoCondicoesItem: Um filtro que as palavras dizem e que foi usado; literal=1 o desfaz.
type EntendidoCondicoesItem struct {
	Palavras  string `json:"palavras"`  // as palavras
	Filtro    string `json:"filtro"`    // o nome do filtro
	Valor     string `json:"valor"`     // o valor, como o filtro o recebe
	Descricao string `json:"descricao"` // o valor, como se diz
}

// EntendidoCorrecoesItem: Uma palavra que nada tem e aquela que foi procurada em seu lugar.
type EntendidoCorrecoesItem struct {
	De   string `json:"de"`   // a palavra
	Para string `json:"para"` // a outra
}

// EntendidoMunicipiosItemDescricoes: Textos dos códigos.
type EntendidoMunicipiosItemDescricoes struct {
	Municipio *string `json:"municipio"` // nome do município
}

// EntendidoMunicipiosItem: Um município que o texto todo nomeia, em qualquer grafia.
type EntendidoMunicipiosItem struct {
	Municipio           string                            `json:"municipio"`             // código do município na Receita Federal
	CodigoMunicipioIbge string                            `json:"codigo_municipio_ibge"` // código do município no IBGE
	Descricoes          EntendidoMunicipiosItemDescricoes `json:"descricoes"`            // Textos dos códigos.
}

// Entendido: Como as palavras foram entendidas, quando não ao pé da letra.
type Entendido struct {
	Lugares          []EntendidoLugaresItem    `json:"lugares"`
	Condicoes        []EntendidoCondicoesItem  `json:"condicoes"`
	Correcoes        []EntendidoCorrecoesItem  `json:"correcoes"`
	PalavrasDeixadas []string                  `json:"palavras_deixadas"` // palavras que nenhum resultado tem
	Frases           []string                  `json:"frases"`            // palavras entre aspas, que ficam juntas
	Atividade        *string                   `json:"atividade"`         // atividade principal que também foi procurada
	Municipios       []EntendidoMunicipiosItem `json:"municipios"`
}

// ValorContado: Um valor e os estabelecimentos que o têm.
type ValorContado struct {
	Valor            string  `json:"valor"`            // como o filtro o recebe
	Descricao        *string `json:"descricao"`        // texto do código; null quando não há
	Estabelecimentos int64   `json:"estabelecimentos"` // estabelecimentos, exatos também acima de total
}

// Resultados: Uma página de resultados.
type Resultados struct {
	Itens            []Resultado               `json:"itens"`
	Total            int64                     `json:"total"`            // resultados em todas as páginas; a contagem para em 10000
	TotalMinimo      bool                      `json:"total_minimo"`     // true: há mais resultados do que total; as páginas terminam nele
	Estabelecimentos int64                     `json:"estabelecimentos"` // estabelecimentos encontrados, dos quais cada empresa é um resultado; mínimo, se total é
	Entendido        Entendido                 `json:"entendido"`
	Facetas          map[string][]ValorContado `json:"facetas"`
	ProximoCursor    *string                   `json:"proximo_cursor"` // cursor da próxima página; null no fim
	ProximaUrl       *string                   `json:"proxima_url"`    // endereço da próxima página desta coleção; null no fim
}

// Lacuna: Uma parte que a carga não tem inteira.
type Lacuna struct {
	Parte    string   `json:"parte"`    // a parte
	Arquivos []string `json:"arquivos"` // os arquivos publicados que faltaram à carga
}

// MetaBusca: Sobre a resposta.
type MetaBusca struct {
	Versao          string   `json:"versao"`            // versão da API
	Release         string   `json:"release"`           // versão do produto
	Recurso         string   `json:"recurso"`           // o que foi consultado
	Competencia     *string  `json:"competencia"`       // mês da carga da Receita Federal (AAAA-MM)
	Fotografia      string   `json:"fotografia"`        // conjunto de cargas que respondeu
	RequisicaoId    string   `json:"requisicao_id"`     // o mesmo de X-Request-ID
	Disponibilidade string   `json:"disponibilidade"`   // parcial: alguma fonte falhou ou não tem carga, ou há lacunas
	Lacunas         []Lacuna `json:"lacunas,omitempty"` // só quando faltou à carga algum arquivo do que esta resposta mostra: nestas partes o que não aparece pode existir, e os totais são mínimos
}

// RespostaBusca: A resposta.
type RespostaBusca struct {
	Dados Resultados `json:"dados"`
	Meta  MetaBusca  `json:"meta"`
}

// SocioDaMudanca: Nome e documento mascarado não identificam uma pessoa: há homônimos.
type SocioDaMudanca struct {
	IdentificadorSocio string `json:"identificador_socio"` // se é pessoa jurídica, pessoa física ou estrangeiro
	NomeSocio          string `json:"nome_socio"`          // nome do sócio, ou razão social da empresa sócia
	CnpjCpfSocio       string `json:"cnpj_cpf_socio"`      // CNPJ da empresa sócia, ou CPF mascarado como foi publicado (***456789**); vazio em estrangeiros
}

// ValoresDaMudancaDescricoes: Textos dos códigos.
type ValoresDaMudancaDescricoes struct {
	SituacaoCadastral              *string            `json:"situacao_cadastral,omitempty"`               // texto do código situacao_cadastral; null: desconhecido
	IdentificadorMatrizFilial      *string            `json:"identificador_matriz_filial,omitempty"`      // texto do código identificador_matriz_filial; null: desconhecido
	CnaeFiscalPrincipal            *string            `json:"cnae_fiscal_principal,omitempty"`            // texto do código cnae_fiscal_principal; null: desconhecido
	Municipio                      *string            `json:"municipio,omitempty"`                        // texto do código municipio; null: desconhecido
	MotivoSituacaoCadastral        *string            `json:"motivo_situacao_cadastral,omitempty"`        // texto do código motivo_situacao_cadastral; null: desconhecido
	Pais                           *string            `json:"pais,omitempty"`                             // texto do código pais; null: desconhecido
	CnaeFiscalSecundaria           map[string]*string `json:"cnae_fiscal_secundaria,omitempty"`           // código → texto, null quando desconhecido
	NaturezaJuridica               *string            `json:"natureza_juridica,omitempty"`                // texto do código natureza_juridica; null: desconhecido
	PorteEmpresa                   *string            `json:"porte_empresa,omitempty"`                    // texto do código porte_empresa; null: desconhecido
	QualificacaoResponsavel        *string            `json:"qualificacao_responsavel,omitempty"`         // texto do código qualificacao_responsavel; null: desconhecido
	QualificacaoSocio              *string            `json:"qualificacao_socio,omitempty"`               // texto do código qualificacao_socio; null: desconhecido
	QualificacaoRepresentanteLegal *string            `json:"qualificacao_representante_legal,omitempty"` // texto do código qualificacao_representante_legal; null: desconhecido
	FaixaEtaria                    *string            `json:"faixa_etaria,omitempty"`                     // texto do código faixa_etaria; null: desconhecido
}

// ValoresDaMudanca: O que o evento diz que havia antes, ou há depois. Estão presentes todos os campos do evento, e só eles.
type ValoresDaMudanca struct {
	SituacaoCadastral              string                     `json:"situacao_cadastral,omitempty"`               // situação cadastral, código de dois dígitos (01 Nula; 02 Ativa; 03 Suspensa; 04 Inapta; 05 Ativa Não Regular; 08 Baixada)
	DataInicioAtividade            *string                    `json:"data_inicio_atividade,omitempty"`            // data de início da atividade (AAAA-MM-DD)
	IdentificadorMatrizFilial      string                     `json:"identificador_matriz_filial,omitempty"`      // se é matriz ou filial; não se deduz do número 0001 (1 Matriz; 2 Filial)
	CnaeFiscalPrincipal            string                     `json:"cnae_fiscal_principal,omitempty"`            // atividade principal, código CNAE de sete dígitos
	Uf                             string                     `json:"uf,omitempty"`                               // sigla do estado; EX: exterior
	Municipio                      string                     `json:"municipio,omitempty"`                        // município, código de quatro dígitos da Receita Federal; não é o do IBGE
	DataSituacaoCadastral          *string                    `json:"data_situacao_cadastral,omitempty"`          // data em que passou a essa situação cadastral (AAAA-MM-DD)
	MotivoSituacaoCadastral        string                     `json:"motivo_situacao_cadastral,omitempty"`        // motivo da situação cadastral, código de dois dígitos; 00: nenhum
	TipoLogradouro                 string                     `json:"tipo_logradouro,omitempty"`                  // tipo do logradouro, como RUA ou AVENIDA
	Logradouro                     string                     `json:"logradouro,omitempty"`                       // nome do logradouro
	Numero                         string                     `json:"numero,omitempty"`                           // número no logradouro, como texto; S/N: sem número
	Complemento                    string                     `json:"complemento,omitempty"`                      // complemento do endereço
	Bairro                         string                     `json:"bairro,omitempty"`                           // bairro
	Cep                            string                     `json:"cep,omitempty"`                              // CEP, oito dígitos sem hífen
	NomeCidadeExterior             string                     `json:"nome_cidade_exterior,omitempty"`             // cidade de quem está no exterior
	Pais                           string                     `json:"pais,omitempty"`                             // país de quem está no exterior, código de três dígitos
	CnaeFiscalSecundaria           []string                   `json:"cnae_fiscal_secundaria,omitempty"`           // atividades secundárias, códigos CNAE de sete dígitos
	Ddd1                           string                     `json:"ddd_1,omitempty"`                            // DDD do primeiro telefone
	Telefone1                      string                     `json:"telefone_1,omitempty"`                       // primeiro telefone, sem DDD
	Ddd2                           string                     `json:"ddd_2,omitempty"`                            // DDD do segundo telefone
	Telefone2                      string                     `json:"telefone_2,omitempty"`                       // segundo telefone, sem DDD
	DddFax                         string                     `json:"ddd_fax,omitempty"`                          // DDD do fax
	Fax                            string                     `json:"fax,omitempty"`                              // fax, sem DDD
	CorreioEletronico              string                     `json:"correio_eletronico,omitempty"`               // endereço de e-mail
	NomeFantasia                   string                     `json:"nome_fantasia,omitempty"`                    // nome fantasia; um CPF no fim é mascarado
	SituacaoEspecial               string                     `json:"situacao_especial,omitempty"`                // situação especial, como recuperação judicial
	DataSituacaoEspecial           *string                    `json:"data_situacao_especial,omitempty"`           // data da situação especial (AAAA-MM-DD)
	RazaoSocial                    string                     `json:"razao_social,omitempty"`                     // razão social ou nome empresarial; um CPF no fim é mascarado
	CapitalSocial                  *json.Number               `json:"capital_social,omitempty"`                   // capital social em reais, com duas casas
	NaturezaJuridica               string                     `json:"natureza_juridica,omitempty"`                // natureza jurídica, código de quatro dígitos
	PorteEmpresa                   string                     `json:"porte_empresa,omitempty"`                    // porte declarado, código de dois dígitos (00 Não informado; 01 Microempresa; 03 Empresa de Pequeno Porte; 05 Demais)
	QualificacaoResponsavel        string                     `json:"qualificacao_responsavel,omitempty"`         // qualificação da pessoa responsável pela empresa, código de dois dígitos
	EnteFederativoResponsavel      string                     `json:"ente_federativo_responsavel,omitempty"`      // ente federativo responsável; só em órgãos públicos
	QualificacaoSocio              string                     `json:"qualificacao_socio,omitempty"`               // qualificação do sócio, código de dois dígitos
	DataEntradaSociedade           *string                    `json:"data_entrada_sociedade,omitempty"`           // data de entrada na sociedade (AAAA-MM-DD)
	RepresentanteLegal             string                     `json:"representante_legal,omitempty"`              // CPF mascarado do representante legal; ***000000** quando não há
	NomeRepresentante              string                     `json:"nome_representante,omitempty"`               // nome do representante legal
	QualificacaoRepresentanteLegal string                     `json:"qualificacao_representante_legal,omitempty"` // qualificação do representante legal, código de dois dígitos; 00: não há
	FaixaEtaria                    string                     `json:"faixa_etaria,omitempty"`                     // faixa etária da pessoa, código de um dígito; não é a idade (0 Não se aplica; 1 0 a 12 anos; 2 13 a 20 anos; 3 21 a 30 anos; 4 31 a 40 anos; 5 41 a 50 anos; 6 51 a 60 anos; 7 61 a 70 anos; 8 71 a 80 anos; 9 Mais de 80 anos)
	OpcaoPeloSimples               *bool                      `json:"opcao_pelo_simples,omitempty"`               // se a empresa é optante pelo Simples Nacional; null: não informado
	DataOpcaoPeloSimples           *string                    `json:"data_opcao_pelo_simples,omitempty"`          // data da opção pelo Simples Nacional (AAAA-MM-DD)
	DataExclusaoSimples            *string                    `json:"data_exclusao_simples,omitempty"`            // data da exclusão do Simples Nacional; pode ser futura (AAAA-MM-DD)
	OpcaoPeloMei                   *bool                      `json:"opcao_pelo_mei,omitempty"`                   // se o titular é optante pelo MEI (SIMEI); null: não informado
	DataOpcaoPeloMei               *string                    `json:"data_opcao_pelo_mei,omitempty"`              // data da opção pelo MEI (AAAA-MM-DD)
	DataExclusaoMei                *string                    `json:"data_exclusao_mei,omitempty"`                // data da exclusão do MEI; pode ser futura (AAAA-MM-DD)
	Registros                      int64                      `json:"registros,omitempty"`                        // registros da empresa na fonte
	Total                          *json.Number               `json:"total,omitempty"`                            // soma dos valores que podem ser somados em reais, com duas casas
	Campos                         []string                   `json:"campos,omitempty"`                           // em depois, se o número de registros é o mesmo: os campos da fonte cujos valores mudaram; vazio se os mesmos valores passaram de um registro a outro, e em cargas comparadas antes de a história os guardar
	Descricoes                     ValoresDaMudancaDescricoes `json:"descricoes,omitempty"`                       // Textos dos códigos.
}

// Mudanca: O que uma carga mudou em uma empresa: um evento.
type Mudanca struct {
	CnpjBasico   string            `json:"cnpj_basico"`   // as 8 primeiras posições do CNPJ, que identificam a empresa
	Cnpj         *string           `json:"cnpj"`          // CNPJ do estabelecimento, 14 posições; null quando o evento é da empresa
	Evento       string            `json:"evento"`        // código estável do evento; com antes e depois dos campos entre parênteses: estabelecimento.aberto, Estabelecimento aberto (situacao_cadastral, data_inicio_atividade, identificador_matriz_filial, cnae_fiscal_principal, uf, municipio); estabelecimento.removido, Estabelecimento não é mais publicado (situacao_cadastral, data_inicio_atividade, identificador_matriz_filial, cnae_fiscal_principal, uf, municipio); estabelecimento.baixado, Baixa (situacao_cadastral, data_situacao_cadastral, motivo_situacao_cadastral); estabelecimento.reativado, Reativação (situacao_cadastral, data_situacao_cadastral, motivo_situacao_cadastral); estabelecimento.situacao, Situação cadastral (situacao_cadastral, data_situacao_cadastral, motivo_situacao_cadastral); estabelecimento.endereco, Endereço (tipo_logradouro, logradouro, numero, complemento, bairro, cep, uf, municipio, nome_cidade_exterior, pais); estabelecimento.municipio, Mudança de município (tipo_logradouro, logradouro, numero, complemento, bairro, cep, uf, municipio, nome_cidade_exterior, pais); estabelecimento.atividade, Atividade principal (cnae_fiscal_principal); estabelecimento.atividades_secundarias, Atividades secundárias (cnae_fiscal_secundaria); estabelecimento.contato, Contato (ddd_1, telefone_1, ddd_2, telefone_2, ddd_fax, fax, correio_eletronico); estabelecimento.nome_fantasia, Nome fantasia (nome_fantasia); estabelecimento.matriz_filial, Matriz ou filial (identificador_matriz_filial); estabelecimento.situacao_especial, Situação especial (situacao_especial, data_situacao_especial); estabelecimento.inicio, Data de início da atividade (data_inicio_atividade); empresa.removida, Empresa não é mais publicada (razao_social); empresa.nome, Nome empresarial (razao_social); empresa.capital, Capital social (capital_social); empresa.natureza, Natureza jurídica (natureza_juridica); empresa.porte, Porte (porte_empresa); empresa.responsavel, Qualificação do responsável (qualificacao_responsavel); empresa.ente, Ente federativo responsável (ente_federativo_responsavel); socio.entrou, Sócio entrou (qualificacao_socio, data_entrada_sociedade, pais, representante_legal, nome_representante, qualificacao_representante_legal, faixa_etaria); socio.saiu, Sócio saiu (qualificacao_socio, data_entrada_sociedade, pais, representante_legal, nome_representante, qualificacao_representante_legal, faixa_etaria); socio.alterado, Dados de sócio (qualificacao_socio, data_entrada_sociedade, pais, representante_legal, nome_representante, qualificacao_representante_legal, faixa_etaria); simples.optou, Opção pelo Simples (opcao_pelo_simples, data_opcao_pelo_simples, data_exclusao_simples); simples.saiu, Saída do Simples (opcao_pelo_simples, data_opcao_pelo_simples, data_exclusao_simples); simples.alterado, Datas do Simples (opcao_pelo_simples, data_opcao_pelo_simples, data_exclusao_simples); mei.optou, Opção pelo MEI (opcao_pelo_mei, data_opcao_pelo_mei, data_exclusao_mei); mei.saiu, Saída do MEI (opcao_pelo_mei, data_opcao_pelo_mei, data_exclusao_mei); mei.alterado, Datas do MEI (opcao_pelo_mei, data_opcao_pelo_mei, data_exclusao_mei); fonte.{fonte}.entrou, Primeiros registros (registros, total); fonte.{fonte}.saiu, Sem registros (registros, total); fonte.{fonte}.valor, Total dos registros (registros, total); fonte.{fonte}.alterado, Registros alterados (registros, total, campos)
	Data         *string           `json:"data"`          // dia em que aconteceu, quando é publicado (AAAA-MM-DD)
	Fonte        string            `json:"fonte"`         // receita ou o identificador da fonte de registros públicos
	Competencia  *string           `json:"competencia"`   // período da carga em que foi vista
	ComparadaCom *string           `json:"comparada_com"` // período da carga com que essa foi comparada: entre as duas pode haver períodos que não foram carregados
	VistaEm      *string           `json:"vista_em"`      // dia (UTC) em que a carga foi publicada aqui (AAAA-MM-DD)
	Carga        int64             `json:"carga"`         // número da carga
	Socio        *SocioDaMudanca   `json:"socio"`         // o sócio, nos eventos de sócios
	Antes        *ValoresDaMudanca `json:"antes"`
	Depois       *ValoresDaMudanca `json:"depois"`
	Ocultos      []string          `json:"ocultos"` // campos que mudaram e estão ocultos, a pedido ou porque a empresa não é mais publicada; vêm vazios
}

// CargaRetirada: Uma carga que foi contada e desfeita: os seus eventos não valem mais.
type CargaRetirada struct {
	Fonte       string  `json:"fonte"`       // receita ou o identificador da fonte de registros públicos
	Competencia *string `json:"competencia"` // período da carga
	Carga       int64   `json:"carga"`       // número da carga, como nos eventos
}

// CargaDaHistoria: Uma carga da história.
type CargaDaHistoria struct {
	Competencia  *string `json:"competencia"`   // período da carga
	ComparadaCom *string `json:"comparada_com"` // período da carga com que foi comparada; null: com nenhuma
	VistaEm      *string `json:"vista_em"`      // dia (UTC) em que foi publicada aqui (AAAA-MM-DD)
	Carga        int64   `json:"carga"`         // número da carga
}

// CoberturaDaHistoriaLacunasItem: Uma parte de uma carga que não foi comparada: dela não se conhecem mudanças.
type CoberturaDaHistoriaLacunasItem struct {
	Competencia  *string `json:"competencia"`   // período da carga
	ComparadaCom *string `json:"comparada_com"` // período da carga com que o resto foi comparado
	Parte        string  `json:"parte"`         // o que não foi comparado
	Motivo       string  `json:"motivo"`        // por que não foi comparado, em uma palavra, como arquivo_ausente
	Carga        int64   `json:"carga"`         // número da carga
}

// CargaFalha: Uma carga que falhou ou foi recusada: o que ela mudaria ainda não se sabe.
type CargaFalha struct {
	Competencia *string `json:"competencia"` // período da carga
	Em          *string `json:"em"`          // dia (UTC) em que foi tentada (AAAA-MM-DD)
}

// CoberturaDaHistoria: De quando a quando se conhecem as mudanças de uma fonte. O que não foi possível comparar está em lacunas e falha, e não passa por ausência de mudança.
type CoberturaDaHistoria struct {
	Fonte   string                           `json:"fonte"`   // receita ou o identificador da fonte de registros públicos
	Desde   *CargaDaHistoria                 `json:"desde"`   // a primeira carga da história; não foi comparada com outra quando comparada_com é null
	Ate     *CargaDaHistoria                 `json:"ate"`     // a última carga da história
	Lacunas []CoberturaDaHistoriaLacunasItem `json:"lacunas"` // partes de cargas que não foram comparadas
	Falha   *CargaFalha                      `json:"falha"`   // uma carga posterior à que está em serviço e que não pôde ser publicada
}

// Mudancas: Uma página da história do país.
type Mudancas struct {
	Itens         []Mudanca             `json:"itens"`
	Retiradas     []CargaRetirada       `json:"retiradas"`      // cargas que quem lê deste cursor já viu, ao menos em parte, e que foram desfeitas
	Cobertura     []CoberturaDaHistoria `json:"cobertura"`      // de cada fonte, desde quando se conhecem as mudanças e o que não foi comparado
	HaMais        bool                  `json:"ha_mais"`        // true: pode haver mais agora; false: só depois da próxima carga
	ProximoCursor string                `json:"proximo_cursor"` // cursor de onde continuar, agora ou depois da próxima carga
	ProximaUrl    string                `json:"proxima_url"`    // endereço de onde continuar
}

// MetaMudancas: Sobre a resposta.
type MetaMudancas struct {
	Versao          string   `json:"versao"`            // versão da API
	Release         string   `json:"release"`           // versão do produto
	Recurso         string   `json:"recurso"`           // o que foi consultado
	Competencia     *string  `json:"competencia"`       // mês da carga da Receita Federal (AAAA-MM)
	Fotografia      string   `json:"fotografia"`        // conjunto de cargas que respondeu
	RequisicaoId    string   `json:"requisicao_id"`     // o mesmo de X-Request-ID
	Disponibilidade string   `json:"disponibilidade"`   // parcial: alguma fonte falhou ou não tem carga, ou há lacunas
	Lacunas         []Lacuna `json:"lacunas,omitempty"` // só quando faltou à carga algum arquivo do que esta resposta mostra: nestas partes o que não aparece pode existir, e os totais são mínimos
}

// RespostaMudancas: A resposta.
type RespostaMudancas struct {
	Dados Mudancas     `json:"dados"`
	Meta  MetaMudancas `json:"meta"`
}

// ProvenienciaArquivosItem: Um arquivo publicado que foi lido.
type ProvenienciaArquivosItem struct {
	Nome   string `json:"nome"`   // nome do arquivo
	Bytes  int64  `json:"bytes"`  // tamanho em bytes
	Sha256 string `json:"sha256"` // SHA-256 do arquivo
}

// Proveniencia: De onde vieram os registros da carga.
type Proveniencia struct {
	Orgao             string                     `json:"orgao"`                     // quem publica
	Conjunto          string                     `json:"conjunto"`                  // conjunto de dados publicado
	Url               string                     `json:"url"`                       // onde é publicado
	Licenca           string                     `json:"licenca"`                   // licença dos dados
	Atribuicao        string                     `json:"atribuicao,omitempty"`      // citação que a licença pede
	MetodologiaUrl    string                     `json:"metodologia_url,omitempty"` // página que explica os vínculos inferidos
	Arquivos          []ProvenienciaArquivosItem `json:"arquivos"`                  // os arquivos lidos
	Faltantes         []string                   `json:"faltantes,omitempty"`       // arquivos publicados que faltaram à carga
	Observacoes       []string                   `json:"observacoes,omitempty"`     // o que convém saber desta carga
	LinhasLidas       int64                      `json:"linhas_lidas"`              // linhas lidas
	LinhasCarregadas  int64                      `json:"linhas_carregadas"`         // linhas carregadas
	LinhasRejeitadas  int64                      `json:"linhas_rejeitadas"`         // linhas que não puderam ser lidas
	LinhasDescartadas int64                      `json:"linhas_descartadas"`        // linhas deixadas de fora por regra
}

// FonteDeixadasDeForaItem: Uma regra e as linhas que ela deixou fora da carga.
type FonteDeixadasDeForaItem struct {
	Regra  string `json:"regra"`  // nome da regra
	Motivo string `json:"motivo"` // a regra em palavras
	Linhas int64  `json:"linhas"` // linhas deixadas de fora
}

// FonteRejeitadasItem: Linhas que não puderam ser lidas, pela coluna em que parou a leitura.
type FonteRejeitadasItem struct {
	Coluna *string `json:"coluna"` // coluna do arquivo; null para a linha inteira
	Linhas int64   `json:"linhas"` // linhas guardadas para exame
}

// FonteCargasItem: Uma carga da fonte que está ou já esteve em serviço.
type FonteCargasItem struct {
	Competencia       *string `json:"competencia"`        // período da carga
	CarregadaEm       *string `json:"carregada_em"`       // quando a carga terminou (UTC)
	Situacao          string  `json:"situacao"`           // em_uso: em serviço agora; guardada: pode voltar; apagada: os registros não existem mais
	VinculosRefeitos  *bool   `json:"vinculos_refeitos"`  // feita de outra carga, com os vínculos a empresas mais novas; null: não informado
	Forcada           *bool   `json:"forcada"`            // o operador a publicou apesar de verificações que a recusariam; null: não informado
	LinhasLidas       int64   `json:"linhas_lidas"`       // linhas lidas
	Registros         int64   `json:"registros"`          // registros guardados
	LinhasRejeitadas  int64   `json:"linhas_rejeitadas"`  // linhas que não puderam ser lidas
	LinhasDescartadas int64   `json:"linhas_descartadas"` // linhas deixadas de fora por regra
}

// Fonte: Uma fonte e a carga em serviço.
type Fonte struct {
	Id                    string                    `json:"id"`                      // identificador usado em fontes/{fonte}
	Tema                  string                    `json:"tema"`                    // grupo de registros_publicos
	Titulo                string                    `json:"titulo"`                  // título da fonte
	Descricao             string                    `json:"descricao"`               // o que a fonte traz
	Orgao                 string                    `json:"orgao"`                   // quem publica
	Licenca               string                    `json:"licenca"`                 // licença dos dados
	TipoPeriodo           string                    `json:"tipo_periodo"`            // o que é a competência
	Disponibilidade       string                    `json:"disponibilidade"`         // se há carga em serviço
	Competencia           *string                   `json:"competencia"`             // período da carga
	CarregadaEm           *string                   `json:"carregada_em"`            // quando a carga terminou (UTC)
	CoberturaInicio       *string                   `json:"cobertura_inicio"`        // início da cobertura (AAAA-MM-DD)
	Desatualizada         *bool                     `json:"desatualizada"`           // a carga é antiga para o ritmo de publicação; null: não informado
	Proveniencia          *Proveniencia             `json:"proveniencia"`            // de onde vieram os registros
	Conjunto              string                    `json:"conjunto"`                // conjunto de dados publicado
	Url                   string                    `json:"url"`                     // onde é publicado
	Periodicidade         *string                   `json:"periodicidade"`           // de quanto em quanto tempo é publicada, até onde se sabe
	DesatualizadaAposDias int64                     `json:"desatualizada_apos_dias"` // dias depois do fim do período em que a carga passa a contar como desatualizada; 0 quando não se sabe
	DeixadasDeFora        []FonteDeixadasDeForaItem `json:"deixadas_de_fora"`        // linhas que a carga em serviço deixou de fora, por regra
	Rejeitadas            []FonteRejeitadasItem     `json:"rejeitadas"`              // linhas que a carga em serviço não pôde ler e guardou para exame, até mil, por coluna
	Cargas                []FonteCargasItem         `json:"cargas"`                  // as cargas que já estiveram em serviço, da mais nova à mais antiga, até cinquenta
	Cnpjs                 *int64                    `json:"cnpjs"`                   // CNPJs com registros na carga; null sem carga
	Total                 *int64                    `json:"total"`                   // registros da carga; null sem carga
}

// RespostaFontesDados: O catálogo.
type RespostaFontesDados struct {
	Fontes []Fonte `json:"fontes"`
}

// MetaFontes: Sobre a resposta.
type MetaFontes struct {
	Versao          string   `json:"versao"`            // versão da API
	Release         string   `json:"release"`           // versão do produto
	Recurso         string   `json:"recurso"`           // o que foi consultado
	Competencia     *string  `json:"competencia"`       // mês da carga da Receita Federal (AAAA-MM)
	Fotografia      string   `json:"fotografia"`        // conjunto de cargas que respondeu
	RequisicaoId    string   `json:"requisicao_id"`     // o mesmo de X-Request-ID
	Disponibilidade string   `json:"disponibilidade"`   // parcial: alguma fonte falhou ou não tem carga, ou há lacunas
	Lacunas         []Lacuna `json:"lacunas,omitempty"` // só quando faltou à carga algum arquivo do que esta resposta mostra: nestas partes o que não aparece pode existir, e os totais são mínimos
}

// RespostaFontes: A resposta.
type RespostaFontes struct {
	Dados RespostaFontesDados `json:"dados"` // O catálogo.
	Meta  MetaFontes          `json:"meta"`
}

// CargaMedida: Uma carga.
type CargaMedida struct {
	Numero      int64    `json:"numero"`       // número da carga
	Competencia string   `json:"competencia"`  // período da carga
	CarregadaEm *string  `json:"carregada_em"` // quando a carga terminou (UTC)
	Forcada     bool     `json:"forcada"`      // true: o operador a publicou apesar de verificações que a recusariam
	ApesarDe    []string `json:"apesar_de"`
}

// ColunaMedidaComprimentosItem: Quantas das linhas preenchidas.
type ColunaMedidaComprimentosItem struct {
	Classe string `json:"classe"` // bytes do valor; 96: 96 ou mais
	Linhas int64  `json:"linhas"` // linhas
}

// ColunaMedidaFormatosItem: Quantas das linhas preenchidas.
type ColunaMedidaFormatosItem struct {
	Classe string `json:"classe"` // um sinal por espécie de caractere que ocorre: 9 dígito, A maiúscula, a minúscula, é letra fora do ASCII, _ espaço, # outro do ASCII, ^ controle, Ã texto decodificado errado; os sinais * . , - / @ + ? são eles mesmos
	Linhas int64  `json:"linhas"` // linhas
}

// ColunaMedidaValoresItem: Quantas das linhas preenchidas.
type ColunaMedidaValoresItem struct {
	Classe string `json:"classe"` // um dos 64 valores mais comuns: código, ano de uma data ou quantidade de algarismos antes da vírgula; ?: não se lê; do dono de um registro, cnpj, raiz ou inválido. Textos não aparecem, nem códigos sem tabela em menos de vinte linhas
	Linhas int64  `json:"linhas"` // linhas
}

// ColunaMedida: O que se mediu de uma coluna.
type ColunaMedida struct {
	Preenchidas  int64                          `json:"preenchidas"`    // linhas com valor
	Distintos    *int64                         `json:"distintos"`      // valores distintos, estimados com erro típico de 2 %; null: só se mede de que espécie é o número do dono
	MaisComum    *int64                         `json:"mais_comum"`     // linhas com o valor mais comum; null: não se contam valores desta coluna
	ForaDaTabela *int64                         `json:"fora_da_tabela"` // linhas com um código que a tabela de códigos não tem; null: a coluna não tem tabela
	Quantis      []string                       `json:"quantis"`
	Comprimentos []ColunaMedidaComprimentosItem `json:"comprimentos"`
	Formatos     []ColunaMedidaFormatosItem     `json:"formatos"`
	Valores      []ColunaMedidaValoresItem      `json:"valores"`
}

// QualidadeDaColunaMudanca1: A medida que mais se moveu desde a carga anterior, de 0 a 1: em parte das linhas medidas (preenchidas) ou das preenchidas (as outras).
type QualidadeDaColunaMudanca1 struct {
	Medida       string      `json:"medida"`         // o que se moveu
	Classe       string      `json:"classe"`         // de comprimentos, formatos e valores, a classe; vazia nas outras medidas e quando o valor não aparece em valores
	Antes        json.Number `json:"antes"`          // parte das linhas na carga anterior
	Agora        json.Number `json:"agora"`          // parte das linhas nesta
	AlemDoLimite bool        `json:"alem_do_limite"` // true: algo nesta coluna se moveu mais do que em edições normais; sem o operador a carga não seria publicada
}

// QualidadeDaColunaHistoricoItem: Uma das últimas doze cargas medidas, da mais velha a esta.
type QualidadeDaColunaHistoricoItem struct {
	Carga         int64  `json:"carga"`          // número da carga
	Competencia   string `json:"competencia"`    // período da carga
	LinhasMedidas int64  `json:"linhas_medidas"` // linhas da tabela que se mediram; 0: a coluna não foi medida
	Preenchidas   int64  `json:"preenchidas"`    // linhas com valor
}

// QualidadeDaColuna: Uma coluna publicada.
type QualidadeDaColuna struct {
	Coluna    string                           `json:"coluna"` // nome, como no dicionário
	Agora     ColunaMedida                     `json:"agora"`
	Antes     *ColunaMedida                    `json:"antes"`
	Mudanca   *QualidadeDaColunaMudanca1       `json:"mudanca"`
	Historico []QualidadeDaColunaHistoricoItem `json:"historico"`
}

// RespostaQualidadeDadosTabelasItem: Uma tabela publicada.
type RespostaQualidadeDadosTabelasItem struct {
	Tabela             string              `json:"tabela"`               // nome do arquivo, ou identificador da fonte
	LinhasLidas        int64               `json:"linhas_lidas"`         // linhas que se leram da tabela, ou de todos os arquivos da fonte
	LinhasMedidas      int64               `json:"linhas_medidas"`       // linhas que se mediram; das fontes, só entre as que se tornam registros
	LinhasMedidasAntes *int64              `json:"linhas_medidas_antes"` // as da carga anterior; null sem ela
	Colunas            []QualidadeDaColuna `json:"colunas"`
}

// RespostaQualidadeDados: O que se mediu de uma carga.
type RespostaQualidadeDados struct {
	Fonte    string                              `json:"fonte"` // identificador da fonte
	Carga    *CargaMedida                        `json:"carga"`
	Anterior *CargaMedida                        `json:"anterior"`
	Tabelas  []RespostaQualidadeDadosTabelasItem `json:"tabelas"` // vazia se a carga não foi medida: é de uma versão que ainda não media
	Cargas   []CargaMedida                       `json:"cargas"`  // as cargas da fonte que estão ou já estiveram em uso, da mais nova à mais antiga, no máximo cinquenta
}

// RespostaQualidadeMeta: Sobre a resposta.
type RespostaQualidadeMeta struct {
	Versao          string   `json:"versao"`            // versão da API
	Release         string   `json:"release"`           // versão do produto
	Recurso         string   `json:"recurso"`           // o que foi consultado
	Competencia     *string  `json:"competencia"`       // mês da carga da Receita Federal (AAAA-MM)
	Fotografia      string   `json:"fotografia"`        // conjunto de cargas que respondeu
	RequisicaoId    string   `json:"requisicao_id"`     // o mesmo de X-Request-ID
	Disponibilidade string   `json:"disponibilidade"`   // parcial: alguma fonte falhou ou não tem carga, ou há lacunas
	Lacunas         []Lacuna `json:"lacunas,omitempty"` // só quando faltou à carga algum arquivo do que esta resposta mostra: nestas partes o que não aparece pode existir, e os totais são mínimos
}

// RespostaQualidade: A resposta.
type RespostaQualidade struct {
	Dados RespostaQualidadeDados `json:"dados"` // O que se mediu de uma carga.
	Meta  RespostaQualidadeMeta  `json:"meta"`  // Sobre a resposta.
}

// EmpresaDescricoes: Textos dos códigos.
type EmpresaDescricoes struct {
	NaturezaJuridica        *string `json:"natureza_juridica"`        // texto do código natureza_juridica; null: desconhecido
	QualificacaoResponsavel *string `json:"qualificacao_responsavel"` // texto do código qualificacao_responsavel; null: desconhecido
	PorteEmpresa            *string `json:"porte_empresa"`            // texto do código porte_empresa; null: desconhecido
}

// SocioDescricoes: Textos dos códigos.
type SocioDescricoes struct {
	IdentificadorSocio             *string `json:"identificador_socio"`              // texto do código identificador_socio; null: desconhecido
	QualificacaoSocio              *string `json:"qualificacao_socio"`               // texto do código qualificacao_socio; null: desconhecido
	Pais                           *string `json:"pais"`                             // texto do código pais; null: desconhecido
	QualificacaoRepresentanteLegal *string `json:"qualificacao_representante_legal"` // texto do código qualificacao_representante_legal; null: desconhecido
	FaixaEtaria                    *string `json:"faixa_etaria"`                     // texto do código faixa_etaria; null: desconhecido
}

// Socio: Um sócio ou administrador.
type Socio struct {
	IdentificadorSocio             string          `json:"identificador_socio"`              // se é pessoa jurídica, pessoa física ou estrangeiro (1 Pessoa Jurídica; 2 Pessoa Física; 3 Estrangeiro)
	NomeSocio                      string          `json:"nome_socio"`                       // nome do sócio, ou razão social da empresa sócia
	CnpjCpfSocio                   string          `json:"cnpj_cpf_socio"`                   // CNPJ da empresa sócia, ou CPF mascarado como foi publicado (***456789**); vazio em estrangeiros
	QualificacaoSocio              string          `json:"qualificacao_socio"`               // qualificação do sócio, código de dois dígitos
	DataEntradaSociedade           *string         `json:"data_entrada_sociedade"`           // data de entrada na sociedade (AAAA-MM-DD)
	Pais                           string          `json:"pais"`                             // país do sócio no exterior, código de três dígitos
	RepresentanteLegal             string          `json:"representante_legal"`              // CPF mascarado do representante legal; ***000000** quando não há
	NomeRepresentante              string          `json:"nome_representante"`               // nome do representante legal
	QualificacaoRepresentanteLegal string          `json:"qualificacao_representante_legal"` // qualificação do representante legal, código de dois dígitos; 00: não há
	FaixaEtaria                    string          `json:"faixa_etaria"`                     // faixa etária da pessoa, código de um dígito; não é a idade (0 Não se aplica; 1 0 a 12 anos; 2 13 a 20 anos; 3 21 a 30 anos; 4 31 a 40 anos; 5 41 a 50 anos; 6 51 a 60 anos; 7 61 a 70 anos; 8 71 a 80 anos; 9 Mais de 80 anos)
	Descricoes                     SocioDescricoes `json:"descricoes"`                       // Textos dos códigos.
}

// Socios: Uma página de sócios.
type Socios struct {
	Itens         []Socio `json:"itens"`
	Total         int64   `json:"total"`                  // itens em todas as páginas
	ProximoCursor *string `json:"proximo_cursor"`         // cursor da próxima página; null no fim
	ProximaUrl    *string `json:"proxima_url"`            // endereço da próxima página desta coleção; null no fim
	TotalMinimo   bool    `json:"total_minimo,omitempty"` // só com lacuna nesta parte: pode haver mais do que total
}

// Simples: Opções pelo Simples Nacional e pelo MEI.
type Simples struct {
	OpcaoPeloSimples     *bool   `json:"opcao_pelo_simples"`      // se a empresa é optante pelo Simples Nacional; null: não informado
	DataOpcaoPeloSimples *string `json:"data_opcao_pelo_simples"` // data da opção pelo Simples Nacional (AAAA-MM-DD)
	DataExclusaoSimples  *string `json:"data_exclusao_simples"`   // data da exclusão do Simples Nacional; pode ser futura (AAAA-MM-DD)
	OpcaoPeloMei         *bool   `json:"opcao_pelo_mei"`          // se o titular é optante pelo MEI (SIMEI); null: não informado
	DataOpcaoPeloMei     *string `json:"data_opcao_pelo_mei"`     // data da opção pelo MEI (AAAA-MM-DD)
	DataExclusaoMei      *string `json:"data_exclusao_mei"`       // data da exclusão do MEI; pode ser futura (AAAA-MM-DD)
}

// Empresa: A empresa. Sem linha própria na carga, os textos são vazios e o capital é null.
type Empresa struct {
	CnpjBasico                string            `json:"cnpj_basico"`                 // as 8 primeiras posições do CNPJ, que identificam a empresa
	RazaoSocial               string            `json:"razao_social"`                // razão social ou nome empresarial; um CPF no fim é mascarado
	NaturezaJuridica          string            `json:"natureza_juridica"`           // natureza jurídica, código de quatro dígitos
	QualificacaoResponsavel   string            `json:"qualificacao_responsavel"`    // qualificação da pessoa responsável pela empresa, código de dois dígitos
	CapitalSocial             *json.Number      `json:"capital_social"`              // capital social em reais, com duas casas
	PorteEmpresa              string            `json:"porte_empresa"`               // porte declarado, código de dois dígitos (00 Não informado; 01 Microempresa; 03 Empresa de Pequeno Porte; 05 Demais)
	EnteFederativoResponsavel string            `json:"ente_federativo_responsavel"` // ente federativo responsável; só em órgãos públicos
	Descricoes                EmpresaDescricoes `json:"descricoes"`                  // Textos dos códigos.
	Socios                    Socios            `json:"socios"`
	Simples                   *Simples          `json:"simples"`
}

// EstabelecimentoDescricoes: Textos dos códigos.
type EstabelecimentoDescricoes struct {
	IdentificadorMatrizFilial *string            `json:"identificador_matriz_filial"` // texto do código identificador_matriz_filial; null: desconhecido
	SituacaoCadastral         *string            `json:"situacao_cadastral"`          // texto do código situacao_cadastral; null: desconhecido
	MotivoSituacaoCadastral   *string            `json:"motivo_situacao_cadastral"`   // texto do código motivo_situacao_cadastral; null: desconhecido
	Pais                      *string            `json:"pais"`                        // texto do código pais; null: desconhecido
	CnaeFiscalPrincipal       *string            `json:"cnae_fiscal_principal"`       // texto do código cnae_fiscal_principal; null: desconhecido
	CnaeFiscalSecundaria      map[string]*string `json:"cnae_fiscal_secundaria"`      // código → texto, null quando desconhecido
	Municipio                 *string            `json:"municipio"`                   // texto do código municipio; null: desconhecido
}

// Estabelecimento: Um estabelecimento da empresa, matriz ou filial.
type Estabelecimento struct {
	Cnpj                      string                    `json:"cnpj"`                        // CNPJ do estabelecimento
	CnpjBasico                string                    `json:"cnpj_basico"`                 // as 8 primeiras posições do CNPJ, que identificam a empresa
	CnpjOrdem                 string                    `json:"cnpj_ordem"`                  // número do estabelecimento na empresa
	CnpjDv                    string                    `json:"cnpj_dv"`                     // dígitos verificadores do CNPJ
	IdentificadorMatrizFilial string                    `json:"identificador_matriz_filial"` // se é matriz ou filial; não se deduz do número 0001 (1 Matriz; 2 Filial)
	NomeFantasia              string                    `json:"nome_fantasia"`               // nome fantasia; um CPF no fim é mascarado
	SituacaoCadastral         string                    `json:"situacao_cadastral"`          // situação cadastral, código de dois dígitos (01 Nula; 02 Ativa; 03 Suspensa; 04 Inapta; 05 Ativa Não Regular; 08 Baixada)
	DataSituacaoCadastral     *string                   `json:"data_situacao_cadastral"`     // data em que passou a essa situação cadastral (AAAA-MM-DD)
	MotivoSituacaoCadastral   string                    `json:"motivo_situacao_cadastral"`   // motivo da situação cadastral, código de dois dígitos; 00: nenhum
	NomeCidadeExterior        string                    `json:"nome_cidade_exterior"`        // cidade de quem está no exterior
	Pais                      string                    `json:"pais"`                        // país de quem está no exterior, código de três dígitos
	DataInicioAtividade       *string                   `json:"data_inicio_atividade"`       // data de início da atividade (AAAA-MM-DD)
	CnaeFiscalPrincipal       string                    `json:"cnae_fiscal_principal"`       // atividade principal, código CNAE de sete dígitos
	CnaeFiscalSecundaria      []string                  `json:"cnae_fiscal_secundaria"`      // atividades secundárias, códigos CNAE de sete dígitos
	TipoLogradouro            string                    `json:"tipo_logradouro"`             // tipo do logradouro, como RUA ou AVENIDA
	Logradouro                string                    `json:"logradouro"`                  // nome do logradouro
	Numero                    string                    `json:"numero"`                      // número no logradouro, como texto; S/N: sem número
	Complemento               string                    `json:"complemento"`                 // complemento do endereço
	Bairro                    string                    `json:"bairro"`                      // bairro
	Cep                       string                    `json:"cep"`                         // CEP, oito dígitos sem hífen
	Uf                        string                    `json:"uf"`                          // sigla do estado; EX: exterior
	Municipio                 string                    `json:"municipio"`                   // município, código de quatro dígitos da Receita Federal; não é o do IBGE
	CodigoMunicipioIbge       string                    `json:"codigo_municipio_ibge"`       // município, código de sete dígitos do IBGE; vazio no exterior
	Ddd1                      string                    `json:"ddd_1"`                       // DDD do primeiro telefone
	Telefone1                 string                    `json:"telefone_1"`                  // primeiro telefone, sem DDD
	Ddd2                      string                    `json:"ddd_2"`                       // DDD do segundo telefone
	Telefone2                 string                    `json:"telefone_2"`                  // segundo telefone, sem DDD
	DddFax                    string                    `json:"ddd_fax"`                     // DDD do fax
	Fax                       string                    `json:"fax"`                         // fax, sem DDD
	CorreioEletronico         string                    `json:"correio_eletronico"`          // endereço de e-mail
	SituacaoEspecial          string                    `json:"situacao_especial"`           // situação especial, como recuperação judicial
	DataSituacaoEspecial      *string                   `json:"data_situacao_especial"`      // data da situação especial (AAAA-MM-DD)
	Descricoes                EstabelecimentoDescricoes `json:"descricoes"`                  // Textos dos códigos.
}

// Estabelecimentos: Uma página de estabelecimentos.
type Estabelecimentos struct {
	Itens         []Estabelecimento `json:"itens"`
	Total         int64             `json:"total"`                  // itens em todas as páginas
	ProximoCursor *string           `json:"proximo_cursor"`         // cursor da próxima página; null no fim
	ProximaUrl    *string           `json:"proxima_url"`            // endereço da próxima página desta coleção; null no fim
	TotalMinimo   bool              `json:"total_minimo,omitempty"` // só com lacuna nesta parte: pode haver mais do que total
}

// RespostaEmpresaBasicDados: Cadastro da empresa.
type RespostaEmpresaBasicDados struct {
	Empresa          Empresa          `json:"empresa"`
	Estabelecimentos Estabelecimentos `json:"estabelecimentos"`
}

// Meta: Sobre a resposta.
type Meta struct {
	Versao          string   `json:"versao"`            // versão da API
	Release         string   `json:"release"`           // versão do produto
	Recurso         string   `json:"recurso"`           // o que foi consultado
	Modo            string   `json:"modo"`              // modo ou coleção
	Documento       string   `json:"documento"`         // documento consultado, normalizado
	Competencia     *string  `json:"competencia"`       // mês da carga da Receita Federal (AAAA-MM)
	Fotografia      string   `json:"fotografia"`        // conjunto de cargas que respondeu
	RequisicaoId    string   `json:"requisicao_id"`     // o mesmo de X-Request-ID
	Disponibilidade string   `json:"disponibilidade"`   // parcial: alguma fonte falhou ou não tem carga, ou há lacunas
	Lacunas         []Lacuna `json:"lacunas,omitempty"` // só quando faltou à carga algum arquivo do que esta resposta mostra: nestas partes o que não aparece pode existir, e os totais são mínimos
}

// RespostaEmpresaBasic: A resposta.
type RespostaEmpresaBasic struct {
	Dados RespostaEmpresaBasicDados `json:"dados"` // Cadastro da empresa.
	Meta  Meta                      `json:"meta"`
}

// ItemPgfn: Dívida ativa da União e do FGTS: um registro, com os campos e valores da fonte.
type ItemPgfn struct {
	Sistema               *string      `json:"sistema"`                 // sistema da dívida: nao_previdenciario, previdenciario ou fgts
	Cnpj                  *string      `json:"cnpj"`                    // CNPJ do devedor, sem máscara
	TipoPessoa            *string      `json:"tipo_pessoa"`             // tipo de pessoa, por extenso; aqui só há pessoas jurídicas
	TipoDevedor           *string      `json:"tipo_devedor"`            // papel do devedor na inscrição: principal, corresponsável ou solidário, na grafia da fonte
	NomeDevedor           *string      `json:"nome_devedor"`            // nome do devedor na fonte
	UfDevedor             *string      `json:"uf_devedor"`              // UF do devedor; null nas publicações até o 3º trimestre de 2022, que só dão a da unidade da PGFN
	UnidadeResponsavel    *string      `json:"unidade_responsavel"`     // unidade da PGFN que responde pela inscrição; não é o lugar do devedor
	EntidadeResponsavel   *string      `json:"entidade_responsavel"`    // quem cobra, PGFN ou CAIXA; só no FGTS
	UnidadeInscricao      *string      `json:"unidade_inscricao"`       // unidade que inscreveu o débito; só no FGTS
	NumeroInscricao       *string      `json:"numero_inscricao"`        // número da inscrição, como texto; a fonte às vezes omite zeros à esquerda
	TipoSituacaoInscricao *string      `json:"tipo_situacao_inscricao"` // grupo da situação, como “Em cobrança”, “Benefício Fiscal” ou “Garantia”
	SituacaoInscricao     *string      `json:"situacao_inscricao"`      // situação da inscrição, em texto livre da fonte
	ReceitaPrincipal      *string      `json:"receita_principal"`       // receita a que o débito pertence; não existe no previdenciário
	TipoCredito           *string      `json:"tipo_credito"`            // tipo do crédito; só no previdenciário
	DataInscricao         *string      `json:"data_inscricao"`          // data da inscrição em dívida ativa; null quando a fonte não a conhece (AAAAMMDD)
	IndicadorAjuizado     *string      `json:"indicador_ajuizado"`      // SIM quando a dívida é cobrada na justiça, NAO quando não
	ValorConsolidado      *json.Number `json:"valor_consolidado"`       // valor da inscrição no fim do trimestre; repete-se inteiro em cada corresponsável, por isso não se somam as linhas (reais)
}

// PaginaPgfn: Dívida ativa da União e do FGTS. Inscrições em dívida ativa da União e do FGTS, com situação, tipo de devedor e valor consolidado. É o estoque do fim do trimestre: débitos pagos ou cancelados saem da lista.
type PaginaPgfn struct {
	Status          string        `json:"status"`           // encontrado: há registros; sem_ocorrencia: não há, nesta fotografia (não é certidão); indisponivel: a fonte não tem carga; erro: a consulta falhou
	Escopo          string        `json:"escopo"`           // a que o documento foi comparado
	Documento       string        `json:"documento"`        // documento consultado
	Competencia     *string       `json:"competencia"`      // período da fonte: AAAA-MM, AAAA-MM-DD ou o rótulo de quem publica
	CarregadaEm     *string       `json:"carregada_em"`     // quando a carga terminou (UTC)
	CoberturaInicio *string       `json:"cobertura_inicio"` // início da cobertura (AAAA-MM-DD)
	Desatualizada   *bool         `json:"desatualizada"`    // a carga é antiga para o ritmo de publicação; null: não informado
	Proveniencia    *Proveniencia `json:"proveniencia"`     // de onde vieram os registros
	Itens           []ItemPgfn    `json:"itens"`
	Total           *int64        `json:"total"`          // registros em todas as páginas; null quando o status é indisponivel ou erro
	ProximoCursor   *string       `json:"proximo_cursor"` // cursor da próxima página; null no fim
	ProximaUrl      *string       `json:"proxima_url"`    // endereço da próxima página desta coleção; null no fim
}

// RegistrosPublicosDividas: Fontes do grupo dividas.
type RegistrosPublicosDividas struct {
	Pgfn PaginaPgfn `json:"pgfn"`
}

// ItemCeis: Empresas inidôneas e suspensas (CEIS): um registro, com os campos e valores da fonte.
type ItemCeis struct {
	Cadastro                      *string `json:"cadastro"`                         // cadastro da sanção: CEIS ou CNEP
	CodigoSancao                  *string `json:"codigo_sancao"`                    // código da sanção, único no cadastro
	TipoPessoa                    *string `json:"tipo_pessoa"`                      // J: pessoa jurídica; null quando a fonte não diz
	Cnpj                          *string `json:"cnpj"`                             // CNPJ do sancionado, sem máscara
	NomeSancionado                *string `json:"nome_sancionado"`                  // nome mostrado no Portal da Transparência
	NomeInformadoOrgaoSancionador *string `json:"nome_informado_orgao_sancionador"` // nome escrito pelo órgão que aplicou a sanção
	RazaoSocialReceita            *string `json:"razao_social_receita"`             // razão social na Receita Federal, segundo a CGU
	NomeFantasiaReceita           *string `json:"nome_fantasia_receita"`            // nome fantasia na Receita Federal, segundo a CGU
	NumeroProcesso                *string `json:"numero_processo"`                  // número do processo, em texto livre
	CategoriaSancao               *string `json:"categoria_sancao"`                 // espécie da sanção, como multa, suspensão ou declaração de inidoneidade
	DataInicioSancao              *string `json:"data_inicio_sancao"`               // início da sanção (DD/MM/AAAA)
	DataFinalSancao               *string `json:"data_final_sancao"`                // fim da sanção; null quando não foi publicado (DD/MM/AAAA)
	DataPublicacao                *string `json:"data_publicacao"`                  // data da publicação da sanção (DD/MM/AAAA)
	Publicacao                    *string `json:"publicacao"`                       // onde a sanção foi publicada, com seção e página
	DetalhamentoMeioPublicacao    *string `json:"detalhamento_meio_publicacao"`     // pormenores do meio de publicação
	DataTransitoJulgado           *string `json:"data_transito_julgado"`            // data do trânsito em julgado (DD/MM/AAAA)
	AbrangenciaSancao             *string `json:"abrangencia_sancao"`               // diante de que poderes e esferas a sanção vale
	OrgaoSancionador              *string `json:"orgao_sancionador"`                // órgão que aplicou a sanção
	UfOrgaoSancionador            *string `json:"uf_orgao_sancionador"`             // UF do órgão sancionador; null em órgãos federais
	EsferaOrgaoSancionador        *string `json:"esfera_orgao_sancionador"`         // esfera do órgão sancionador: FEDERAL, ESTADUAL ou MUNICIPAL
	FundamentacaoLegal            *string `json:"fundamentacao_legal"`              // lei e artigos que fundamentam a sanção; vários são separados por ;;
	DataOrigemInformacao          *string `json:"data_origem_informacao"`           // data em que a informação foi registrada (DD/MM/AAAA)
	OrigemInformacoes             *string `json:"origem_informacoes"`               // órgão que registrou a informação
	Observacoes                   *string `json:"observacoes"`                      // observações livres; CPFs são mascarados
}

// PaginaCeis: Empresas inidôneas e suspensas (CEIS). Sanções que restringem o direito de licitar ou contratar com a administração pública, vigentes e passadas.
type PaginaCeis struct {
	Status          string        `json:"status"`           // encontrado: há registros; sem_ocorrencia: não há, nesta fotografia (não é certidão); indisponivel: a fonte não tem carga; erro: a consulta falhou
	Escopo          string        `json:"escopo"`           // a que o documento foi comparado
	Documento       string        `json:"documento"`        // documento consultado
	Competencia     *string       `json:"competencia"`      // período da fonte: AAAA-MM, AAAA-MM-DD ou o rótulo de quem publica
	CarregadaEm     *string       `json:"carregada_em"`     // quando a carga terminou (UTC)
	CoberturaInicio *string       `json:"cobertura_inicio"` // início da cobertura (AAAA-MM-DD)
	Desatualizada   *bool         `json:"desatualizada"`    // a carga é antiga para o ritmo de publicação; null: não informado
	Proveniencia    *Proveniencia `json:"proveniencia"`     // de onde vieram os registros
	Itens           []ItemCeis    `json:"itens"`
	Total           *int64        `json:"total"`          // registros em todas as páginas; null quando o status é indisponivel ou erro
	ProximoCursor   *string       `json:"proximo_cursor"` // cursor da próxima página; null no fim
	ProximaUrl      *string       `json:"proxima_url"`    // endereço da próxima página desta coleção; null no fim
}

// ItemCnep: Empresas punidas (CNEP): um registro, com os campos e valores da fonte.
type ItemCnep struct {
	Cadastro                      *string      `json:"cadastro"`                         // cadastro da sanção: CEIS ou CNEP
	CodigoSancao                  *string      `json:"codigo_sancao"`                    // código da sanção, único no cadastro
	TipoPessoa                    *string      `json:"tipo_pessoa"`                      // J: pessoa jurídica; null quando a fonte não diz
	Cnpj                          *string      `json:"cnpj"`                             // CNPJ do sancionado, sem máscara
	NomeSancionado                *string      `json:"nome_sancionado"`                  // nome mostrado no Portal da Transparência
	NomeInformadoOrgaoSancionador *string      `json:"nome_informado_orgao_sancionador"` // nome escrito pelo órgão que aplicou a sanção
	RazaoSocialReceita            *string      `json:"razao_social_receita"`             // razão social na Receita Federal, segundo a CGU
	NomeFantasiaReceita           *string      `json:"nome_fantasia_receita"`            // nome fantasia na Receita Federal, segundo a CGU
	NumeroProcesso                *string      `json:"numero_processo"`                  // número do processo, em texto livre
	CategoriaSancao               *string      `json:"categoria_sancao"`                 // espécie da sanção, como multa, suspensão ou declaração de inidoneidade
	ValorMulta                    *json.Number `json:"valor_multa"`                      // valor da multa; 0.00 quando a sanção não é multa (reais)
	DataInicioSancao              *string      `json:"data_inicio_sancao"`               // início da sanção (DD/MM/AAAA)
	DataFinalSancao               *string      `json:"data_final_sancao"`                // fim da sanção; null quando não foi publicado (DD/MM/AAAA)
	DataPublicacao                *string      `json:"data_publicacao"`                  // data da publicação da sanção (DD/MM/AAAA)
	Publicacao                    *string      `json:"publicacao"`                       // onde a sanção foi publicada, com seção e página
	DetalhamentoMeioPublicacao    *string      `json:"detalhamento_meio_publicacao"`     // pormenores do meio de publicação
	DataTransitoJulgado           *string      `json:"data_transito_julgado"`            // data do trânsito em julgado (DD/MM/AAAA)
	AbrangenciaSancao             *string      `json:"abrangencia_sancao"`               // diante de que poderes e esferas a sanção vale
	OrgaoSancionador              *string      `json:"orgao_sancionador"`                // órgão que aplicou a sanção
	UfOrgaoSancionador            *string      `json:"uf_orgao_sancionador"`             // UF do órgão sancionador; null em órgãos federais
	EsferaOrgaoSancionador        *string      `json:"esfera_orgao_sancionador"`         // esfera do órgão sancionador: FEDERAL, ESTADUAL ou MUNICIPAL
	FundamentacaoLegal            *string      `json:"fundamentacao_legal"`              // lei e artigos que fundamentam a sanção; vários são separados por ;;
	DataOrigemInformacao          *string      `json:"data_origem_informacao"`           // data em que a informação foi registrada (DD/MM/AAAA)
	OrigemInformacoes             *string      `json:"origem_informacoes"`               // órgão que registrou a informação
	Observacoes                   *string      `json:"observacoes"`                      // observações livres; CPFs são mascarados
}

// PaginaCnep: Empresas punidas (CNEP). Sanções aplicadas com base na Lei Anticorrupção (Lei 12.846/2013).
type PaginaCnep struct {
	Status          string        `json:"status"`           // encontrado: há registros; sem_ocorrencia: não há, nesta fotografia (não é certidão); indisponivel: a fonte não tem carga; erro: a consulta falhou
	Escopo          string        `json:"escopo"`           // a que o documento foi comparado
	Documento       string        `json:"documento"`        // documento consultado
	Competencia     *string       `json:"competencia"`      // período da fonte: AAAA-MM, AAAA-MM-DD ou o rótulo de quem publica
	CarregadaEm     *string       `json:"carregada_em"`     // quando a carga terminou (UTC)
	CoberturaInicio *string       `json:"cobertura_inicio"` // início da cobertura (AAAA-MM-DD)
	Desatualizada   *bool         `json:"desatualizada"`    // a carga é antiga para o ritmo de publicação; null: não informado
	Proveniencia    *Proveniencia `json:"proveniencia"`     // de onde vieram os registros
	Itens           []ItemCnep    `json:"itens"`
	Total           *int64        `json:"total"`          // registros em todas as páginas; null quando o status é indisponivel ou erro
	ProximoCursor   *string       `json:"proximo_cursor"` // cursor da próxima página; null no fim
	ProximaUrl      *string       `json:"proxima_url"`    // endereço da próxima página desta coleção; null no fim
}

// ItemCepim: Entidades sem fins lucrativos impedidas (CEPIM): um registro, com os campos e valores da fonte.
type ItemCepim struct {
	Cnpj              *string `json:"cnpj"`               // CNPJ da entidade, sem máscara
	NomeEntidade      *string `json:"nome_entidade"`      // nome da entidade
	NumeroConvenio    *string `json:"numero_convenio"`    // número do convênio, com zeros à esquerda
	OrgaoConcedente   *string `json:"orgao_concedente"`   // órgão que concedeu o convênio
	MotivoImpedimento *string `json:"motivo_impedimento"` // motivo do impedimento, abreviado pela fonte
}

// PaginaCepim: Entidades sem fins lucrativos impedidas (CEPIM). Entidades privadas sem fins lucrativos impedidas de celebrar convênios com a administração federal.
type PaginaCepim struct {
	Status          string        `json:"status"`           // encontrado: há registros; sem_ocorrencia: não há, nesta fotografia (não é certidão); indisponivel: a fonte não tem carga; erro: a consulta falhou
	Escopo          string        `json:"escopo"`           // a que o documento foi comparado
	Documento       string        `json:"documento"`        // documento consultado
	Competencia     *string       `json:"competencia"`      // período da fonte: AAAA-MM, AAAA-MM-DD ou o rótulo de quem publica
	CarregadaEm     *string       `json:"carregada_em"`     // quando a carga terminou (UTC)
	CoberturaInicio *string       `json:"cobertura_inicio"` // início da cobertura (AAAA-MM-DD)
	Desatualizada   *bool         `json:"desatualizada"`    // a carga é antiga para o ritmo de publicação; null: não informado
	Proveniencia    *Proveniencia `json:"proveniencia"`     // de onde vieram os registros
	Itens           []ItemCepim   `json:"itens"`
	Total           *int64        `json:"total"`          // registros em todas as páginas; null quando o status é indisponivel ou erro
	ProximoCursor   *string       `json:"proximo_cursor"` // cursor da próxima página; null no fim
	ProximaUrl      *string       `json:"proxima_url"`    // endereço da próxima página desta coleção; null no fim
}

// ItemAcordosLeniencia: Acordos de leniência: um registro, com os campos e valores da fonte.
type ItemAcordosLeniencia struct {
	IdAcordo            *string `json:"id_acordo"`             // número do acordo; repete-se em cada empresa que o assinou
	Cnpj                *string `json:"cnpj"`                  // CNPJ da empresa, sem máscara
	RazaoSocialReceita  *string `json:"razao_social_receita"`  // razão social na Receita Federal, segundo a CGU
	NomeFantasiaReceita *string `json:"nome_fantasia_receita"` // nome fantasia na Receita Federal, segundo a CGU
	DataInicioAcordo    *string `json:"data_inicio_acordo"`    // início do acordo (DD/MM/AAAA)
	DataFimAcordo       *string `json:"data_fim_acordo"`       // fim do acordo (DD/MM/AAAA)
	SituacaoAcordo      *string `json:"situacao_acordo"`       // situação do acordo, em texto da fonte
	DataInformacao      *string `json:"data_informacao"`       // data da informação (DD/MM/AAAA)
	NumeroProcesso      *string `json:"numero_processo"`       // número do processo
	TermosAcordo        *string `json:"termos_acordo"`         // termos do acordo, em texto livre
	OrgaoSancionador    *string `json:"orgao_sancionador"`     // órgão que celebrou o acordo
	Efeitos             any     `json:"efeitos"`               // efeitos do acordo: lista de objetos com efeito e complemento
}

// PaginaAcordosLeniencia: Acordos de leniência. Acordos de leniência celebrados com base na Lei Anticorrupção e seus efeitos. Não devem ser somados aos registros do CNEP.
type PaginaAcordosLeniencia struct {
	Status          string                 `json:"status"`           // encontrado: há registros; sem_ocorrencia: não há, nesta fotografia (não é certidão); indisponivel: a fonte não tem carga; erro: a consulta falhou
	Escopo          string                 `json:"escopo"`           // a que o documento foi comparado
	Documento       string                 `json:"documento"`        // documento consultado
	Competencia     *string                `json:"competencia"`      // período da fonte: AAAA-MM, AAAA-MM-DD ou o rótulo de quem publica
	CarregadaEm     *string                `json:"carregada_em"`     // quando a carga terminou (UTC)
	CoberturaInicio *string                `json:"cobertura_inicio"` // início da cobertura (AAAA-MM-DD)
	Desatualizada   *bool                  `json:"desatualizada"`    // a carga é antiga para o ritmo de publicação; null: não informado
	Proveniencia    *Proveniencia          `json:"proveniencia"`     // de onde vieram os registros
	Itens           []ItemAcordosLeniencia `json:"itens"`
	Total           *int64                 `json:"total"`          // registros em todas as páginas; null quando o status é indisponivel ou erro
	ProximoCursor   *string                `json:"proximo_cursor"` // cursor da próxima página; null no fim
	ProximaUrl      *string                `json:"proxima_url"`    // endereço da próxima página desta coleção; null no fim
}

// RegistrosPublicosSancoes: Fontes do grupo sancoes.
type RegistrosPublicosSancoes struct {
	Ceis             PaginaCeis             `json:"ceis"`
	Cnep             PaginaCnep             `json:"cnep"`
	Cepim            PaginaCepim            `json:"cepim"`
	AcordosLeniencia PaginaAcordosLeniencia `json:"acordos_leniencia"`
}

// ItemMteEmpregadores: Cadastro de Empregadores: um registro, com os campos e valores da fonte.
type ItemMteEmpregadores struct {
	IdPublicacao                     *string      `json:"id_publicacao"`                      // número da linha na edição; muda de uma edição para outra
	AnoAcaoFiscal                    *json.Number `json:"ano_acao_fiscal"`                    // ano da fiscalização; null em inclusões por ordem judicial (ano)
	Uf                               *string      `json:"uf"`                                 // UF da fiscalização; pode não ser a do endereço
	Empregador                       *string      `json:"empregador"`                         // nome do empregador; CPFs são mascarados
	Cnpj                             *string      `json:"cnpj"`                               // CNPJ do empregador, sem máscara
	Estabelecimento                  *string      `json:"estabelecimento"`                    // local fiscalizado, em texto livre; pode ser a residência de alguém
	TrabalhadoresEnvolvidos          *json.Number `json:"trabalhadores_envolvidos"`           // trabalhadores encontrados em condições análogas à de escravo (pessoas)
	Cnae                             *string      `json:"cnae"`                               // atividade econômica (CNAE), com pontuação
	DecisaoAdministrativaProcedencia *string      `json:"decisao_administrativa_procedencia"` // data da decisão administrativa definitiva (DD/MM/AAAA)
	InclusaoCadastroEmpregadores     *string      `json:"inclusao_cadastro_empregadores"`     // data de inclusão no cadastro, ou os períodos em que o nome constou, como publicado
	Periodos                         any          `json:"periodos"`                           // os mesmos períodos: lista de objetos com inicio e fim (DD/MM/AAAA); fim é null enquanto consta
	Nota                             *string      `json:"nota"`                               // nota de rodapé da publicação sobre a linha
}

// PaginaMteEmpregadores: Cadastro de Empregadores. Empregadores que submeteram trabalhadores a condições análogas à de escravo, segundo decisão administrativa definitiva. O nome permanece por dois anos.
type PaginaMteEmpregadores struct {
	Status          string                `json:"status"`           // encontrado: há registros; sem_ocorrencia: não há, nesta fotografia (não é certidão); indisponivel: a fonte não tem carga; erro: a consulta falhou
	Escopo          string                `json:"escopo"`           // a que o documento foi comparado
	Documento       string                `json:"documento"`        // documento consultado
	Competencia     *string               `json:"competencia"`      // período da fonte: AAAA-MM, AAAA-MM-DD ou o rótulo de quem publica
	CarregadaEm     *string               `json:"carregada_em"`     // quando a carga terminou (UTC)
	CoberturaInicio *string               `json:"cobertura_inicio"` // início da cobertura (AAAA-MM-DD)
	Desatualizada   *bool                 `json:"desatualizada"`    // a carga é antiga para o ritmo de publicação; null: não informado
	Proveniencia    *Proveniencia         `json:"proveniencia"`     // de onde vieram os registros
	Itens           []ItemMteEmpregadores `json:"itens"`
	Total           *int64                `json:"total"`          // registros em todas as páginas; null quando o status é indisponivel ou erro
	ProximoCursor   *string               `json:"proximo_cursor"` // cursor da próxima página; null no fim
	ProximaUrl      *string               `json:"proxima_url"`    // endereço da próxima página desta coleção; null no fim
}

// ItemMteCeac: Empregadores em ajustamento de conduta (CEAC): um registro, com os campos e valores da fonte.
type ItemMteCeac struct {
	IdPublicacao                 *string      `json:"id_publicacao"`                  // número da linha na versão
	Versao                       *string      `json:"versao"`                         // versão da publicação, AAAA_NNNN
	AnoAcaoFiscal                *json.Number `json:"ano_acao_fiscal"`                // ano da fiscalização (ano)
	Uf                           *string      `json:"uf"`                             // UF da fiscalização
	Empregador                   *string      `json:"empregador"`                     // nome do empregador; CPFs são mascarados
	Cnpj                         *string      `json:"cnpj"`                           // CNPJ do empregador, sem máscara
	Estabelecimento              *string      `json:"estabelecimento"`                // local fiscalizado, em texto livre; pode ser a residência de alguém
	InclusaoCadastroEmpregadores *string      `json:"inclusao_cadastro_empregadores"` // datas de inclusão no Cadastro de Empregadores, como publicadas
	InclusaoCeac                 *string      `json:"inclusao_ceac"`                  // datas de inclusão no CEAC, como publicadas; algumas versões as trazem no campo anterior
	PeriodosCeac                 any          `json:"periodos_ceac"`                  // os períodos no CEAC: lista de objetos com inicio e fim (DD/MM/AAAA); fim é null enquanto consta
	TermoAjustamentoCondutaMte   *string      `json:"termo_ajustamento_conduta_mte"`  // termo de ajustamento de conduta ou acordo, em texto livre
}

// PaginaMteCeac: Empregadores em ajustamento de conduta (CEAC). Empregadores que firmaram termo de ajustamento de conduta ou acordo judicial com a União. É distinto do Cadastro de Empregadores.
type PaginaMteCeac struct {
	Status          string        `json:"status"`           // encontrado: há registros; sem_ocorrencia: não há, nesta fotografia (não é certidão); indisponivel: a fonte não tem carga; erro: a consulta falhou
	Escopo          string        `json:"escopo"`           // a que o documento foi comparado
	Documento       string        `json:"documento"`        // documento consultado
	Competencia     *string       `json:"competencia"`      // período da fonte: AAAA-MM, AAAA-MM-DD ou o rótulo de quem publica
	CarregadaEm     *string       `json:"carregada_em"`     // quando a carga terminou (UTC)
	CoberturaInicio *string       `json:"cobertura_inicio"` // início da cobertura (AAAA-MM-DD)
	Desatualizada   *bool         `json:"desatualizada"`    // a carga é antiga para o ritmo de publicação; null: não informado
	Proveniencia    *Proveniencia `json:"proveniencia"`     // de onde vieram os registros
	Itens           []ItemMteCeac `json:"itens"`
	Total           *int64        `json:"total"`          // registros em todas as páginas; null quando o status é indisponivel ou erro
	ProximoCursor   *string       `json:"proximo_cursor"` // cursor da próxima página; null no fim
	ProximaUrl      *string       `json:"proxima_url"`    // endereço da próxima página desta coleção; null no fim
}

// RegistrosPublicosTrabalho: Fontes do grupo trabalho.
type RegistrosPublicosTrabalho struct {
	MteEmpregadores PaginaMteEmpregadores `json:"mte_empregadores"`
	MteCeac         PaginaMteCeac         `json:"mte_ceac"`
}

// ItemHabilitacaoAduaneira: Habilitação aduaneira: um registro, com os campos e valores da fonte.
type ItemHabilitacaoAduaneira struct {
	CnpjBasico            *string      `json:"cnpj_basico"`            // raiz do CNPJ da empresa habilitada, 8 posições
	RazaoSocial           *string      `json:"razao_social"`           // razão social na fonte
	ModalidadeHabilitacao *string      `json:"modalidade_habilitacao"` // modalidade como publicada, às vezes com o limite
	Modalidade            *string      `json:"modalidade"`             // modalidade reconhecida no texto: expressa, limitada, ilimitada ou outra
	LimitePublicado       *json.Number `json:"limite_publicado"`       // limite escrito na modalidade, na moeda de moeda_limite; null quando ela não traz nenhum
	MoedaLimite           *string      `json:"moeda_limite"`           // moeda do limite em três letras, como USD
}

// PaginaHabilitacaoAduaneira: Habilitação aduaneira. Empresas habilitadas a operar no comércio exterior e a modalidade publicada. Vale para a empresa inteira; a ausência na lista não prova que falta habilitação.
type PaginaHabilitacaoAduaneira struct {
	Status          string                     `json:"status"`           // encontrado: há registros; sem_ocorrencia: não há, nesta fotografia (não é certidão); indisponivel: a fonte não tem carga; erro: a consulta falhou
	Escopo          string                     `json:"escopo"`           // a que o documento foi comparado
	Documento       string                     `json:"documento"`        // documento consultado
	Competencia     *string                    `json:"competencia"`      // período da fonte: AAAA-MM, AAAA-MM-DD ou o rótulo de quem publica
	CarregadaEm     *string                    `json:"carregada_em"`     // quando a carga terminou (UTC)
	CoberturaInicio *string                    `json:"cobertura_inicio"` // início da cobertura (AAAA-MM-DD)
	Desatualizada   *bool                      `json:"desatualizada"`    // a carga é antiga para o ritmo de publicação; null: não informado
	Proveniencia    *Proveniencia              `json:"proveniencia"`     // de onde vieram os registros
	Itens           []ItemHabilitacaoAduaneira `json:"itens"`
	Total           *int64                     `json:"total"`          // registros em todas as páginas; null quando o status é indisponivel ou erro
	ProximoCursor   *string                    `json:"proximo_cursor"` // cursor da próxima página; null no fim
	ProximaUrl      *string                    `json:"proxima_url"`    // endereço da próxima página desta coleção; null no fim
}

// RegistrosPublicosComercioExterior: Fontes do grupo comercio_exterior.
type RegistrosPublicosComercioExterior struct {
	HabilitacaoAduaneira PaginaHabilitacaoAduaneira `json:"habilitacao_aduaneira"`
}

// ItemIbamaAutos: Autos de infração do IBAMA: um registro, com os campos e valores da fonte.
type ItemIbamaAutos struct {
	SeqAutoInfracao                  *string      `json:"seq_auto_infracao"`                   // número interno do auto; vazio em alguns autos novos
	NumAutoInfracao                  *string      `json:"num_auto_infracao"`                   // número do auto de infração; pode ter letras e zeros à esquerda
	SerAutoInfracao                  *string      `json:"ser_auto_infracao"`                   // série do auto
	TipoAuto                         *string      `json:"tipo_auto"`                           // espécie do auto, como multa ou advertência
	TipoMulta                        *string      `json:"tipo_multa"`                          // espécie da multa: aberta ou fechada
	ValAutoInfracao                  *json.Number `json:"val_auto_infracao"`                   // valor da multa (reais)
	GravidadeInfracao                *string      `json:"gravidade_infracao"`                  // gravidade da infração, por extenso
	DesStatusFormulario              *string      `json:"des_status_formulario"`               // estado do formulário, como Lavrado ou Cancelado
	DsSitAutoAie                     *string      `json:"ds_sit_auto_aie"`                     // estado no auto de infração eletrônico (AIE); muitas vezes vazio
	SitCancelado                     *string      `json:"sit_cancelado"`                       // S quando o auto foi cancelado, N quando não
	DatHoraAutoInfracao              *string      `json:"dat_hora_auto_infracao"`              // quando o auto foi lavrado; nos anos antigos só a data (AAAA-MM-DD HH:MM:SS)
	DatCienciaAutuacao               *string      `json:"dat_ciencia_autuacao"`                // quando o autuado tomou ciência (AAAA-MM-DD HH:MM:SS)
	DtFatoInfracional                *string      `json:"dt_fato_infracional"`                 // quando o fato ocorreu; com frequência vazio (AAAA-MM-DD HH:MM:SS)
	DtLancamento                     *string      `json:"dt_lancamento"`                       // quando o auto foi lançado no sistema do IBAMA (AAAA-MM-DD HH:MM:SS)
	DtUltAlteracao                   *string      `json:"dt_ult_alteracao"`                    // última alteração do auto no sistema do IBAMA (AAAA-MM-DD HH:MM:SS)
	FormaEntrega                     *string      `json:"forma_entrega"`                       // como o auto foi entregue ao autuado
	NumProcesso                      *string      `json:"num_processo"`                        // número do processo, só dígitos
	NuProcessoFormatado              *string      `json:"nu_processo_formatado"`               // número do processo, com pontuação
	CodInfracao                      *string      `json:"cod_infracao"`                        // código da infração na tabela do IBAMA, seis dígitos; 409999 é genérico
	TipoInfracao                     *string      `json:"tipo_infracao"`                       // tema da infração, como Flora, Fauna ou Pesca
	DesInfracao                      *string      `json:"des_infracao"`                        // infração que o código nomeia
	DesAutoInfracao                  *string      `json:"des_auto_infracao"`                   // descrição livre da infração; CPFs são mascarados
	DsEnquadramentoAdministrativo    *string      `json:"ds_enquadramento_administrativo"`     // normas administrativas infringidas
	DsEnquadramentoNaoAdministrativo *string      `json:"ds_enquadramento_nao_administrativo"` // outras normas infringidas
	DsEnquadramentoComplementar      *string      `json:"ds_enquadramento_complementar"`       // complemento do enquadramento legal
	CpfCnpjInfrator                  *string      `json:"cpf_cnpj_infrator"`                   // CNPJ do autuado, sem máscara; autos de pessoas físicas não são carregados
	NomeInfrator                     *string      `json:"nome_infrator"`                       // nome do autuado na fonte
	TpPessoaInfrator                 *string      `json:"tp_pessoa_infrator"`                  // PJ: pessoa jurídica; pode faltar
	CodMunicipio                     *string      `json:"cod_municipio"`                       // código do IBGE, sete dígitos, do município onde o auto foi lavrado
	Municipio                        *string      `json:"municipio"`                           // município onde o auto foi lavrado, não necessariamente o do dano
	Uf                               *string      `json:"uf"`                                  // UF onde o auto foi lavrado
	DesLocalInfracao                 *string      `json:"des_local_infracao"`                  // local da infração, em texto livre
	QtArea                           *json.Number `json:"qt_area"`                             // área da infração; o arquivo publicado não diz a unidade
	InfracaoArea                     *string      `json:"infracao_area"`                       // área ligada à infração, como publicada
	UnidadeConservacao               *string      `json:"unidade_conservacao"`                 // unidade de conservação atingida
	DsBiomasAtingidos                *string      `json:"ds_biomas_atingidos"`                 // biomas atingidos
	UnidControle                     *string      `json:"unid_controle"`                       // unidade do IBAMA que controla o auto
	TipoAcao                         *string      `json:"tipo_acao"`                           // espécie da ação de fiscalização, como Programada
	Operacao                         *string      `json:"operacao"`                            // operação de fiscalização
	SolicitacaoRecurso               *string      `json:"solicitacao_recurso"`                 // solicitação de recursos da fiscalização, como publicada
	CdTermosEmbargos                 *string      `json:"cd_termos_embargos"`                  // números dos termos de embargo ligados (num_tad em ibama_embargos)
	CdTermosApreensao                *string      `json:"cd_termos_apreensao"`                 // números dos termos de apreensão ligados
	UltimaAtualizacaoRelatorio       *string      `json:"ultima_atualizacao_relatorio"`        // quando o IBAMA extraiu o arquivo; igual em todos os registros (AAAA-MM-DD HH:MM:SS)
}

// PaginaIbamaAutos: Autos de infração do IBAMA. Autos de infração ambiental lavrados, com os cancelados assinalados. O município é o da lavratura.
type PaginaIbamaAutos struct {
	Status          string           `json:"status"`           // encontrado: há registros; sem_ocorrencia: não há, nesta fotografia (não é certidão); indisponivel: a fonte não tem carga; erro: a consulta falhou
	Escopo          string           `json:"escopo"`           // a que o documento foi comparado
	Documento       string           `json:"documento"`        // documento consultado
	Competencia     *string          `json:"competencia"`      // período da fonte: AAAA-MM, AAAA-MM-DD ou o rótulo de quem publica
	CarregadaEm     *string          `json:"carregada_em"`     // quando a carga terminou (UTC)
	CoberturaInicio *string          `json:"cobertura_inicio"` // início da cobertura (AAAA-MM-DD)
	Desatualizada   *bool            `json:"desatualizada"`    // a carga é antiga para o ritmo de publicação; null: não informado
	Proveniencia    *Proveniencia    `json:"proveniencia"`     // de onde vieram os registros
	Itens           []ItemIbamaAutos `json:"itens"`
	Total           *int64           `json:"total"`          // registros em todas as páginas; null quando o status é indisponivel ou erro
	ProximoCursor   *string          `json:"proximo_cursor"` // cursor da próxima página; null no fim
	ProximaUrl      *string          `json:"proxima_url"`    // endereço da próxima página desta coleção; null no fim
}

// ItemIbamaEmbargos: Embargos do IBAMA: um registro, com os campos e valores da fonte.
type ItemIbamaEmbargos struct {
	SeqTad                     *string      `json:"seq_tad"`                      // número interno do termo
	NumTad                     *string      `json:"num_tad"`                      // número do termo de embargo; pode ter letras e zeros à esquerda
	SerTad                     *string      `json:"ser_tad"`                      // série do termo
	DatEmbargo                 *string      `json:"dat_embargo"`                  // quando o embargo foi imposto (AAAA-MM-DD HH:MM:SS)
	DesStatusFormulario        *string      `json:"des_status_formulario"`        // estado do formulário, como Lavrado ou Cancelado
	DesStatusFormularioAie     *string      `json:"des_status_formulario_aie"`    // estado no formulário eletrônico (AIE)
	SitCancelado               *string      `json:"sit_cancelado"`                // S quando o termo foi cancelado, N quando não
	SitDesembargo              *string      `json:"sit_desembargo"`               // situação do desembargo; null enquanto não houve nenhum
	TipoDesembargo             *string      `json:"tipo_desembargo"`              // espécie do desembargo
	DatDesembargo              *string      `json:"dat_desembargo"`               // quando o embargo foi levantado (AAAA-MM-DD HH:MM:SS)
	DesDesembargo              *string      `json:"des_desembargo"`               // descrição livre do desembargo; CPFs são mascarados
	CpfCnpjEmbargado           *string      `json:"cpf_cnpj_embargado"`           // CNPJ do embargado, sem máscara; embargos de pessoas físicas não são carregados
	NomeEmbargado              *string      `json:"nome_embargado"`               // nome do embargado na fonte
	NumProcesso                *string      `json:"num_processo"`                 // número do processo, só dígitos
	DesTad                     *string      `json:"des_tad"`                      // descrição livre do embargo; CPFs são mascarados
	CodMunicipio               *string      `json:"cod_municipio"`                // código do IBGE, sete dígitos, do município onde o termo foi lavrado
	Municipio                  *string      `json:"municipio"`                    // município onde o termo foi lavrado
	Uf                         *string      `json:"uf"`                           // UF onde o termo foi lavrado
	DesLocalizacao             *string      `json:"des_localizacao"`              // local embargado, em texto livre
	NomeImovel                 *string      `json:"nome_imovel"`                  // nome do imóvel embargado
	TipoArea                   *string      `json:"tipo_area"`                    // tipo do que foi embargado, como Atividade
	QtdAreaEmbargada           *json.Number `json:"qtd_area_embargada"`           // área embargada; o arquivo publicado não diz a unidade
	FormaEntrega               *string      `json:"forma_entrega"`                // como o termo foi entregue
	UnidControle               *string      `json:"unid_controle"`                // unidade do IBAMA que controla o termo
	Operacao                   *string      `json:"operacao"`                     // operação de fiscalização
	SeqAutoInfracao            *string      `json:"seq_auto_infracao"`            // número interno do auto de infração ligado
	NumAutoInfracao            *string      `json:"num_auto_infracao"`            // número do auto de infração ligado
	DatUltAlteracao            *string      `json:"dat_ult_alteracao"`            // última alteração do termo no sistema do IBAMA (AAAA-MM-DD HH:MM:SS)
	UltimaAtualizacaoRelatorio *string      `json:"ultima_atualizacao_relatorio"` // quando o IBAMA extraiu o arquivo; igual em todos os registros (AAAA-MM-DD HH:MM:SS)
}

// PaginaIbamaEmbargos: Embargos do IBAMA. Termos de embargo de obras, atividades e áreas, em vigor ou levantados.
type PaginaIbamaEmbargos struct {
	Status          string              `json:"status"`           // encontrado: há registros; sem_ocorrencia: não há, nesta fotografia (não é certidão); indisponivel: a fonte não tem carga; erro: a consulta falhou
	Escopo          string              `json:"escopo"`           // a que o documento foi comparado
	Documento       string              `json:"documento"`        // documento consultado
	Competencia     *string             `json:"competencia"`      // período da fonte: AAAA-MM, AAAA-MM-DD ou o rótulo de quem publica
	CarregadaEm     *string             `json:"carregada_em"`     // quando a carga terminou (UTC)
	CoberturaInicio *string             `json:"cobertura_inicio"` // início da cobertura (AAAA-MM-DD)
	Desatualizada   *bool               `json:"desatualizada"`    // a carga é antiga para o ritmo de publicação; null: não informado
	Proveniencia    *Proveniencia       `json:"proveniencia"`     // de onde vieram os registros
	Itens           []ItemIbamaEmbargos `json:"itens"`
	Total           *int64              `json:"total"`          // registros em todas as páginas; null quando o status é indisponivel ou erro
	ProximoCursor   *string             `json:"proximo_cursor"` // cursor da próxima página; null no fim
	ProximaUrl      *string             `json:"proxima_url"`    // endereço da próxima página desta coleção; null no fim
}

// RegistrosPublicosAmbiental: Fontes do grupo ambiental.
type RegistrosPublicosAmbiental struct {
	IbamaAutos    PaginaIbamaAutos    `json:"ibama_autos"`
	IbamaEmbargos PaginaIbamaEmbargos `json:"ibama_embargos"`
}

// ItemRntrc: Transportadores rodoviários de cargas (RNTRC): um registro, com os campos e valores da fonte.
type ItemRntrc struct {
	NumeroRntrc            *string `json:"numero_rntrc"`            // número do registro, nove dígitos com zeros à esquerda
	NomeTransportador      *string `json:"nome_transportador"`      // nome do transportador
	Cpfcnpjtransportador   *string `json:"cpfcnpjtransportador"`    // CNPJ do transportador, sem máscara; autônomos não são carregados
	CategoriaTransportador *string `json:"categoria_transportador"` // ETC: empresa de transporte; CTC: cooperativa
	SituacaoRntrc          *string `json:"situacao_rntrc"`          // ATIVO ou PENDENTE; cancelados não são publicados
	DataPrimeiroCadastro   *string `json:"data_primeiro_cadastro"`  // data do primeiro cadastro (DD/MM/AAAA)
	DataSituacaoRntrc      *string `json:"data_situacao_rntrc"`     // data da situação (DD/MM/AAAA)
	Cep                    *string `json:"cep"`                     // CEP do transportador, com hífen
	Municipio              *string `json:"municipio"`               // município do transportador, sem código
	Uf                     *string `json:"uf"`                      // UF do transportador
	Equiparado             *string `json:"equiparado"`              // Sim quando é equiparado a transportador autônomo (TAC), Não quando não
}

// PaginaRntrc: Transportadores rodoviários de cargas (RNTRC). Empresas e cooperativas de transporte com registro ativo ou pendente. Registros cancelados não são publicados: a ausência não prova nada.
type PaginaRntrc struct {
	Status          string        `json:"status"`           // encontrado: há registros; sem_ocorrencia: não há, nesta fotografia (não é certidão); indisponivel: a fonte não tem carga; erro: a consulta falhou
	Escopo          string        `json:"escopo"`           // a que o documento foi comparado
	Documento       string        `json:"documento"`        // documento consultado
	Competencia     *string       `json:"competencia"`      // período da fonte: AAAA-MM, AAAA-MM-DD ou o rótulo de quem publica
	CarregadaEm     *string       `json:"carregada_em"`     // quando a carga terminou (UTC)
	CoberturaInicio *string       `json:"cobertura_inicio"` // início da cobertura (AAAA-MM-DD)
	Desatualizada   *bool         `json:"desatualizada"`    // a carga é antiga para o ritmo de publicação; null: não informado
	Proveniencia    *Proveniencia `json:"proveniencia"`     // de onde vieram os registros
	Itens           []ItemRntrc   `json:"itens"`
	Total           *int64        `json:"total"`          // registros em todas as páginas; null quando o status é indisponivel ou erro
	ProximoCursor   *string       `json:"proximo_cursor"` // cursor da próxima página; null no fim
	ProximaUrl      *string       `json:"proxima_url"`    // endereço da próxima página desta coleção; null no fim
}

// RegistrosPublicosTransporte: Fontes do grupo transporte.
type RegistrosPublicosTransporte struct {
	Rntrc PaginaRntrc `json:"rntrc"`
}

// ItemPncp: Contratos públicos como fornecedor: um registro, com os campos e valores da fonte.
type ItemPncp struct {
	NumeroControlePncp          any `json:"numero_controle_pncp"`           // número do contrato no PNCP: CNPJ-2-sequência/ano
	NumeroControlePncpCompra    any `json:"numero_controle_pncp_compra"`    // número da contratação que deu origem ao contrato: CNPJ-1-sequência/ano
	Participacao                any `json:"participacao"`                   // lista com o papel do CNPJ consultado em pncp: fornecedor, subcontratado ou ambos
	AnoContrato                 any `json:"ano_contrato"`                   // ano do contrato, número
	SequencialContrato          any `json:"sequencial_contrato"`            // sequência do contrato no ano, número
	NumeroContratoEmpenho       any `json:"numero_contrato_empenho"`        // número do contrato ou do empenho no órgão, texto
	Processo                    any `json:"processo"`                       // número do processo no órgão, texto
	TipoContrato                any `json:"tipo_contrato"`                  // tipo do instrumento: objeto com id e nome, como 1 Contrato ou 7 Empenho
	CategoriaProcesso           any `json:"categoria_processo"`             // categoria da contratação: objeto com id e nome, como 2 Compras, 7 Obras ou 8 Serviços
	Receita                     any `json:"receita"`                        // true quando o contrato gera receita para o órgão, false quando gera despesa
	ObjetoContrato              any `json:"objeto_contrato"`                // objeto do contrato, em texto livre
	InformacaoComplementar      any `json:"informacao_complementar"`        // informações complementares, em texto livre
	OrgaoEntidade               any `json:"orgao_entidade"`                 // órgão contratante: objeto com cnpj, razao_social, poder_id e esfera_id
	UnidadeOrgao                any `json:"unidade_orgao"`                  // unidade do órgão: objeto com codigo_unidade, nome_unidade, codigo_ibge, municipio_nome, uf_sigla e uf_nome
	OrgaoSubRogado              any `json:"orgao_sub_rogado"`               // órgão que assumiu o contrato, na forma de orgao_entidade, ou null
	UnidadeSubRogada            any `json:"unidade_sub_rogada"`             // unidade que assumiu o contrato, na forma de unidade_orgao, ou null
	TipoPessoa                  any `json:"tipo_pessoa"`                    // pessoa do fornecedor: PJ jurídica, PF física ou PE estrangeira
	NiFornecedor                any `json:"ni_fornecedor"`                  // CNPJ, CPF mascarado ou identificação estrangeira do fornecedor, texto
	NomeRazaoSocialFornecedor   any `json:"nome_razao_social_fornecedor"`   // nome do fornecedor
	CodigoPaisFornecedor        any `json:"codigo_pais_fornecedor"`         // país do fornecedor em três letras, como BRA
	TipoPessoaSubContratada     any `json:"tipo_pessoa_sub_contratada"`     // pessoa do subcontratado: PJ, PF ou PE, ou null
	NiFornecedorSubContratado   any `json:"ni_fornecedor_sub_contratado"`   // CNPJ, CPF mascarado ou identificação estrangeira do subcontratado, ou null
	NomeFornecedorSubContratado any `json:"nome_fornecedor_sub_contratado"` // nome do subcontratado, ou null
	ValorInicial                any `json:"valor_inicial"`                  // valor inicial do contrato, número com até quatro decimais (reais)
	NumeroParcelas              any `json:"numero_parcelas"`                // quantas parcelas, número
	ValorParcela                any `json:"valor_parcela"`                  // valor de cada parcela, número com até quatro decimais (reais)
	ValorGlobal                 any `json:"valor_global"`                   // valor do contrato inteiro, número com até quatro decimais; não é a parte do subcontratado (reais)
	ValorAcumulado              any `json:"valor_acumulado"`                // valor acumulado com os aditivos, número com até quatro decimais; muitas vezes null (reais)
	DataAssinatura              any `json:"data_assinatura"`                // data da assinatura (AAAA-MM-DD)
	DataVigenciaInicio          any `json:"data_vigencia_inicio"`           // início da vigência (AAAA-MM-DD)
	DataVigenciaFim             any `json:"data_vigencia_fim"`              // fim da vigência (AAAA-MM-DD)
	NumeroRetificacao           any `json:"numero_retificacao"`             // quantas vezes o registro foi retificado, número
	DataPublicacaoPncp          any `json:"data_publicacao_pncp"`           // quando foi publicado no PNCP, sem fuso (AAAA-MM-DDTHH:MM:SS)
	DataAtualizacao             any `json:"data_atualizacao"`               // última atualização do registro, sem fuso (AAAA-MM-DDTHH:MM:SS)
	DataAtualizacaoGlobal       any `json:"data_atualizacao_global"`        // última atualização do registro ou do que depende dele, sem fuso (AAAA-MM-DDTHH:MM:SS)
	IdentificadorCipi           any `json:"identificador_cipi"`             // identificador no Cadastro Integrado de Projetos de Investimento (CIPI), ou null
	UrlCipi                     any `json:"url_cipi"`                       // endereço no CIPI, ou null
	UsuarioNome                 any `json:"usuario_nome"`                   // sistema ou usuário que enviou o registro ao PNCP
	Url                         any `json:"url"`                            // página do contrato no PNCP
}

// PaginaPncp: Contratos públicos como fornecedor. Contratos e empenhos em que o CNPJ é fornecedor ou subcontratado. O valor global é o do contrato, não a parte do subcontratado.
type PaginaPncp struct {
	Status          string        `json:"status"`           // encontrado: há registros; sem_ocorrencia: não há, nesta fotografia (não é certidão); indisponivel: a fonte não tem carga; erro: a consulta falhou
	Escopo          string        `json:"escopo"`           // a que o documento foi comparado
	Documento       string        `json:"documento"`        // documento consultado
	Competencia     *string       `json:"competencia"`      // período da fonte: AAAA-MM, AAAA-MM-DD ou o rótulo de quem publica
	CarregadaEm     *string       `json:"carregada_em"`     // quando a carga terminou (UTC)
	CoberturaInicio *string       `json:"cobertura_inicio"` // início da cobertura (AAAA-MM-DD)
	Desatualizada   *bool         `json:"desatualizada"`    // a carga é antiga para o ritmo de publicação; null: não informado
	Proveniencia    *Proveniencia `json:"proveniencia"`     // de onde vieram os registros
	Itens           []ItemPncp    `json:"itens"`
	Total           *int64        `json:"total"`          // registros em todas as páginas; null quando o status é indisponivel ou erro
	ProximoCursor   *string       `json:"proximo_cursor"` // cursor da próxima página; null no fim
	ProximaUrl      *string       `json:"proxima_url"`    // endereço da próxima página desta coleção; null no fim
}

// ItemPncpOrgao: Contratos públicos como contratante: um registro, com os campos e valores da fonte.
type ItemPncpOrgao struct {
	NumeroControlePncp          any `json:"numero_controle_pncp"`           // número do contrato no PNCP: CNPJ-2-sequência/ano
	NumeroControlePncpCompra    any `json:"numero_controle_pncp_compra"`    // número da contratação que deu origem ao contrato: CNPJ-1-sequência/ano
	Participacao                any `json:"participacao"`                   // lista com o papel do CNPJ consultado em pncp: fornecedor, subcontratado ou ambos
	AnoContrato                 any `json:"ano_contrato"`                   // ano do contrato, número
	SequencialContrato          any `json:"sequencial_contrato"`            // sequência do contrato no ano, número
	NumeroContratoEmpenho       any `json:"numero_contrato_empenho"`        // número do contrato ou do empenho no órgão, texto
	Processo                    any `json:"processo"`                       // número do processo no órgão, texto
	TipoContrato                any `json:"tipo_contrato"`                  // tipo do instrumento: objeto com id e nome, como 1 Contrato ou 7 Empenho
	CategoriaProcesso           any `json:"categoria_processo"`             // categoria da contratação: objeto com id e nome, como 2 Compras, 7 Obras ou 8 Serviços
	Receita                     any `json:"receita"`                        // true quando o contrato gera receita para o órgão, false quando gera despesa
	ObjetoContrato              any `json:"objeto_contrato"`                // objeto do contrato, em texto livre
	InformacaoComplementar      any `json:"informacao_complementar"`        // informações complementares, em texto livre
	OrgaoEntidade               any `json:"orgao_entidade"`                 // órgão contratante: objeto com cnpj, razao_social, poder_id e esfera_id
	UnidadeOrgao                any `json:"unidade_orgao"`                  // unidade do órgão: objeto com codigo_unidade, nome_unidade, codigo_ibge, municipio_nome, uf_sigla e uf_nome
	OrgaoSubRogado              any `json:"orgao_sub_rogado"`               // órgão que assumiu o contrato, na forma de orgao_entidade, ou null
	UnidadeSubRogada            any `json:"unidade_sub_rogada"`             // unidade que assumiu o contrato, na forma de unidade_orgao, ou null
	TipoPessoa                  any `json:"tipo_pessoa"`                    // pessoa do fornecedor: PJ jurídica, PF física ou PE estrangeira
	NiFornecedor                any `json:"ni_fornecedor"`                  // CNPJ, CPF mascarado ou identificação estrangeira do fornecedor, texto
	NomeRazaoSocialFornecedor   any `json:"nome_razao_social_fornecedor"`   // nome do fornecedor
	CodigoPaisFornecedor        any `json:"codigo_pais_fornecedor"`         // país do fornecedor em três letras, como BRA
	TipoPessoaSubContratada     any `json:"tipo_pessoa_sub_contratada"`     // pessoa do subcontratado: PJ, PF ou PE, ou null
	NiFornecedorSubContratado   any `json:"ni_fornecedor_sub_contratado"`   // CNPJ, CPF mascarado ou identificação estrangeira do subcontratado, ou null
	NomeFornecedorSubContratado any `json:"nome_fornecedor_sub_contratado"` // nome do subcontratado, ou null
	ValorInicial                any `json:"valor_inicial"`                  // valor inicial do contrato, número com até quatro decimais (reais)
	NumeroParcelas              any `json:"numero_parcelas"`                // quantas parcelas, número
	ValorParcela                any `json:"valor_parcela"`                  // valor de cada parcela, número com até quatro decimais (reais)
	ValorGlobal                 any `json:"valor_global"`                   // valor do contrato inteiro, número com até quatro decimais; não é a parte do subcontratado (reais)
	ValorAcumulado              any `json:"valor_acumulado"`                // valor acumulado com os aditivos, número com até quatro decimais; muitas vezes null (reais)
	DataAssinatura              any `json:"data_assinatura"`                // data da assinatura (AAAA-MM-DD)
	DataVigenciaInicio          any `json:"data_vigencia_inicio"`           // início da vigência (AAAA-MM-DD)
	DataVigenciaFim             any `json:"data_vigencia_fim"`              // fim da vigência (AAAA-MM-DD)
	NumeroRetificacao           any `json:"numero_retificacao"`             // quantas vezes o registro foi retificado, número
	DataPublicacaoPncp          any `json:"data_publicacao_pncp"`           // quando foi publicado no PNCP, sem fuso (AAAA-MM-DDTHH:MM:SS)
	DataAtualizacao             any `json:"data_atualizacao"`               // última atualização do registro, sem fuso (AAAA-MM-DDTHH:MM:SS)
	DataAtualizacaoGlobal       any `json:"data_atualizacao_global"`        // última atualização do registro ou do que depende dele, sem fuso (AAAA-MM-DDTHH:MM:SS)
	IdentificadorCipi           any `json:"identificador_cipi"`             // identificador no Cadastro Integrado de Projetos de Investimento (CIPI), ou null
	UrlCipi                     any `json:"url_cipi"`                       // endereço no CIPI, ou null
	UsuarioNome                 any `json:"usuario_nome"`                   // sistema ou usuário que enviou o registro ao PNCP
	Url                         any `json:"url"`                            // página do contrato no PNCP
}

// PaginaPncpOrgao: Contratos públicos como contratante. Contratos e empenhos em que o CNPJ consultado é o órgão contratante.
type PaginaPncpOrgao struct {
	Status          string          `json:"status"`           // encontrado: há registros; sem_ocorrencia: não há, nesta fotografia (não é certidão); indisponivel: a fonte não tem carga; erro: a consulta falhou
	Escopo          string          `json:"escopo"`           // a que o documento foi comparado
	Documento       string          `json:"documento"`        // documento consultado
	Competencia     *string         `json:"competencia"`      // período da fonte: AAAA-MM, AAAA-MM-DD ou o rótulo de quem publica
	CarregadaEm     *string         `json:"carregada_em"`     // quando a carga terminou (UTC)
	CoberturaInicio *string         `json:"cobertura_inicio"` // início da cobertura (AAAA-MM-DD)
	Desatualizada   *bool           `json:"desatualizada"`    // a carga é antiga para o ritmo de publicação; null: não informado
	Proveniencia    *Proveniencia   `json:"proveniencia"`     // de onde vieram os registros
	Itens           []ItemPncpOrgao `json:"itens"`
	Total           *int64          `json:"total"`          // registros em todas as páginas; null quando o status é indisponivel ou erro
	ProximoCursor   *string         `json:"proximo_cursor"` // cursor da próxima página; null no fim
	ProximaUrl      *string         `json:"proxima_url"`    // endereço da próxima página desta coleção; null no fim
}

// RegistrosPublicosContratacoesPublicas: Fontes do grupo contratacoes_publicas.
type RegistrosPublicosContratacoesPublicas struct {
	Pncp      PaginaPncp      `json:"pncp"`
	PncpOrgao PaginaPncpOrgao `json:"pncp_orgao"`
}

// ItemBndes: Financiamentos do BNDES: um registro, com os campos e valores da fonte.
type ItemBndes struct {
	TipoOperacao                     *string      `json:"tipo_operacao"`                      // nao_automatica (cada registro é um subcrédito) ou indireta_automatica
	DocumentoFonte                   *string      `json:"documento_fonte"`                    // documento do cliente como o BNDES o publica: CNPJ completo ou mascarado
	CnpjVinculado                    *string      `json:"cnpj_vinculado"`                     // CNPJ ao qual a operação foi ligada, sem máscara
	MetodoVinculo                    *string      `json:"metodo_vinculo"`                     // como o CNPJ foi obtido: publicado, inferido_raiz_no_nome ou inferido_mascara_nome_municipio; veja /metodologia/bndes
	Cliente                          *string      `json:"cliente"`                            // nome do cliente, cortado pela fonte em 55 caracteres
	NumeroDoContrato                 *string      `json:"numero_do_contrato"`                 // número do contrato; repete-se nos seus subcréditos, e não existe nas indiretas automáticas
	DescricaoDoProjeto               *string      `json:"descricao_do_projeto"`               // descrição do projeto; só nas não automáticas
	Uf                               *string      `json:"uf"`                                 // UF do investimento ou do cliente
	Municipio                        *string      `json:"municipio"`                          // município do investimento ou do cliente
	MunicipioCodigo                  *string      `json:"municipio_codigo"`                   // código desse município no IBGE, sete dígitos; null quando a fonte não o conhece
	DataDaContratacao                *string      `json:"data_da_contratacao"`                // data da contratação (AAAA-MM-DD)
	ValorContratadoReais             *json.Number `json:"valor_contratado_reais"`             // valor contratado, sem correção (reais)
	ValorDesembolsadoReais           *json.Number `json:"valor_desembolsado_reais"`           // valor desembolsado, sem correção; pode superar o contratado (reais)
	FonteDeRecursoDesembolsos        *string      `json:"fonte_de_recurso_desembolsos"`       // origem dos recursos; várias são separadas por /
	CustoFinanceiro                  *string      `json:"custo_financeiro"`                   // índice do custo, como TLP, SELIC ou TAXA FIXA
	Juros                            *json.Number `json:"juros"`                              // taxa somada ao custo financeiro; com TAXA FIXA é o custo inteiro (% ao ano)
	PrazoCarenciaMeses               *json.Number `json:"prazo_carencia_meses"`               // prazo de carência (meses)
	PrazoAmortizacaoMeses            *json.Number `json:"prazo_amortizacao_meses"`            // prazo de amortização (meses)
	ModalidadeDeApoio                *string      `json:"modalidade_de_apoio"`                // REEMBOLSÁVEL ou NÃO REEMBOLSÁVEL
	FormaDeApoio                     *string      `json:"forma_de_apoio"`                     // DIRETA, pelo próprio BNDES, ou INDIRETA, por instituição credenciada
	Produto                          *string      `json:"produto"`                            // produto do BNDES
	InstrumentoFinanceiro            *string      `json:"instrumento_financeiro"`             // instrumento financeiro do BNDES
	Inovacao                         *string      `json:"inovacao"`                           // SIM quando a operação é de inovação, NÃO quando não
	AreaOperacional                  *string      `json:"area_operacional"`                   // área do BNDES que cuida da operação
	SetorCnae                        *string      `json:"setor_cnae"`                         // setor da economia, segundo a CNAE
	SubsetorCnaeAgrupado             *string      `json:"subsetor_cnae_agrupado"`             // subsetor da CNAE, agrupado pelo BNDES
	SubsetorCnaeCodigo               *string      `json:"subsetor_cnae_codigo"`               // código da CNAE: letra da seção e sete dígitos, completado com zeros
	SubsetorCnaeNome                 *string      `json:"subsetor_cnae_nome"`                 // nome da CNAE
	SetorBndes                       *string      `json:"setor_bndes"`                        // setor na classificação do BNDES
	SubsetorBndes                    *string      `json:"subsetor_bndes"`                     // subsetor na classificação do BNDES
	PorteDoCliente                   *string      `json:"porte_do_cliente"`                   // porte do cliente: MICRO, PEQUENA, MÉDIA ou GRANDE
	NaturezaDoCliente                *string      `json:"natureza_do_cliente"`                // natureza do cliente: privada ou da administração pública
	InstituicaoFinanceiraCredenciada *string      `json:"instituicao_financeira_credenciada"` // instituição que repassou os recursos, nas operações indiretas
	CnpjInstituicaoFinanceira        *string      `json:"cnpj_instituicao_financeira"`        // CNPJ da instituição, sem máscara
	TipoDeGarantia                   *string      `json:"tipo_de_garantia"`                   // garantia da operação
	TipoDeExcepcionalidade           *string      `json:"tipo_de_excepcionalidade"`           // excepcionalidade da operação, como publicada
	Situacao                         *string      `json:"situacao"`                           // situação do contrato ou da operação, como ATIVA ou LIQUIDADA
}

// PaginaBndes: Financiamentos do BNDES. Operações de financiamento contratadas desde 2002. Um subcrédito não é necessariamente um contrato; parte dos vínculos é inferida pela metodologia descrita.
type PaginaBndes struct {
	Status          string        `json:"status"`           // encontrado: há registros; sem_ocorrencia: não há, nesta fotografia (não é certidão); indisponivel: a fonte não tem carga; erro: a consulta falhou
	Escopo          string        `json:"escopo"`           // a que o documento foi comparado
	Documento       string        `json:"documento"`        // documento consultado
	Competencia     *string       `json:"competencia"`      // período da fonte: AAAA-MM, AAAA-MM-DD ou o rótulo de quem publica
	CarregadaEm     *string       `json:"carregada_em"`     // quando a carga terminou (UTC)
	CoberturaInicio *string       `json:"cobertura_inicio"` // início da cobertura (AAAA-MM-DD)
	Desatualizada   *bool         `json:"desatualizada"`    // a carga é antiga para o ritmo de publicação; null: não informado
	Proveniencia    *Proveniencia `json:"proveniencia"`     // de onde vieram os registros
	Itens           []ItemBndes   `json:"itens"`
	Total           *int64        `json:"total"`          // registros em todas as páginas; null quando o status é indisponivel ou erro
	ProximoCursor   *string       `json:"proximo_cursor"` // cursor da próxima página; null no fim
	ProximaUrl      *string       `json:"proxima_url"`    // endereço da próxima página desta coleção; null no fim
}

// RegistrosPublicosFinanciamento: Fontes do grupo financiamento.
type RegistrosPublicosFinanciamento struct {
	Bndes PaginaBndes `json:"bndes"`
}

// RegistrosPublicos: A primeira página de cada fonte, por tema.
type RegistrosPublicos struct {
	Dividas              RegistrosPublicosDividas              `json:"dividas"`               // Fontes do grupo dividas.
	Sancoes              RegistrosPublicosSancoes              `json:"sancoes"`               // Fontes do grupo sancoes.
	Trabalho             RegistrosPublicosTrabalho             `json:"trabalho"`              // Fontes do grupo trabalho.
	ComercioExterior     RegistrosPublicosComercioExterior     `json:"comercio_exterior"`     // Fontes do grupo comercio_exterior.
	Ambiental            RegistrosPublicosAmbiental            `json:"ambiental"`             // Fontes do grupo ambiental.
	Transporte           RegistrosPublicosTransporte           `json:"transporte"`            // Fontes do grupo transporte.
	ContratacoesPublicas RegistrosPublicosContratacoesPublicas `json:"contratacoes_publicas"` // Fontes do grupo contratacoes_publicas.
	Financiamento        RegistrosPublicosFinanciamento        `json:"financiamento"`         // Fontes do grupo financiamento.
}

// RespostaEmpresaFullDados: Cadastro da empresa e fontes.
type RespostaEmpresaFullDados struct {
	Empresa           Empresa           `json:"empresa"`
	Estabelecimentos  Estabelecimentos  `json:"estabelecimentos"`
	RegistrosPublicos RegistrosPublicos `json:"registros_publicos"`
}

// RespostaEmpresaFull: A resposta.
type RespostaEmpresaFull struct {
	Dados RespostaEmpresaFullDados `json:"dados"` // Cadastro da empresa e fontes.
	Meta  Meta                     `json:"meta"`
}

// RespostaFonte: A resposta.
type RespostaFonte struct {
	Dados json.RawMessage `json:"dados"`
	Meta  Meta            `json:"meta"`
}

// RespostaEstabelecimentos: A resposta.
type RespostaEstabelecimentos struct {
	Dados Estabelecimentos `json:"dados"`
	Meta  Meta             `json:"meta"`
}

// RespostaSocios: A resposta.
type RespostaSocios struct {
	Dados Socios `json:"dados"`
	Meta  Meta   `json:"meta"`
}

// MudancasDoDocumento: Uma página da história de uma empresa ou estabelecimento.
type MudancasDoDocumento struct {
	CnpjBasico    string                `json:"cnpj_basico"` // as 8 primeiras posições do CNPJ, que identificam a empresa
	Cobertura     []CoberturaDaHistoria `json:"cobertura"`   // de cada fonte, desde quando se conhecem as mudanças e o que não foi comparado
	Itens         []Mudanca             `json:"itens"`
	Total         int64                 `json:"total"`          // eventos em todas as páginas
	ProximoCursor *string               `json:"proximo_cursor"` // cursor da próxima página; null no fim
	ProximaUrl    *string               `json:"proxima_url"`    // endereço da próxima página desta coleção; null no fim
}

// RespostaMudancasDoDocumento: A resposta.
type RespostaMudancasDoDocumento struct {
	Dados MudancasDoDocumento `json:"dados"`
	Meta  Meta                `json:"meta"`
}

// RespostaEstabelecimentoBasicDados: Cadastro do estabelecimento.
type RespostaEstabelecimentoBasicDados struct {
	Empresa         Empresa         `json:"empresa"`
	Estabelecimento Estabelecimento `json:"estabelecimento"`
}

// RespostaEstabelecimentoBasic: A resposta.
type RespostaEstabelecimentoBasic struct {
	Dados RespostaEstabelecimentoBasicDados `json:"dados"` // Cadastro do estabelecimento.
	Meta  Meta                              `json:"meta"`
}

// RespostaEstabelecimentoFullDados: Cadastro do estabelecimento e fontes.
type RespostaEstabelecimentoFullDados struct {
	Empresa           Empresa           `json:"empresa"`
	Estabelecimento   Estabelecimento   `json:"estabelecimento"`
	RegistrosPublicos RegistrosPublicos `json:"registros_publicos"`
}

// RespostaEstabelecimentoFull: A resposta.
type RespostaEstabelecimentoFull struct {
	Dados RespostaEstabelecimentoFullDados `json:"dados"` // Cadastro do estabelecimento e fontes.
	Meta  Meta                             `json:"meta"`
}

// RespostaRedeDadosContatos1Item: Um contato da matriz que outras empresas também publicam. Sugere um vínculo, e não o prova.
type RespostaRedeDadosContatos1Item struct {
	De    string   `json:"de"`    // id da empresa
	Tipo  string   `json:"tipo"`  // o que é
	Valor string   `json:"valor"` // o contato
	Comum bool     `json:"comum"` // true: mais de vinte outras o publicam, como os de contadores, provedores de e-mail e prédios; não diz nada
	Com   []string `json:"com"`   // CNPJ de um estabelecimento de cada outra empresa; vazia se comum
}

// MembroDaRedeDescricoes: Textos dos códigos.
type MembroDaRedeDescricoes struct {
	Pais              *string `json:"pais"`               // texto do código pais; null: desconhecido
	Municipio         *string `json:"municipio"`          // texto do código municipio; null: desconhecido
	SituacaoCadastral *string `json:"situacao_cadastral"` // texto do código situacao_cadastral; null: desconhecido
}

// MembroDaRede: Uma empresa, ou quem está em uma. Nome e seis dígitos do CPF não identificam uma pessoa: há homônimos.
type MembroDaRede struct {
	Id                string                 `json:"id"`                 // identificador, o mesmo em todas as cargas: as 8 posições de uma empresa; de uma pessoa, seis dígitos do CPF e o nome; ex- de quem está no exterior
	Tipo              string                 `json:"tipo"`               // o que é
	Nome              *string                `json:"nome"`               // nome como foi publicado; null: a empresa não consta da carga
	Cnpj              *string                `json:"cnpj"`               // CNPJ da matriz de uma empresa
	Documento         *string                `json:"documento"`          // CPF mascarado de uma pessoa, como foi publicado
	Pais              string                 `json:"pais"`               // país de um estrangeiro
	Uf                string                 `json:"uf"`                 // estado da matriz, sigla
	Municipio         string                 `json:"municipio"`          // município da matriz, código da Receita Federal
	SituacaoCadastral string                 `json:"situacao_cadastral"` // situação cadastral, código de dois dígitos (01 Nula; 02 Ativa; 03 Suspensa; 04 Inapta; 05 Ativa Não Regular; 08 Baixada)
	Distancia         int64                  `json:"distancia"`          // vínculos até o membro pedido mais próximo
	Descricoes        MembroDaRedeDescricoes `json:"descricoes"`         // Textos dos códigos.
}

// RespostaRedeDadosVinculosItemLinhasItem: Uma linha da tabela de sócios da empresa.
type RespostaRedeDadosVinculosItemLinhasItem struct {
	Numero        int64 `json:"numero"`        // posição entre os sócios da empresa, a partir de 1, como em /v2/empresas/{documento}/socios
	Representante bool  `json:"representante"` // true: quem tem o vínculo é o representante legal deste sócio
	Socio         Socio `json:"socio"`
}

// RespostaRedeDadosVinculosItem: Uma empresa nomeia um sócio ou representante.
type RespostaRedeDadosVinculosItem struct {
	De     string                                    `json:"de"`   // id de quem é nomeado
	Para   string                                    `json:"para"` // as 8 posições da empresa que nomeia
	Linhas []RespostaRedeDadosVinculosItemLinhasItem `json:"linhas"`
}

// ForaDaRede: Quantos vínculos de um membro não estão na rede, pelos limites dela.
type ForaDaRede struct {
	Id       string `json:"id"`       // identificador do membro
	Socios   int64  `json:"socios"`   // sócios da empresa que não estão na rede
	Empresas int64  `json:"empresas"` // empresas que nomeiam o membro e não estão na rede
}

// RespostaRedeDadosEvidencia: De onde são as linhas.
type RespostaRedeDadosEvidencia struct {
	Tabela      string  `json:"tabela"`      // a tabela publicada
	Carga       int64   `json:"carga"`       // número da carga, cuja página é /fontes/receita/cargas/{carga}
	Competencia *string `json:"competencia"` // mês da carga da Receita Federal (AAAA-MM)
}

// RespostaRedeDados: A rede.
type RespostaRedeDados struct {
	Completa  bool                             `json:"completa"` // false: algo ficou de fora, dito em fora ou porque o trabalho acabou
	Contatos  []RespostaRedeDadosContatos1Item `json:"contatos"`
	Membros   []MembroDaRede                   `json:"membros"`
	Vinculos  []RespostaRedeDadosVinculosItem  `json:"vinculos"`
	Fora      []ForaDaRede                     `json:"fora"`
	Evidencia RespostaRedeDadosEvidencia       `json:"evidencia"` // De onde são as linhas.
	Aviso     string                           `json:"aviso"`     // o que uma rede não diz
	Chamadas  int64                            `json:"chamadas"`  // chamadas como que a resposta conta, pelo trabalho
}

// RespostaRedeMeta: Sobre a resposta.
type RespostaRedeMeta struct {
	Versao          string   `json:"versao"`            // versão da API
	Release         string   `json:"release"`           // versão do produto
	Recurso         string   `json:"recurso"`           // o que foi consultado
	Competencia     *string  `json:"competencia"`       // mês da carga da Receita Federal (AAAA-MM)
	Fotografia      string   `json:"fotografia"`        // conjunto de cargas que respondeu
	RequisicaoId    string   `json:"requisicao_id"`     // o mesmo de X-Request-ID
	Disponibilidade string   `json:"disponibilidade"`   // parcial: alguma fonte falhou ou não tem carga, ou há lacunas
	Lacunas         []Lacuna `json:"lacunas,omitempty"` // só quando faltou à carga algum arquivo do que esta resposta mostra: nestas partes o que não aparece pode existir, e os totais são mínimos
}

// RespostaRede: A resposta.
type RespostaRede struct {
	Dados RespostaRedeDados `json:"dados"` // A rede.
	Meta  RespostaRedeMeta  `json:"meta"`  // Sobre a resposta.
}

// RespostaSocioEmpresasDadosVinculosItemLinhasItem: Uma linha da tabela de sócios da empresa.
type RespostaSocioEmpresasDadosVinculosItemLinhasItem struct {
	Numero        int64 `json:"numero"`        // posição entre os sócios da empresa, a partir de 1, como em /v2/empresas/{documento}/socios
	Representante bool  `json:"representante"` // true: quem tem o vínculo é o representante legal deste sócio
	Socio         Socio `json:"socio"`
}

// RespostaSocioEmpresasDadosVinculosItem: Uma empresa nomeia um sócio ou representante.
type RespostaSocioEmpresasDadosVinculosItem struct {
	De     string                                             `json:"de"`   // id de quem é nomeado
	Para   string                                             `json:"para"` // as 8 posições da empresa que nomeia
	Linhas []RespostaSocioEmpresasDadosVinculosItemLinhasItem `json:"linhas"`
}

// RespostaSocioEmpresasDadosEvidencia: De onde são as linhas.
type RespostaSocioEmpresasDadosEvidencia struct {
	Tabela      string  `json:"tabela"`      // a tabela publicada
	Carga       int64   `json:"carga"`       // número da carga, cuja página é /fontes/receita/cargas/{carga}
	Competencia *string `json:"competencia"` // mês da carga da Receita Federal (AAAA-MM)
}

// RespostaSocioEmpresasDados: A rede.
type RespostaSocioEmpresasDados struct {
	Total         int64                                    `json:"total"`          // vínculos em todas as páginas
	ProximoCursor *string                                  `json:"proximo_cursor"` // cursor da próxima página; null no fim
	ProximaUrl    *string                                  `json:"proxima_url"`    // endereço da próxima página desta coleção; null no fim
	Membros       []MembroDaRede                           `json:"membros"`
	Vinculos      []RespostaSocioEmpresasDadosVinculosItem `json:"vinculos"`
	Fora          []ForaDaRede                             `json:"fora"`
	Evidencia     RespostaSocioEmpresasDadosEvidencia      `json:"evidencia"` // De onde são as linhas.
	Aviso         string                                   `json:"aviso"`     // o que uma rede não diz
	Chamadas      int64                                    `json:"chamadas"`  // chamadas como que a resposta conta, pelo trabalho
}

// RespostaSocioEmpresasMeta: Sobre a resposta.
type RespostaSocioEmpresasMeta struct {
	Versao          string   `json:"versao"`            // versão da API
	Release         string   `json:"release"`           // versão do produto
	Recurso         string   `json:"recurso"`           // o que foi consultado
	Competencia     *string  `json:"competencia"`       // mês da carga da Receita Federal (AAAA-MM)
	Fotografia      string   `json:"fotografia"`        // conjunto de cargas que respondeu
	RequisicaoId    string   `json:"requisicao_id"`     // o mesmo de X-Request-ID
	Disponibilidade string   `json:"disponibilidade"`   // parcial: alguma fonte falhou ou não tem carga, ou há lacunas
	Lacunas         []Lacuna `json:"lacunas,omitempty"` // só quando faltou à carga algum arquivo do que esta resposta mostra: nestas partes o que não aparece pode existir, e os totais são mínimos
}

// RespostaSocioEmpresas: A resposta.
type RespostaSocioEmpresas struct {
	Dados RespostaSocioEmpresasDados `json:"dados"` // A rede.
	Meta  RespostaSocioEmpresasMeta  `json:"meta"`  // Sobre a resposta.
}

// RespostaGrupoDadosRegistrosItemEmpresasItem: Uma empresa com registros.
type RespostaGrupoDadosRegistrosItemEmpresasItem struct {
	CnpjBasico string       `json:"cnpj_basico"` // as 8 posições da empresa
	Status     string       `json:"status"`      // encontrado: há registros; sem_ocorrencia: não há, nesta fotografia (não é certidão); indisponivel: a fonte não tem carga; erro: não foi possível consultar
	Registros  int64        `json:"registros"`   // registros das empresas
	Total      *json.Number `json:"total"`       // soma, em reais, dos valores que podem ser somados; null: a fonte não tem valores, ou nem todos puderam ser somados
	EmVigor    *int64       `json:"em_vigor"`    // registros em vigor hoje; null: não se aplica à fonte, ou nem todos puderam ser lidos
}

// RespostaGrupoDadosRegistrosItem: O que uma fonte tem das empresas do grupo.
type RespostaGrupoDadosRegistrosItem struct {
	Fonte       string                                        `json:"fonte"`     // identificador da fonte
	Status      string                                        `json:"status"`    // encontrado: há registros; sem_ocorrencia: não há, nesta fotografia (não é certidão); indisponivel: a fonte não tem carga; erro: não foi possível consultar
	Registros   int64                                         `json:"registros"` // registros das empresas
	Total       *json.Number                                  `json:"total"`     // soma, em reais, dos valores que podem ser somados; null: a fonte não tem valores, ou nem todos puderam ser somados
	EmVigor     *int64                                        `json:"em_vigor"`  // registros em vigor hoje; null: não se aplica à fonte, ou nem todos puderam ser lidos
	Empresas    []RespostaGrupoDadosRegistrosItemEmpresasItem `json:"empresas"`
	SemResposta []string                                      `json:"sem_resposta"` // empresas de que a fonte não pôde ser lida inteira: os registros delas não estão na soma
}

// RespostaGrupoDadosVinculosItemLinhasItem: Uma linha da tabela de sócios da empresa.
type RespostaGrupoDadosVinculosItemLinhasItem struct {
	Numero        int64 `json:"numero"`        // posição entre os sócios da empresa, a partir de 1, como em /v2/empresas/{documento}/socios
	Representante bool  `json:"representante"` // true: quem tem o vínculo é o representante legal deste sócio
	Socio         Socio `json:"socio"`
}

// RespostaGrupoDadosVinculosItem: Uma empresa nomeia um sócio ou representante.
type RespostaGrupoDadosVinculosItem struct {
	De     string                                     `json:"de"`   // id de quem é nomeado
	Para   string                                     `json:"para"` // as 8 posições da empresa que nomeia
	Linhas []RespostaGrupoDadosVinculosItemLinhasItem `json:"linhas"`
}

// RespostaGrupoDadosEvidencia: De onde são as linhas.
type RespostaGrupoDadosEvidencia struct {
	Tabela      string  `json:"tabela"`      // a tabela publicada
	Carga       int64   `json:"carga"`       // número da carga, cuja página é /fontes/receita/cargas/{carga}
	Competencia *string `json:"competencia"` // mês da carga da Receita Federal (AAAA-MM)
}

// RespostaGrupoDados: A rede.
type RespostaGrupoDados struct {
	Completa  bool                              `json:"completa"` // false: algo ficou de fora, dito em fora ou porque o trabalho acabou
	Ciclos    [][]string                        `json:"ciclos"`   // empresas que, de sócia em sócia, têm a si mesmas: cada lista é um círculo, o mais curto de quem está nele
	Registros []RespostaGrupoDadosRegistrosItem `json:"registros"`
	Membros   []MembroDaRede                    `json:"membros"`
	Vinculos  []RespostaGrupoDadosVinculosItem  `json:"vinculos"`
	Fora      []ForaDaRede                      `json:"fora"`
	Evidencia RespostaGrupoDadosEvidencia       `json:"evidencia"` // De onde são as linhas.
	Aviso     string                            `json:"aviso"`     // o que uma rede não diz
	Chamadas  int64                             `json:"chamadas"`  // chamadas como que a resposta conta, pelo trabalho
}

// RespostaGrupoMeta: Sobre a resposta.
type RespostaGrupoMeta struct {
	Versao          string   `json:"versao"`            // versão da API
	Release         string   `json:"release"`           // versão do produto
	Recurso         string   `json:"recurso"`           // o que foi consultado
	Competencia     *string  `json:"competencia"`       // mês da carga da Receita Federal (AAAA-MM)
	Fotografia      string   `json:"fotografia"`        // conjunto de cargas que respondeu
	RequisicaoId    string   `json:"requisicao_id"`     // o mesmo de X-Request-ID
	Disponibilidade string   `json:"disponibilidade"`   // parcial: alguma fonte falhou ou não tem carga, ou há lacunas
	Lacunas         []Lacuna `json:"lacunas,omitempty"` // só quando faltou à carga algum arquivo do que esta resposta mostra: nestas partes o que não aparece pode existir, e os totais são mínimos
}

// RespostaGrupo: A resposta.
type RespostaGrupo struct {
	Dados RespostaGrupoDados `json:"dados"` // A rede.
	Meta  RespostaGrupoMeta  `json:"meta"`  // Sobre a resposta.
}

// RespostaCaminhoDadosVinculosItemLinhasItem: Uma linha da tabela de sócios da empresa.
type RespostaCaminhoDadosVinculosItemLinhasItem struct {
	Numero        int64 `json:"numero"`        // posição entre os sócios da empresa, a partir de 1, como em /v2/empresas/{documento}/socios
	Representante bool  `json:"representante"` // true: quem tem o vínculo é o representante legal deste sócio
	Socio         Socio `json:"socio"`
}

// RespostaCaminhoDadosVinculosItem: Uma empresa nomeia um sócio ou representante.
type RespostaCaminhoDadosVinculosItem struct {
	De     string                                       `json:"de"`   // id de quem é nomeado
	Para   string                                       `json:"para"` // as 8 posições da empresa que nomeia
	Linhas []RespostaCaminhoDadosVinculosItemLinhasItem `json:"linhas"`
}

// RespostaCaminhoDadosEvidencia: De onde são as linhas.
type RespostaCaminhoDadosEvidencia struct {
	Tabela      string  `json:"tabela"`      // a tabela publicada
	Carga       int64   `json:"carga"`       // número da carga, cuja página é /fontes/receita/cargas/{carga}
	Competencia *string `json:"competencia"` // mês da carga da Receita Federal (AAAA-MM)
}

// RespostaCaminhoDados: A rede.
type RespostaCaminhoDados struct {
	Caminhos  [][]string                         `json:"caminhos"` // cada caminho é uma lista de ids de membros, de um fim ao outro
	Completo  bool                               `json:"completo"` // false: pode haver outros caminhos, ou mais curtos
	Membros   []MembroDaRede                     `json:"membros"`
	Vinculos  []RespostaCaminhoDadosVinculosItem `json:"vinculos"`
	Fora      []ForaDaRede                       `json:"fora"`
	Evidencia RespostaCaminhoDadosEvidencia      `json:"evidencia"` // De onde são as linhas.
	Aviso     string                             `json:"aviso"`     // o que uma rede não diz
	Chamadas  int64                              `json:"chamadas"`  // chamadas como que a resposta conta, pelo trabalho
}

// RespostaCaminhoMeta: Sobre a resposta.
type RespostaCaminhoMeta struct {
	Versao          string   `json:"versao"`            // versão da API
	Release         string   `json:"release"`           // versão do produto
	Recurso         string   `json:"recurso"`           // o que foi consultado
	Competencia     *string  `json:"competencia"`       // mês da carga da Receita Federal (AAAA-MM)
	Fotografia      string   `json:"fotografia"`        // conjunto de cargas que respondeu
	RequisicaoId    string   `json:"requisicao_id"`     // o mesmo de X-Request-ID
	Disponibilidade string   `json:"disponibilidade"`   // parcial: alguma fonte falhou ou não tem carga, ou há lacunas
	Lacunas         []Lacuna `json:"lacunas,omitempty"` // só quando faltou à carga algum arquivo do que esta resposta mostra: nestas partes o que não aparece pode existir, e os totais são mínimos
}

// RespostaCaminho: A resposta.
type RespostaCaminho struct {
	Dados RespostaCaminhoDados `json:"dados"` // A rede.
	Meta  RespostaCaminhoMeta  `json:"meta"`  // Sobre a resposta.
}

// RespostaProvaDadosLinhas1Item: Uma linha guardada.
type RespostaProvaDadosLinhas1Item struct {
	Seq int64  `json:"seq"` // 0: a empresa e os primeiros sócios e estabelecimentos; acima, mais estabelecimentos; abaixo, mais sócios
	Doc string `json:"doc"` // a linha como foi guardada, em base64
}

// RespostaProvaDados: A prova. Hashes e bytes em base64 (RFC 4648, seção 4).
type RespostaProvaDados struct {
	CnpjBasico string                          `json:"cnpj_basico"` // as 8 posições da empresa
	Carga      int64                           `json:"carga"`       // número da carga, cuja página é /fontes/receita/cargas/{carga}
	Indice     int64                           `json:"indice"`      // posição da folha, a partir de 0, na ordem dos CNPJs
	Tamanho    int64                           `json:"tamanho"`     // folhas da árvore: as empresas da carga, também as que só têm estabelecimentos
	Folha      string                          `json:"folha"`       // hash da folha: SHA-256 do byte 0, das 8 posições, do nonce e, de cada linha, seq e tamanho (4 bytes cada, big endian) e doc
	Caminho    []string                        `json:"caminho"`
	Checkpoint string                          `json:"checkpoint"` // nota assinada: origem, tamanho e raiz da árvore; assinatura Ed25519
	Chave      string                          `json:"chave"`      // chave que confere a assinatura: nome, hash e chave pública
	Nonce      *string                         `json:"nonce"`      // 16 bytes que entram na folha, para que o hash não revele o que falta; null sem linhas
	Linhas     []RespostaProvaDadosLinhas1Item `json:"linhas"`
	Aviso      *string                         `json:"aviso"` // por que não há linhas; null quando há
}

// RespostaProva: A resposta.
type RespostaProva struct {
	Dados RespostaProvaDados `json:"dados"` // A prova. Hashes e bytes em base64 (RFC 4648, seção 4).
	Meta  Meta               `json:"meta"`
}

type LoteCorpo struct {
	Cnpjs  []string `json:"cnpjs"`            // CNPJs de 8 ou 14 posições, sem máscara
	Campos []string `json:"campos,omitempty"` // nomes de campos de Empresa, Estabelecimento ou Simples; sem campos, tudo o que o modo basic traz
}

// RespostaLoteDadosItensItem1Dados1: Uma empresa.
type RespostaLoteDadosItensItem1Dados1 struct {
	Empresa          Empresa          `json:"empresa"`
	Estabelecimentos Estabelecimentos `json:"estabelecimentos"`
}

// RespostaLoteDadosItensItem1Dados2: Um estabelecimento.
type RespostaLoteDadosItensItem1Dados2 struct {
	Empresa         Empresa         `json:"empresa"`
	Estabelecimento Estabelecimento `json:"estabelecimento"`
}

// RespostaLoteDadosItensItem1: O que há.
type RespostaLoteDadosItensItem1 struct {
	Cnpj  string          `json:"cnpj"` // o número, como veio
	Dados json.RawMessage `json:"dados"`
}

// RespostaLoteDadosItensItem2Erro: Por que não há dados.
type RespostaLoteDadosItensItem2Erro struct {
	Codigo   string `json:"codigo"`   // o código do erro
	Mensagem string `json:"mensagem"` // o mesmo, em palavras
}

// RespostaLoteDadosItensItem2: O que não há.
type RespostaLoteDadosItensItem2 struct {
	Cnpj string                          `json:"cnpj"` // o número, como veio
	Erro RespostaLoteDadosItensItem2Erro `json:"erro"` // Por que não há dados.
}

// RespostaLoteDados: As respostas, na ordem dos números.
type RespostaLoteDados struct {
	Itens []json.RawMessage `json:"itens"`
}

// RespostaLoteMeta: Sobre a resposta.
type RespostaLoteMeta struct {
	Versao          string   `json:"versao"`            // versão da API
	Release         string   `json:"release"`           // versão do produto
	Recurso         string   `json:"recurso"`           // o que foi consultado
	Competencia     *string  `json:"competencia"`       // mês da carga da Receita Federal (AAAA-MM)
	Fotografia      string   `json:"fotografia"`        // conjunto de cargas que respondeu
	RequisicaoId    string   `json:"requisicao_id"`     // o mesmo de X-Request-ID
	Disponibilidade string   `json:"disponibilidade"`   // parcial: alguma fonte falhou ou não tem carga, ou há lacunas
	Lacunas         []Lacuna `json:"lacunas,omitempty"` // só quando faltou à carga algum arquivo do que esta resposta mostra: nestas partes o que não aparece pode existir, e os totais são mínimos
}

// RespostaLote: A resposta.
type RespostaLote struct {
	Dados RespostaLoteDados `json:"dados"` // As respostas, na ordem dos números.
	Meta  RespostaLoteMeta  `json:"meta"`  // Sobre a resposta.
}

// PerguntaPropertiesItem: O que mais a lista diz.
type PerguntaPropertiesItem struct {
	Pid string `json:"pid"` // o que é
	V   any    `json:"v"`   // um texto, um número ou uma lista deles, de que vale o primeiro
}

// Pergunta: Uma pergunta.
type Pergunta struct {
	Query      string                   `json:"query"`           // o nome, como está na lista, ou um CNPJ
	Limit      int64                    `json:"limit,omitempty"` // candidatas, no máximo
	Properties []PerguntaPropertiesItem `json:"properties,omitempty"`
}

// ReconciliarCorpo: Nomes.
type ReconciliarCorpo struct {
	Queries map[string]Pergunta `json:"queries"`
}

// CandidataTypeItem: O tipo, sempre o mesmo.
type CandidataTypeItem struct {
	Id   string `json:"id"`   // empresa
	Name string `json:"name"` // em palavras
}

// CandidataFeaturesItem: Por que é candidata.
type CandidataFeaturesItem struct {
	Id    string          `json:"id"`    // o que se comparou
	Value json.RawMessage `json:"value"` // nome: de 0 a 1; os outros: se é o mesmo
}

// Candidata: Uma empresa que pode ser a que se quis dizer, pelo estabelecimento do lugar ou pela matriz.
type Candidata struct {
	Id          string                  `json:"id"`          // CNPJ do estabelecimento
	Name        string                  `json:"name"`        // razão social
	Description string                  `json:"description"` // nome fantasia, lugar, situação e atividade
	Type        []CandidataTypeItem     `json:"type"`
	Score       json.Number             `json:"score"` // de 0 a 100
	Match       bool                    `json:"match"` // só ela pode ser: o nome é quase o mesmo e nenhuma outra chega perto
	Features    []CandidataFeaturesItem `json:"features"`
}

// ReconciliacaoValor: Uma resposta.
type ReconciliacaoValor struct {
	Result []Candidata `json:"result"`
}

// SugestoesResultItemNotableItem: O tipo, sempre o mesmo.
type SugestoesResultItemNotableItem struct {
	Id   string `json:"id"`   // empresa
	Name string `json:"name"` // em palavras
}

type SugestoesResultItem struct {
	Id          string                           `json:"id"`          // identificador
	Name        string                           `json:"name"`        // nome
	Description string                           `json:"description"` // o que a distingue de outras
	Notable     []SugestoesResultItemNotableItem `json:"notable,omitempty"`
}

// Sugestoes: Sugestões.
type Sugestoes struct {
	Result []SugestoesResultItem `json:"result"`
}

// CamposPropostosPropertiesItem: Um campo.
type CamposPropostosPropertiesItem struct {
	Id          string `json:"id"`          // nome do campo
	Name        string `json:"name"`        // o mesmo
	Description string `json:"description"` // o que é
}

// CamposPropostos: Os campos.
type CamposPropostos struct {
	Properties []CamposPropostosPropertiesItem `json:"properties"`
}

// Cartao: Um cartão.
type Cartao struct {
	Id   string `json:"id"`   // o que foi perguntado
	Html string `json:"html"` // o que há sobre ele
}

// BuscarParametros are what Buscar may say; what is empty is left out.
type BuscarParametros struct {
	Q                   string   `query:"q"`                    // o que se procura
	Em                  string   `query:"em"`                   // onde procurar as palavras; em tudo se ausente
	Agrupar             string   `query:"agrupar"`              // sim: um resultado por empresa; nao: um por estabelecimento
	Literal             string   `query:"literal"`              // 1: palavras que são um lugar, uma condição ou um contato não viram filtro
	Ordem               string   `query:"ordem"`                // ordem dos resultados
	Facetas             string   `query:"facetas"`              // sim: conta os valores de cada filtro
	Limite              int64    `query:"limite"`               // itens por página de cada coleção
	Cursor              string   `query:"cursor"`               // cursor de proxima_url, com a mesma pergunta e o mesmo limite
	Municipio           []string `query:"municipio"`            // Filtro. Município: o código de um município na Receita Federal (4 dígitos) ou no IBGE (7), ou seu nome, como Campinas/SP. Pode repetir-se; “-” antes do valor o exclui.
	Uf                  []string `query:"uf"`                   // Filtro. Estado: a sigla de um estado, ou EX para o exterior. Pode repetir-se; “-” antes do valor o exclui.
	Regiao              []string `query:"regiao"`               // Filtro. Região: norte, nordeste, centro-oeste, sudeste, sul. Pode repetir-se; “-” antes do valor o exclui.
	Bairro              []string `query:"bairro"`               // Filtro. Bairro: o nome inteiro de um bairro, como publicado. Pode repetir-se; “-” antes do valor o exclui.
	Logradouro          []string `query:"logradouro"`           // Filtro. Logradouro: o tipo e o nome, como Rua Sete de Setembro. Pode repetir-se; “-” antes do valor o exclui.
	Numero              []string `query:"numero"`               // Filtro. Número: o do endereço, de até 5 dígitos. Pode repetir-se; “-” antes do valor o exclui.
	Cep                 []string `query:"cep"`                  // Filtro. CEP: um CEP ou o começo de um, de 3 a 8 dígitos. Pode repetir-se; “-” antes do valor o exclui.
	Ddd                 []string `query:"ddd"`                  // Filtro. DDD: um DDD, com dois dígitos. Pode repetir-se; “-” antes do valor o exclui.
	Pais                []string `query:"pais"`                 // Filtro. País: o código de um país na Receita Federal, de estabelecimentos no exterior. Pode repetir-se; “-” antes do valor o exclui.
	Cnae                []string `query:"cnae"`                 // Filtro. Atividade principal: a letra de uma seção ou os 2, 3, 5 ou 7 primeiros dígitos de uma subclasse. Pode repetir-se; “-” antes do valor o exclui.
	CnaeSecundario      []string `query:"cnae_secundario"`      // Filtro. Atividade secundária: a letra de uma seção ou os 2, 3, 5 ou 7 primeiros dígitos de uma subclasse. Pode repetir-se; “-” antes do valor o exclui.
	CnaeTodos           []string `query:"cnae_todos"`           // Filtro. Atividade principal ou secundária: a letra de uma seção ou os 2, 3, 5 ou 7 primeiros dígitos de uma subclasse. Pode repetir-se; “-” antes do valor o exclui.
	Situacao            []string `query:"situacao"`             // Filtro. Situação: o código de uma situação cadastral: 01 nula, 02 ativa, 03 suspensa, 04 inapta ou 08 baixada. Pode repetir-se; “-” antes do valor o exclui.
	SituacaoDe          string   `query:"situacao_de"`          // Filtro. Nesta situação: uma data, AAAA-MM-DD: a primeira da situação cadastral. Incluído.
	SituacaoAte         string   `query:"situacao_ate"`         // Filtro. Nesta situação: uma data, AAAA-MM-DD: a última da situação cadastral. Incluído.
	Motivo              []string `query:"motivo"`               // Filtro. Motivo da situação: um código de dois dígitos. Pode repetir-se; “-” antes do valor o exclui.
	AberturaDe          string   `query:"abertura_de"`          // Filtro. Abertura: uma data, AAAA-MM-DD: a primeira de abertura. Incluído.
	AberturaAte         string   `query:"abertura_ate"`         // Filtro. Abertura: uma data, AAAA-MM-DD: a última de abertura. Incluído.
	AnoDe               string   `query:"ano_de"`               // Filtro. Ano de abertura: um ano de quatro dígitos: o primeiro de abertura. Incluído.
	AnoAte              string   `query:"ano_ate"`              // Filtro. Ano de abertura: um ano de quatro dígitos: o último de abertura. Incluído.
	Tipo                []string `query:"tipo"`                 // Filtro. Matriz ou filial: matriz ou filial. Pode repetir-se; “-” antes do valor o exclui.
	Natureza            []string `query:"natureza"`             // Filtro. Natureza jurídica: um código de quatro dígitos. Pode repetir-se; “-” antes do valor o exclui.
	Porte               []string `query:"porte"`                // Filtro. Porte: o código de um porte: 00 não informado, 01 micro, 03 pequeno ou 05 demais. Pode repetir-se; “-” antes do valor o exclui.
	Capital             []string `query:"capital"`              // Filtro. Faixa de capital social: uma faixa de capital social em reais: 0, 1-10k, 10k-100k, 100k-1m, 1m-10m, 10m-100m, 100m. Pode repetir-se; “-” antes do valor o exclui.
	CapitalDe           string   `query:"capital_de"`           // Filtro. Capital social: um valor em reais, como 1500.50: o menor capital social. Incluído.
	CapitalAte          string   `query:"capital_ate"`          // Filtro. Capital social: um valor em reais, como 1500.50: o maior capital social. Incluído.
	EstabelecimentosDe  string   `query:"estabelecimentos_de"`  // Filtro. Estabelecimentos: um número: o menor de estabelecimentos da empresa. Incluído.
	EstabelecimentosAte string   `query:"estabelecimentos_ate"` // Filtro. Estabelecimentos: um número: o maior de estabelecimentos da empresa. Incluído.
	Simples             []string `query:"simples"`              // Filtro. Simples Nacional: sim ou nao. Pode repetir-se; “-” antes do valor o exclui.
	SimplesDe           string   `query:"simples_de"`           // Filtro. Optante pelo Simples: uma data, AAAA-MM-DD: a primeira da opção, que ainda vale. Incluído.
	SimplesAte          string   `query:"simples_ate"`          // Filtro. Optante pelo Simples: uma data, AAAA-MM-DD: a última da opção, que ainda vale. Incluído.
	Mei                 []string `query:"mei"`                  // Filtro. MEI: sim ou nao. Pode repetir-se; “-” antes do valor o exclui.
	MeiDe               string   `query:"mei_de"`               // Filtro. Optante pelo MEI: uma data, AAAA-MM-DD: a primeira da opção, que ainda vale. Incluído.
	MeiAte              string   `query:"mei_ate"`              // Filtro. Optante pelo MEI: uma data, AAAA-MM-DD: a última da opção, que ainda vale. Incluído.
	SociosDe            string   `query:"socios_de"`            // Filtro. Número de sócios: um número: o menor de sócios da empresa. Incluído.
	SociosAte           string   `query:"socios_ate"`           // Filtro. Número de sócios: um número: o maior de sócios da empresa. Incluído.
	SocioTipo           []string `query:"socio_tipo"`           // Filtro. Entre os sócios: pessoa, empresa ou estrangeiro: quem está entre os sócios; vale para a matriz. Pode repetir-se; “-” antes do valor o exclui.
	SocioQualificacao   []string `query:"socio_qualificacao"`   // Filtro. Qualificação de um sócio: um código de dois dígitos; vale para a matriz. Pode repetir-se; “-” antes do valor o exclui.
	SocioFaixa          []string `query:"socio_faixa"`          // Filtro. Faixa etária de um sócio: um código de 1 a 9; vale para a matriz. Pode repetir-se; “-” antes do valor o exclui.
	Telefone            []string `query:"telefone"`             // Filtro. Telefone publicado: sim ou nao; o de uma pessoa física conta como nenhum. Pode repetir-se; “-” antes do valor o exclui.
	Email               []string `query:"email"`                // Filtro. E-mail publicado: sim ou nao; o de uma pessoa física conta como nenhum. Pode repetir-se; “-” antes do valor o exclui.
	TelefoneNumero      []string `query:"telefone_numero"`      // Filtro. Telefone: um número com DDD, como (19) 3233-4455. Pode repetir-se; “-” antes do valor o exclui.
	EmailEndereco       []string `query:"email_endereco"`       // Filtro. E-mail: um endereço inteiro. Pode repetir-se; “-” antes do valor o exclui.
	EmailDominio        []string `query:"email_dominio"`        // Filtro. Domínio do e-mail: o domínio do e-mail, como exemplo.com.br. Pode repetir-se; “-” antes do valor o exclui.
	Fonte               []string `query:"fonte"`                // Filtro. Registros públicos: o identificador de uma fonte: quem tem registros em alguma delas (pgfn, ceis, cnep, cepim, acordos_leniencia, mte_empregadores, mte_ceac, habilitacao_aduaneira, ibama_autos, ibama_embargos, rntrc, pncp, pncp_orgao, bndes). Pode repetir-se; “-” antes do valor o exclui.
	FonteTodas          []string `query:"fonte_todas"`          // Filtro. Em todas estas fontes: o identificador de uma fonte: quem tem registros em todas elas. Pode repetir-se.
	DividaDe            string   `query:"divida_de"`            // Filtro. Dívida ativa: um valor em reais, como 1500.50: a menor dívida ativa da União, somada. Incluído.
	DividaAte           string   `query:"divida_ate"`           // Filtro. Dívida ativa: um valor em reais, como 1500.50: a maior dívida ativa da União, somada. Incluído.
	Sancao              []string `query:"sancao"`               // Filtro. Sanção em vigor: sim ou nao: uma sanção do CEIS ou do CNEP está em vigor. Pode repetir-se; “-” antes do valor o exclui.
	ContratosDe         string   `query:"contratos_de"`         // Filtro. Contratos públicos: um valor em reais, como 1500.50: o menor dos contratos como fornecedor, somados. Incluído.
	ContratosAte        string   `query:"contratos_ate"`        // Filtro. Contratos públicos: um valor em reais, como 1500.50: o maior dos contratos como fornecedor, somados. Incluído.
	ContratosAno        []string `query:"contratos_ano"`        // Filtro. Ano de um contrato público: um ano de quatro dígitos: o de um contrato como fornecedor. Pode repetir-se; “-” antes do valor o exclui.
	EmprestimosDe       string   `query:"emprestimos_de"`       // Filtro. Financiamentos do BNDES: um valor em reais, como 1500.50: o menor dos contratados, somados. Incluído.
	EmprestimosAte      string   `query:"emprestimos_ate"`      // Filtro. Financiamentos do BNDES: um valor em reais, como 1500.50: o maior dos contratados, somados. Incluído.
	EmprestimosAno      []string `query:"emprestimos_ano"`      // Filtro. Ano de um financiamento do BNDES: um ano de quatro dígitos: o de um financiamento. Pode repetir-se; “-” antes do valor o exclui.
}

// Buscar: Busca de empresas e estabelecimentos (GET /v2/busca).
func (c *Client) Buscar(ctx context.Context, parametros BuscarParametros) (*RespostaBusca, error) {
	return ask[RespostaBusca](ctx, c, request{method: http.MethodGet, path: "/v2/busca", query: values(parametros)})
}

// BuscarPaginas walks through the pages of Buscar.
func (c *Client) BuscarPaginas(ctx context.Context, parametros BuscarParametros) iter.Seq2[*RespostaBusca, error] {
	return pages(ctx, c, request{method: http.MethodGet, path: "/v2/busca", query: values(parametros)}, func(p *RespostaBusca) string { return dereference(p.Dados.ProximaUrl) })
}

// BuscarItens walks through the items of all pages of Buscar.
func (c *Client) BuscarItens(ctx context.Context, parametros BuscarParametros) iter.Seq2[Resultado, error] {
	return each(c.BuscarPaginas(ctx, parametros), func(p *RespostaBusca) []Resultado { return p.Dados.Itens })
}

// ListarMudancasParametros are what ListarMudancas may say; what is empty is left out.
type ListarMudancasParametros struct {
	Desde               string   `query:"desde"`                // só cargas publicadas aqui neste dia (UTC) ou depois
	Evento              []string `query:"evento"`               // código de evento, ou o começo de vários; pode repetir-se
	Lado                string   `query:"lado"`                 // qual dos dois estados deve passar pelos filtros: o de antes da carga ou o de depois; sem ele, um ou outro
	Limite              int64    `query:"limite"`               // eventos por página
	Cursor              string   `query:"cursor"`               // proximo_cursor da resposta anterior, com a mesma pergunta
	Municipio           []string `query:"municipio"`            // Filtro. Município: o código de um município na Receita Federal (4 dígitos) ou no IBGE (7), ou seu nome, como Campinas/SP. Pode repetir-se; “-” antes do valor o exclui.
	Uf                  []string `query:"uf"`                   // Filtro. Estado: a sigla de um estado, ou EX para o exterior. Pode repetir-se; “-” antes do valor o exclui.
	Regiao              []string `query:"regiao"`               // Filtro. Região: norte, nordeste, centro-oeste, sudeste, sul. Pode repetir-se; “-” antes do valor o exclui.
	Bairro              []string `query:"bairro"`               // Filtro. Bairro: o nome inteiro de um bairro, como publicado. Pode repetir-se; “-” antes do valor o exclui.
	Logradouro          []string `query:"logradouro"`           // Filtro. Logradouro: o tipo e o nome, como Rua Sete de Setembro. Pode repetir-se; “-” antes do valor o exclui.
	Numero              []string `query:"numero"`               // Filtro. Número: o do endereço, de até 5 dígitos. Pode repetir-se; “-” antes do valor o exclui.
	Cep                 []string `query:"cep"`                  // Filtro. CEP: um CEP ou o começo de um, de 3 a 8 dígitos. Pode repetir-se; “-” antes do valor o exclui.
	Ddd                 []string `query:"ddd"`                  // Filtro. DDD: um DDD, com dois dígitos. Pode repetir-se; “-” antes do valor o exclui.
	Pais                []string `query:"pais"`                 // Filtro. País: o código de um país na Receita Federal, de estabelecimentos no exterior. Pode repetir-se; “-” antes do valor o exclui.
	Cnae                []string `query:"cnae"`                 // Filtro. Atividade principal: a letra de uma seção ou os 2, 3, 5 ou 7 primeiros dígitos de uma subclasse. Pode repetir-se; “-” antes do valor o exclui.
	CnaeSecundario      []string `query:"cnae_secundario"`      // Filtro. Atividade secundária: a letra de uma seção ou os 2, 3, 5 ou 7 primeiros dígitos de uma subclasse. Pode repetir-se; “-” antes do valor o exclui.
	CnaeTodos           []string `query:"cnae_todos"`           // Filtro. Atividade principal ou secundária: a letra de uma seção ou os 2, 3, 5 ou 7 primeiros dígitos de uma subclasse. Pode repetir-se; “-” antes do valor o exclui.
	Situacao            []string `query:"situacao"`             // Filtro. Situação: o código de uma situação cadastral: 01 nula, 02 ativa, 03 suspensa, 04 inapta ou 08 baixada. Pode repetir-se; “-” antes do valor o exclui.
	SituacaoDe          string   `query:"situacao_de"`          // Filtro. Nesta situação: uma data, AAAA-MM-DD: a primeira da situação cadastral. Incluído.
	SituacaoAte         string   `query:"situacao_ate"`         // Filtro. Nesta situação: uma data, AAAA-MM-DD: a última da situação cadastral. Incluído.
	Motivo              []string `query:"motivo"`               // Filtro. Motivo da situação: um código de dois dígitos. Pode repetir-se; “-” antes do valor o exclui.
	AberturaDe          string   `query:"abertura_de"`          // Filtro. Abertura: uma data, AAAA-MM-DD: a primeira de abertura. Incluído.
	AberturaAte         string   `query:"abertura_ate"`         // Filtro. Abertura: uma data, AAAA-MM-DD: a última de abertura. Incluído.
	AnoDe               string   `query:"ano_de"`               // Filtro. Ano de abertura: um ano de quatro dígitos: o primeiro de abertura. Incluído.
	AnoAte              string   `query:"ano_ate"`              // Filtro. Ano de abertura: um ano de quatro dígitos: o último de abertura. Incluído.
	Tipo                []string `query:"tipo"`                 // Filtro. Matriz ou filial: matriz ou filial. Pode repetir-se; “-” antes do valor o exclui.
	Natureza            []string `query:"natureza"`             // Filtro. Natureza jurídica: um código de quatro dígitos. Pode repetir-se; “-” antes do valor o exclui.
	Porte               []string `query:"porte"`                // Filtro. Porte: o código de um porte: 00 não informado, 01 micro, 03 pequeno ou 05 demais. Pode repetir-se; “-” antes do valor o exclui.
	Capital             []string `query:"capital"`              // Filtro. Faixa de capital social: uma faixa de capital social em reais: 0, 1-10k, 10k-100k, 100k-1m, 1m-10m, 10m-100m, 100m. Pode repetir-se; “-” antes do valor o exclui.
	CapitalDe           string   `query:"capital_de"`           // Filtro. Capital social: um valor em reais, como 1500.50: o menor capital social. Incluído.
	CapitalAte          string   `query:"capital_ate"`          // Filtro. Capital social: um valor em reais, como 1500.50: o maior capital social. Incluído.
	EstabelecimentosDe  string   `query:"estabelecimentos_de"`  // Filtro. Estabelecimentos: um número: o menor de estabelecimentos da empresa. Incluído.
	EstabelecimentosAte string   `query:"estabelecimentos_ate"` // Filtro. Estabelecimentos: um número: o maior de estabelecimentos da empresa. Incluído.
	Simples             []string `query:"simples"`              // Filtro. Simples Nacional: sim ou nao. Pode repetir-se; “-” antes do valor o exclui.
	SimplesDe           string   `query:"simples_de"`           // Filtro. Optante pelo Simples: uma data, AAAA-MM-DD: a primeira da opção, que ainda vale. Incluído.
	SimplesAte          string   `query:"simples_ate"`          // Filtro. Optante pelo Simples: uma data, AAAA-MM-DD: a última da opção, que ainda vale. Incluído.
	Mei                 []string `query:"mei"`                  // Filtro. MEI: sim ou nao. Pode repetir-se; “-” antes do valor o exclui.
	MeiDe               string   `query:"mei_de"`               // Filtro. Optante pelo MEI: uma data, AAAA-MM-DD: a primeira da opção, que ainda vale. Incluído.
	MeiAte              string   `query:"mei_ate"`              // Filtro. Optante pelo MEI: uma data, AAAA-MM-DD: a última da opção, que ainda vale. Incluído.
	SociosDe            string   `query:"socios_de"`            // Filtro. Número de sócios: um número: o menor de sócios da empresa. Incluído.
	SociosAte           string   `query:"socios_ate"`           // Filtro. Número de sócios: um número: o maior de sócios da empresa. Incluído.
	SocioTipo           []string `query:"socio_tipo"`           // Filtro. Entre os sócios: pessoa, empresa ou estrangeiro: quem está entre os sócios; vale para a matriz. Pode repetir-se; “-” antes do valor o exclui.
	SocioQualificacao   []string `query:"socio_qualificacao"`   // Filtro. Qualificação de um sócio: um código de dois dígitos; vale para a matriz. Pode repetir-se; “-” antes do valor o exclui.
	SocioFaixa          []string `query:"socio_faixa"`          // Filtro. Faixa etária de um sócio: um código de 1 a 9; vale para a matriz. Pode repetir-se; “-” antes do valor o exclui.
	Telefone            []string `query:"telefone"`             // Filtro. Telefone publicado: sim ou nao; o de uma pessoa física conta como nenhum. Pode repetir-se; “-” antes do valor o exclui.
	Email               []string `query:"email"`                // Filtro. E-mail publicado: sim ou nao; o de uma pessoa física conta como nenhum. Pode repetir-se; “-” antes do valor o exclui.
	TelefoneNumero      []string `query:"telefone_numero"`      // Filtro. Telefone: um número com DDD, como (19) 3233-4455. Pode repetir-se; “-” antes do valor o exclui.
	EmailEndereco       []string `query:"email_endereco"`       // Filtro. E-mail: um endereço inteiro. Pode repetir-se; “-” antes do valor o exclui.
	EmailDominio        []string `query:"email_dominio"`        // Filtro. Domínio do e-mail: o domínio do e-mail, como exemplo.com.br. Pode repetir-se; “-” antes do valor o exclui.
	Fonte               []string `query:"fonte"`                // Filtro. Registros públicos: o identificador de uma fonte: quem tem registros em alguma delas (pgfn, ceis, cnep, cepim, acordos_leniencia, mte_empregadores, mte_ceac, habilitacao_aduaneira, ibama_autos, ibama_embargos, rntrc, pncp, pncp_orgao, bndes). Pode repetir-se; “-” antes do valor o exclui.
	FonteTodas          []string `query:"fonte_todas"`          // Filtro. Em todas estas fontes: o identificador de uma fonte: quem tem registros em todas elas. Pode repetir-se.
	DividaDe            string   `query:"divida_de"`            // Filtro. Dívida ativa: um valor em reais, como 1500.50: a menor dívida ativa da União, somada. Incluído.
	DividaAte           string   `query:"divida_ate"`           // Filtro. Dívida ativa: um valor em reais, como 1500.50: a maior dívida ativa da União, somada. Incluído.
	Sancao              []string `query:"sancao"`               // Filtro. Sanção em vigor: sim ou nao: uma sanção do CEIS ou do CNEP está em vigor. Pode repetir-se; “-” antes do valor o exclui.
	ContratosDe         string   `query:"contratos_de"`         // Filtro. Contratos públicos: um valor em reais, como 1500.50: o menor dos contratos como fornecedor, somados. Incluído.
	ContratosAte        string   `query:"contratos_ate"`        // Filtro. Contratos públicos: um valor em reais, como 1500.50: o maior dos contratos como fornecedor, somados. Incluído.
	ContratosAno        []string `query:"contratos_ano"`        // Filtro. Ano de um contrato público: um ano de quatro dígitos: o de um contrato como fornecedor. Pode repetir-se; “-” antes do valor o exclui.
	EmprestimosDe       string   `query:"emprestimos_de"`       // Filtro. Financiamentos do BNDES: um valor em reais, como 1500.50: o menor dos contratados, somados. Incluído.
	EmprestimosAte      string   `query:"emprestimos_ate"`      // Filtro. Financiamentos do BNDES: um valor em reais, como 1500.50: o maior dos contratados, somados. Incluído.
	EmprestimosAno      []string `query:"emprestimos_ano"`      // Filtro. Ano de um financiamento do BNDES: um ano de quatro dígitos: o de um financiamento. Pode repetir-se; “-” antes do valor o exclui.
}

// ListarMudancas: O que mudou no país (GET /v2/mudancas).
func (c *Client) ListarMudancas(ctx context.Context, parametros ListarMudancasParametros) (*RespostaMudancas, error) {
	return ask[RespostaMudancas](ctx, c, request{method: http.MethodGet, path: "/v2/mudancas", query: values(parametros)})
}

// ListarMudancasPaginas walks through the pages of ListarMudancas.
func (c *Client) ListarMudancasPaginas(ctx context.Context, parametros ListarMudancasParametros) iter.Seq2[*RespostaMudancas, error] {
	return pages(ctx, c, request{method: http.MethodGet, path: "/v2/mudancas", query: values(parametros)}, func(p *RespostaMudancas) string { return p.Dados.ProximaUrl })
}

// ListarMudancasItens walks through the items of all pages of ListarMudancas.
func (c *Client) ListarMudancasItens(ctx context.Context, parametros ListarMudancasParametros) iter.Seq2[Mudanca, error] {
	return each(c.ListarMudancasPaginas(ctx, parametros), func(p *RespostaMudancas) []Mudanca { return p.Dados.Itens })
}

// ListarFontes: Catálogo das fontes (GET /v2/fontes).
func (c *Client) ListarFontes(ctx context.Context) (*RespostaFontes, error) {
	return ask[RespostaFontes](ctx, c, request{method: http.MethodGet, path: "/v2/fontes", query: nil})
}

// FonteQualidadeParametros are what FonteQualidade may say; what is empty is left out.
type FonteQualidadeParametros struct {
	Carga int64 `query:"carga"` // número de uma das cargas de dados.cargas; sem ele, a que está em uso
}

// FonteQualidade: Qualidade de cada coluna de uma carga (GET /v2/fontes/{fonte}/qualidade).
func (c *Client) FonteQualidade(ctx context.Context, fonte string, parametros FonteQualidadeParametros) (*RespostaQualidade, error) {
	return ask[RespostaQualidade](ctx, c, request{method: http.MethodGet, path: "/v2/fontes/" + escape(fonte) + "/qualidade", query: values(parametros)})
}

// EmpresaBasicParametros are what EmpresaBasic may say; what is empty is left out.
type EmpresaBasicParametros struct {
	Limite int64 `query:"limite"` // itens por página de cada coleção
}

// EmpresaBasic: Empresa, sócios, Simples e estabelecimentos (GET /v2/empresas/{documento}/basic).
func (c *Client) EmpresaBasic(ctx context.Context, documento string, parametros EmpresaBasicParametros) (*RespostaEmpresaBasic, error) {
	return ask[RespostaEmpresaBasic](ctx, c, request{method: http.MethodGet, path: "/v2/empresas/" + escape(documento) + "/basic", query: values(parametros)})
}

// EmpresaFullParametros are what EmpresaFull may say; what is empty is left out.
type EmpresaFullParametros struct {
	Limite int64 `query:"limite"` // itens por página de cada coleção
}

// EmpresaFull: Cadastro e a primeira página de cada fonte (GET /v2/empresas/{documento}/full).
func (c *Client) EmpresaFull(ctx context.Context, documento string, parametros EmpresaFullParametros) (*RespostaEmpresaFull, error) {
	return ask[RespostaEmpresaFull](ctx, c, request{method: http.MethodGet, path: "/v2/empresas/" + escape(documento) + "/full", query: values(parametros)})
}

// EmpresaFonteParametros are what EmpresaFonte may say; what is empty is left out.
type EmpresaFonteParametros struct {
	Limite int64  `query:"limite"` // itens por página de cada coleção
	Cursor string `query:"cursor"` // cursor de proxima_url, com o mesmo limite
}

// EmpresaFonte: Registros de uma fonte sobre a empresa (GET /v2/empresas/{documento}/fontes/{fonte}).
func (c *Client) EmpresaFonte(ctx context.Context, documento string, fonte string, parametros EmpresaFonteParametros) (*RespostaFonte, error) {
	return ask[RespostaFonte](ctx, c, request{method: http.MethodGet, path: "/v2/empresas/" + escape(documento) + "/fontes/" + escape(fonte), query: values(parametros)})
}

// EmpresaFontePaginas walks through the pages of EmpresaFonte.
func (c *Client) EmpresaFontePaginas(ctx context.Context, documento string, fonte string, parametros EmpresaFonteParametros) iter.Seq2[*RespostaFonte, error] {
	return pages(ctx, c, request{method: http.MethodGet, path: "/v2/empresas/" + escape(documento) + "/fontes/" + escape(fonte), query: values(parametros)}, func(p *RespostaFonte) string { return nextIn(p.Dados) })
}

// EmpresaFonteItens walks through the items of all pages of EmpresaFonte.
func (c *Client) EmpresaFonteItens(ctx context.Context, documento string, fonte string, parametros EmpresaFonteParametros) iter.Seq2[json.RawMessage, error] {
	return each(c.EmpresaFontePaginas(ctx, documento, fonte, parametros), func(p *RespostaFonte) []json.RawMessage { return itemsIn(p.Dados) })
}

// EmpresaEstabelecimentosParametros are what EmpresaEstabelecimentos may say; what is empty is left out.
type EmpresaEstabelecimentosParametros struct {
	Limite int64  `query:"limite"` // itens por página de cada coleção
	Cursor string `query:"cursor"` // cursor de proxima_url, com o mesmo limite
}

// EmpresaEstabelecimentos: Estabelecimentos da empresa (GET /v2/empresas/{documento}/estabelecimentos).
func (c *Client) EmpresaEstabelecimentos(ctx context.Context, documento string, parametros EmpresaEstabelecimentosParametros) (*RespostaEstabelecimentos, error) {
	return ask[RespostaEstabelecimentos](ctx, c, request{method: http.MethodGet, path: "/v2/empresas/" + escape(documento) + "/estabelecimentos", query: values(parametros)})
}

// EmpresaEstabelecimentosPaginas walks through the pages of EmpresaEstabelecimentos.
func (c *Client) EmpresaEstabelecimentosPaginas(ctx context.Context, documento string, parametros EmpresaEstabelecimentosParametros) iter.Seq2[*RespostaEstabelecimentos, error] {
	return pages(ctx, c, request{method: http.MethodGet, path: "/v2/empresas/" + escape(documento) + "/estabelecimentos", query: values(parametros)}, func(p *RespostaEstabelecimentos) string { return dereference(p.Dados.ProximaUrl) })
}

// EmpresaEstabelecimentosItens walks through the items of all pages of EmpresaEstabelecimentos.
func (c *Client) EmpresaEstabelecimentosItens(ctx context.Context, documento string, parametros EmpresaEstabelecimentosParametros) iter.Seq2[Estabelecimento, error] {
	return each(c.EmpresaEstabelecimentosPaginas(ctx, documento, parametros), func(p *RespostaEstabelecimentos) []Estabelecimento { return p.Dados.Itens })
}

// EmpresaSociosParametros are what EmpresaSocios may say; what is empty is left out.
type EmpresaSociosParametros struct {
	Limite int64  `query:"limite"` // itens por página de cada coleção
	Cursor string `query:"cursor"` // cursor de proxima_url, com o mesmo limite
}

// EmpresaSocios: Sócios da empresa (GET /v2/empresas/{documento}/socios).
func (c *Client) EmpresaSocios(ctx context.Context, documento string, parametros EmpresaSociosParametros) (*RespostaSocios, error) {
	return ask[RespostaSocios](ctx, c, request{method: http.MethodGet, path: "/v2/empresas/" + escape(documento) + "/socios", query: values(parametros)})
}

// EmpresaSociosPaginas walks through the pages of EmpresaSocios.
func (c *Client) EmpresaSociosPaginas(ctx context.Context, documento string, parametros EmpresaSociosParametros) iter.Seq2[*RespostaSocios, error] {
	return pages(ctx, c, request{method: http.MethodGet, path: "/v2/empresas/" + escape(documento) + "/socios", query: values(parametros)}, func(p *RespostaSocios) string { return dereference(p.Dados.ProximaUrl) })
}

// EmpresaSociosItens walks through the items of all pages of EmpresaSocios.
func (c *Client) EmpresaSociosItens(ctx context.Context, documento string, parametros EmpresaSociosParametros) iter.Seq2[Socio, error] {
	return each(c.EmpresaSociosPaginas(ctx, documento, parametros), func(p *RespostaSocios) []Socio { return p.Dados.Itens })
}

// EmpresaMudancasParametros are what EmpresaMudancas may say; what is empty is left out.
type EmpresaMudancasParametros struct {
	Limite int64  `query:"limite"` // itens por página de cada coleção
	Cursor string `query:"cursor"` // cursor de proxima_url, com o mesmo limite
}

// EmpresaMudancas: O que mudou na empresa (GET /v2/empresas/{documento}/mudancas).
func (c *Client) EmpresaMudancas(ctx context.Context, documento string, parametros EmpresaMudancasParametros) (*RespostaMudancasDoDocumento, error) {
	return ask[RespostaMudancasDoDocumento](ctx, c, request{method: http.MethodGet, path: "/v2/empresas/" + escape(documento) + "/mudancas", query: values(parametros)})
}

// EmpresaMudancasPaginas walks through the pages of EmpresaMudancas.
func (c *Client) EmpresaMudancasPaginas(ctx context.Context, documento string, parametros EmpresaMudancasParametros) iter.Seq2[*RespostaMudancasDoDocumento, error] {
	return pages(ctx, c, request{method: http.MethodGet, path: "/v2/empresas/" + escape(documento) + "/mudancas", query: values(parametros)}, func(p *RespostaMudancasDoDocumento) string { return dereference(p.Dados.ProximaUrl) })
}

// EmpresaMudancasItens walks through the items of all pages of EmpresaMudancas.
func (c *Client) EmpresaMudancasItens(ctx context.Context, documento string, parametros EmpresaMudancasParametros) iter.Seq2[Mudanca, error] {
	return each(c.EmpresaMudancasPaginas(ctx, documento, parametros), func(p *RespostaMudancasDoDocumento) []Mudanca { return p.Dados.Itens })
}

// EstabelecimentoBasicParametros are what EstabelecimentoBasic may say; what is empty is left out.
type EstabelecimentoBasicParametros struct {
	Limite int64 `query:"limite"` // itens por página de cada coleção
}

// EstabelecimentoBasic: Estabelecimento e sua empresa (GET /v2/estabelecimentos/{documento}/basic).
func (c *Client) EstabelecimentoBasic(ctx context.Context, documento string, parametros EstabelecimentoBasicParametros) (*RespostaEstabelecimentoBasic, error) {
	return ask[RespostaEstabelecimentoBasic](ctx, c, request{method: http.MethodGet, path: "/v2/estabelecimentos/" + escape(documento) + "/basic", query: values(parametros)})
}

// EstabelecimentoFullParametros are what EstabelecimentoFull may say; what is empty is left out.
type EstabelecimentoFullParametros struct {
	Limite int64 `query:"limite"` // itens por página de cada coleção
}

// EstabelecimentoFull: Cadastro e a primeira página de cada fonte (GET /v2/estabelecimentos/{documento}/full).
func (c *Client) EstabelecimentoFull(ctx context.Context, documento string, parametros EstabelecimentoFullParametros) (*RespostaEstabelecimentoFull, error) {
	return ask[RespostaEstabelecimentoFull](ctx, c, request{method: http.MethodGet, path: "/v2/estabelecimentos/" + escape(documento) + "/full", query: values(parametros)})
}

// EstabelecimentoFonteParametros are what EstabelecimentoFonte may say; what is empty is left out.
type EstabelecimentoFonteParametros struct {
	Limite int64  `query:"limite"` // itens por página de cada coleção
	Cursor string `query:"cursor"` // cursor de proxima_url, com o mesmo limite
}

// EstabelecimentoFonte: Registros de uma fonte sobre o estabelecimento (GET /v2/estabelecimentos/{documento}/fontes/{fonte}).
func (c *Client) EstabelecimentoFonte(ctx context.Context, documento string, fonte string, parametros EstabelecimentoFonteParametros) (*RespostaFonte, error) {
	return ask[RespostaFonte](ctx, c, request{method: http.MethodGet, path: "/v2/estabelecimentos/" + escape(documento) + "/fontes/" + escape(fonte), query: values(parametros)})
}

// EstabelecimentoFontePaginas walks through the pages of EstabelecimentoFonte.
func (c *Client) EstabelecimentoFontePaginas(ctx context.Context, documento string, fonte string, parametros EstabelecimentoFonteParametros) iter.Seq2[*RespostaFonte, error] {
	return pages(ctx, c, request{method: http.MethodGet, path: "/v2/estabelecimentos/" + escape(documento) + "/fontes/" + escape(fonte), query: values(parametros)}, func(p *RespostaFonte) string { return nextIn(p.Dados) })
}

// EstabelecimentoFonteItens walks through the items of all pages of EstabelecimentoFonte.
func (c *Client) EstabelecimentoFonteItens(ctx context.Context, documento string, fonte string, parametros EstabelecimentoFonteParametros) iter.Seq2[json.RawMessage, error] {
	return each(c.EstabelecimentoFontePaginas(ctx, documento, fonte, parametros), func(p *RespostaFonte) []json.RawMessage { return itemsIn(p.Dados) })
}

// EstabelecimentoMudancasParametros are what EstabelecimentoMudancas may say; what is empty is left out.
type EstabelecimentoMudancasParametros struct {
	Limite int64  `query:"limite"` // itens por página de cada coleção
	Cursor string `query:"cursor"` // cursor de proxima_url, com o mesmo limite
}

// EstabelecimentoMudancas: O que mudou no estabelecimento e na sua empresa (GET /v2/estabelecimentos/{documento}/mudancas).
func (c *Client) EstabelecimentoMudancas(ctx context.Context, documento string, parametros EstabelecimentoMudancasParametros) (*RespostaMudancasDoDocumento, error) {
	return ask[RespostaMudancasDoDocumento](ctx, c, request{method: http.MethodGet, path: "/v2/estabelecimentos/" + escape(documento) + "/mudancas", query: values(parametros)})
}

// EstabelecimentoMudancasPaginas walks through the pages of EstabelecimentoMudancas.
func (c *Client) EstabelecimentoMudancasPaginas(ctx context.Context, documento string, parametros EstabelecimentoMudancasParametros) iter.Seq2[*RespostaMudancasDoDocumento, error] {
	return pages(ctx, c, request{method: http.MethodGet, path: "/v2/estabelecimentos/" + escape(documento) + "/mudancas", query: values(parametros)}, func(p *RespostaMudancasDoDocumento) string { return dereference(p.Dados.ProximaUrl) })
}

// EstabelecimentoMudancasItens walks through the items of all pages of EstabelecimentoMudancas.
func (c *Client) EstabelecimentoMudancasItens(ctx context.Context, documento string, parametros EstabelecimentoMudancasParametros) iter.Seq2[Mudanca, error] {
	return each(c.EstabelecimentoMudancasPaginas(ctx, documento, parametros), func(p *RespostaMudancasDoDocumento) []Mudanca { return p.Dados.Itens })
}

// EmpresaRedeParametros are what EmpresaRede may say; what is empty is left out.
type EmpresaRedeParametros struct {
	Profundidade   int64  `query:"profundidade"`   // vínculos entre a empresa e qualquer membro
	Sentido        string `query:"sentido"`        // acima: sócios; abaixo: empresas em que é sócia; ambos
	Pessoas        string `query:"pessoas"`        // sim: a rede continua através de pessoas e estrangeiros
	Representantes string `query:"representantes"` // sim: representantes legais também são vínculos
	Contatos       string `query:"contatos"`       // sim: quem publica um telefone, e-mail, domínio de e-mail ou endereço da matriz também é membro; só em json. Pessoas físicas e contatos ocultos ficam de fora
	Limite         int64  `query:"limite"`         // membros, sem os que só têm um contato em comum
}

// EmpresaRede: A rede em volta de uma empresa (GET /v2/empresas/{documento}/rede).
func (c *Client) EmpresaRede(ctx context.Context, documento string, parametros EmpresaRedeParametros) (*RespostaRede, error) {
	return ask[RespostaRede](ctx, c, request{method: http.MethodGet, path: "/v2/empresas/" + escape(documento) + "/rede", query: values(parametros)})
}

// SocioEmpresasParametros are what SocioEmpresas may say; what is empty is left out.
type SocioEmpresasParametros struct {
	Limite int64  `query:"limite"` // vínculos por página
	Cursor string `query:"cursor"` // proximo_cursor da página anterior
}

// SocioEmpresas: As empresas que nomeiam um sócio (GET /v2/socios/{id}/empresas).
func (c *Client) SocioEmpresas(ctx context.Context, id string, parametros SocioEmpresasParametros) (*RespostaSocioEmpresas, error) {
	return ask[RespostaSocioEmpresas](ctx, c, request{method: http.MethodGet, path: "/v2/socios/" + escape(id) + "/empresas", query: values(parametros)})
}

// SocioEmpresasPaginas walks through the pages of SocioEmpresas.
func (c *Client) SocioEmpresasPaginas(ctx context.Context, id string, parametros SocioEmpresasParametros) iter.Seq2[*RespostaSocioEmpresas, error] {
	return pages(ctx, c, request{method: http.MethodGet, path: "/v2/socios/" + escape(id) + "/empresas", query: values(parametros)}, func(p *RespostaSocioEmpresas) string { return dereference(p.Dados.ProximaUrl) })
}

// Grupo: O grupo de uma empresa (GET /v2/grupos/{documento}).
func (c *Client) Grupo(ctx context.Context, documento string) (*RespostaGrupo, error) {
	return ask[RespostaGrupo](ctx, c, request{method: http.MethodGet, path: "/v2/grupos/" + escape(documento), query: nil})
}

// CaminhoParametros are what Caminho may say; what is empty is left out.
type CaminhoParametros struct {
	De             string `query:"de"`             // 8 ou 14 posições de um CNPJ, ou o id de um membro de uma rede, como 456789-maria-ficticia
	Para           string `query:"para"`           // 8 ou 14 posições de um CNPJ, ou o id de um membro de uma rede, como 456789-maria-ficticia
	Passos         int64  `query:"passos"`         // vínculos de um caminho, no máximo
	Representantes string `query:"representantes"` // sim: representantes legais também são vínculos
}

// Caminho: Os caminhos mais curtos entre dois sócios ou empresas (GET /v2/caminho).
func (c *Client) Caminho(ctx context.Context, parametros CaminhoParametros) (*RespostaCaminho, error) {
	return ask[RespostaCaminho](ctx, c, request{method: http.MethodGet, path: "/v2/caminho", query: values(parametros)})
}

// EmpresaProva: Prova de que a empresa está na carga (GET /v2/empresas/{documento}/prova).
func (c *Client) EmpresaProva(ctx context.Context, documento string) (*RespostaProva, error) {
	return ask[RespostaProva](ctx, c, request{method: http.MethodGet, path: "/v2/empresas/" + escape(documento) + "/prova", query: nil})
}

// Lote: Muitos números de uma vez (POST /v2/lote).
func (c *Client) Lote(ctx context.Context, corpo LoteCorpo) (*RespostaLote, error) {
	return ask[RespostaLote](ctx, c, request{method: http.MethodPost, path: "/v2/lote", body: corpo})
}

// Reconciliar: O mesmo, em um formulário (POST /v2/reconciliar).
func (c *Client) Reconciliar(ctx context.Context, corpo ReconciliarCorpo) (*map[string]ReconciliacaoValor, error) {
	return ask[map[string]ReconciliacaoValor](ctx, c, request{method: http.MethodPost, path: "/v2/reconciliar", form: corpo})
}

// SugerirEmpresasParametros are what SugerirEmpresas may say; what is empty is left out.
type SugerirEmpresasParametros struct {
	Prefix string `query:"prefix"` // o que foi digitado
	Cursor int64  `query:"cursor"` // quantas sugestões pular
}

// SugerirEmpresas: Completa um nome ou um número (GET /v2/reconciliar/sugestoes).
func (c *Client) SugerirEmpresas(ctx context.Context, parametros SugerirEmpresasParametros) (*Sugestoes, error) {
	return ask[Sugestoes](ctx, c, request{method: http.MethodGet, path: "/v2/reconciliar/sugestoes", query: values(parametros)})
}

// SugerirPropriedadesParametros are what SugerirPropriedades may say; what is empty is left out.
type SugerirPropriedadesParametros struct {
	Prefix string `query:"prefix"` // o que foi digitado
	Cursor int64  `query:"cursor"` // quantas sugestões pular
}

// SugerirPropriedades: O que uma pergunta pode dizer além do nome (GET /v2/reconciliar/propriedades).
func (c *Client) SugerirPropriedades(ctx context.Context, parametros SugerirPropriedadesParametros) (*Sugestoes, error) {
	return ask[Sugestoes](ctx, c, request{method: http.MethodGet, path: "/v2/reconciliar/propriedades", query: values(parametros)})
}

// CamposReconciliacaoParametros are what CamposReconciliacao may say; what is empty is left out.
type CamposReconciliacaoParametros struct {
	Type  string `query:"type"`  // empresa; não muda a resposta
	Limit int64  `query:"limit"` // quantos, no máximo
}

// CamposReconciliacao: Os campos que extend pode pedir (GET /v2/reconciliar/campos).
func (c *Client) CamposReconciliacao(ctx context.Context, parametros CamposReconciliacaoParametros) (*CamposPropostos, error) {
	return ask[CamposPropostos](ctx, c, request{method: http.MethodGet, path: "/v2/reconciliar/campos", query: values(parametros)})
}

// CartaoParametros are what Cartao may say; what is empty is left out.
type CartaoParametros struct {
	Id string `query:"id"` // CNPJ de 14 posições, ou 8 da empresa, ou o nome de uma propriedade
}

// Cartao: O cartão de um candidato ou de uma propriedade (GET /v2/reconciliar/cartao).
func (c *Client) Cartao(ctx context.Context, parametros CartaoParametros) (*Cartao, error) {
	return ask[Cartao](ctx, c, request{method: http.MethodGet, path: "/v2/reconciliar/cartao", query: values(parametros)})
}
