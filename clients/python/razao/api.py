# Code generated from /v2/openapi.json by lab/clients. DO NOT EDIT.
from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import Any, Literal, NotRequired, TypedDict, Unpack

from .client import Client, escape


class ResultadoDescricoes(TypedDict):
    """Textos dos códigos."""

    identificador_matriz_filial: str | None  # texto do código identificador_matriz_filial; null: desconhecido
    situacao_cadastral: str | None  # texto do código situacao_cadastral; null: desconhecido
    cnae_fiscal_principal: str | None  # texto do código cnae_fiscal_principal; null: desconhecido
    porte_empresa: str | None  # texto do código porte_empresa; null: desconhecido
    municipio: str | None  # texto do código municipio; null: desconhecido


class Resultado(TypedDict):
    """Um estabelecimento encontrado; quando o resultado é a empresa, aquele que a representa. Os campos são os dele e os da sua empresa."""

    cnpj: str  # CNPJ do estabelecimento
    cnpj_basico: str  # as 8 primeiras posições do CNPJ, que identificam a empresa
    razao_social: str  # razão social ou nome empresarial; um CPF no fim é mascarado
    nome_fantasia: str  # nome fantasia; um CPF no fim é mascarado
    identificador_matriz_filial: str  # se é matriz ou filial; não se deduz do número 0001 (1 Matriz; 2 Filial)
    situacao_cadastral: str  # situação cadastral, código de dois dígitos (01 Nula; 02 Ativa; 03 Suspensa; 04 Inapta; 05 Ativa Não Regular; 08 Baixada)
    data_inicio_atividade: str | None  # data de início da atividade (AAAA-MM-DD)
    cnae_fiscal_principal: str  # atividade principal, código CNAE de sete dígitos
    porte_empresa: str  # porte declarado, código de dois dígitos (00 Não informado; 01 Microempresa; 03 Empresa de Pequeno Porte; 05 Demais)
    capital_social: Decimal | None  # capital social em reais, com duas casas
    uf: str  # sigla do estado; EX: exterior
    municipio: str  # município, código de quatro dígitos da Receita Federal; não é o do IBGE
    codigo_municipio_ibge: str  # município, código de sete dígitos do IBGE; vazio no exterior
    descricoes: ResultadoDescricoes  # Textos dos códigos.
    motivo: Literal["cnpj", "nome_exato", "nome", "comeco_do_nome", "socio", "atividade", "som", "outra_grafia", "sem_uma_palavra", "filtro"]  # por que foi encontrado
    socio: str | None  # nome do sócio encontrado; null quando não foi por um
    estabelecimentos_da_empresa: int  # estabelecimentos da empresa
    url: str  # endereço do registro completo da empresa ou, com agrupar=nao, do estabelecimento


class EntendidoLugaresItemDescricoes(TypedDict):
    """Textos dos códigos."""

    municipio: str | None  # nome do município


class EntendidoLugaresItem(TypedDict):
    """Um lugar que as palavras dizem e que foi usado como filtro; literal=1 o desfaz."""

    palavras: str  # as palavras
    uf: str  # sigla do estado
    municipio: str  # código do município na Receita Federal; vazio quando é o estado inteiro
    descricoes: EntendidoLugaresItemDescricoes  # Textos dos códigos.


class EntendidoCondicoesItem(TypedDict):
    """Um filtro que as palavras dizem e que foi usado; literal=1 o desfaz."""

    palavras: str  # as palavras
    filtro: str  # o nome do filtro
    valor: str  # o valor, como o filtro o recebe
    descricao: str  # o valor, como se diz


class EntendidoCorrecoesItem(TypedDict):
    """Uma palavra que nada tem e aquela que foi procurada em seu lugar."""

    de: str  # a palavra
    para: str  # a outra


class EntendidoMunicipiosItemDescricoes(TypedDict):
    """Textos dos códigos."""

    municipio: str | None  # nome do município


class EntendidoMunicipiosItem(TypedDict):
    """Um município que o texto todo nomeia, em qualquer grafia."""

    municipio: str  # código do município na Receita Federal
    codigo_municipio_ibge: str  # código do município no IBGE
    descricoes: EntendidoMunicipiosItemDescricoes  # Textos dos códigos.


class Entendido(TypedDict):
    """Como as palavras foram entendidas, quando não ao pé da letra."""

    lugares: list[EntendidoLugaresItem]
    condicoes: list[EntendidoCondicoesItem]
    correcoes: list[EntendidoCorrecoesItem]
    palavras_deixadas: list[str]  # palavras que nenhum resultado tem
    frases: list[str]  # palavras entre aspas, que ficam juntas
    atividade: str | None  # atividade principal que também foi procurada
    municipios: list[EntendidoMunicipiosItem]


class ValorContado(TypedDict):
    """Um valor e os estabelecimentos que o têm."""

    valor: str  # como o filtro o recebe
    descricao: str | None  # texto do código; null quando não há
    estabelecimentos: int  # estabelecimentos, exatos também acima de total


class Resultados(TypedDict):
    """Uma página de resultados."""

    itens: list[Resultado]
    total: int  # resultados em todas as páginas; a contagem para em 10000
    total_minimo: bool  # true: há mais resultados do que total; as páginas terminam nele
    estabelecimentos: int  # estabelecimentos encontrados, dos quais cada empresa é um resultado; mínimo, se total é
    entendido: Entendido
    facetas: dict[str, list[ValorContado]] | None
    proximo_cursor: str | None  # cursor da próxima página; null no fim
    proxima_url: str | None  # endereço da próxima página desta coleção; null no fim


class Lacuna(TypedDict):
    """Uma parte que a carga não tem inteira."""

    parte: Literal["empresas", "estabelecimentos", "socios", "simples"]  # a parte
    arquivos: list[str]  # os arquivos publicados que faltaram à carga


class MetaBusca(TypedDict):
    """Sobre a resposta."""

    versao: Literal["v2"]  # versão da API
    release: str  # versão do produto
    recurso: Literal["busca"]  # o que foi consultado
    competencia: str | None  # mês da carga da Receita Federal (AAAA-MM)
    fotografia: str  # conjunto de cargas que respondeu
    requisicao_id: str  # o mesmo de X-Request-ID
    disponibilidade: Literal["completa", "parcial"]  # parcial: alguma fonte falhou ou não tem carga, ou há lacunas
    lacunas: NotRequired[list[Lacuna]]  # só quando faltou à carga algum arquivo do que esta resposta mostra: nestas partes o que não aparece pode existir, e os totais são mínimos


class RespostaBusca(TypedDict):
    """A resposta."""

    dados: Resultados
    meta: MetaBusca


class SocioDaMudanca(TypedDict):
    """Nome e documento mascarado não identificam uma pessoa: há homônimos."""

    identificador_socio: str  # se é pessoa jurídica, pessoa física ou estrangeiro
    nome_socio: str  # nome do sócio, ou razão social da empresa sócia
    cnpj_cpf_socio: str  # CNPJ da empresa sócia, ou CPF mascarado como foi publicado (***456789**); vazio em estrangeiros


class ValoresDaMudancaDescricoes(TypedDict):
    """Textos dos códigos."""

    situacao_cadastral: NotRequired[str | None]  # texto do código situacao_cadastral; null: desconhecido
    identificador_matriz_filial: NotRequired[str | None]  # texto do código identificador_matriz_filial; null: desconhecido
    cnae_fiscal_principal: NotRequired[str | None]  # texto do código cnae_fiscal_principal; null: desconhecido
    municipio: NotRequired[str | None]  # texto do código municipio; null: desconhecido
    motivo_situacao_cadastral: NotRequired[str | None]  # texto do código motivo_situacao_cadastral; null: desconhecido
    pais: NotRequired[str | None]  # texto do código pais; null: desconhecido
    cnae_fiscal_secundaria: NotRequired[dict[str, str | None]]  # código → texto, null quando desconhecido
    natureza_juridica: NotRequired[str | None]  # texto do código natureza_juridica; null: desconhecido
    porte_empresa: NotRequired[str | None]  # texto do código porte_empresa; null: desconhecido
    qualificacao_responsavel: NotRequired[str | None]  # texto do código qualificacao_responsavel; null: desconhecido
    qualificacao_socio: NotRequired[str | None]  # texto do código qualificacao_socio; null: desconhecido
    qualificacao_representante_legal: NotRequired[str | None]  # texto do código qualificacao_representante_legal; null: desconhecido
    faixa_etaria: NotRequired[str | None]  # texto do código faixa_etaria; null: desconhecido


class ValoresDaMudanca(TypedDict):
    """O que o evento diz que havia antes, ou há depois. Estão presentes todos os campos do evento, e só eles."""

    situacao_cadastral: NotRequired[str]  # situação cadastral, código de dois dígitos (01 Nula; 02 Ativa; 03 Suspensa; 04 Inapta; 05 Ativa Não Regular; 08 Baixada)
    data_inicio_atividade: NotRequired[str | None]  # data de início da atividade (AAAA-MM-DD)
    identificador_matriz_filial: NotRequired[str]  # se é matriz ou filial; não se deduz do número 0001 (1 Matriz; 2 Filial)
    cnae_fiscal_principal: NotRequired[str]  # atividade principal, código CNAE de sete dígitos
    uf: NotRequired[str]  # sigla do estado; EX: exterior
    municipio: NotRequired[str]  # município, código de quatro dígitos da Receita Federal; não é o do IBGE
    data_situacao_cadastral: NotRequired[str | None]  # data em que passou a essa situação cadastral (AAAA-MM-DD)
    motivo_situacao_cadastral: NotRequired[str]  # motivo da situação cadastral, código de dois dígitos; 00: nenhum
    tipo_logradouro: NotRequired[str]  # tipo do logradouro, como RUA ou AVENIDA
    logradouro: NotRequired[str]  # nome do logradouro
    numero: NotRequired[str]  # número no logradouro, como texto; S/N: sem número
    complemento: NotRequired[str]  # complemento do endereço
    bairro: NotRequired[str]  # bairro
    cep: NotRequired[str]  # CEP, oito dígitos sem hífen
    nome_cidade_exterior: NotRequired[str]  # cidade de quem está no exterior
    pais: NotRequired[str]  # país de quem está no exterior, código de três dígitos
    cnae_fiscal_secundaria: NotRequired[list[str]]  # atividades secundárias, códigos CNAE de sete dígitos
    ddd_1: NotRequired[str]  # DDD do primeiro telefone
    telefone_1: NotRequired[str]  # primeiro telefone, sem DDD
    ddd_2: NotRequired[str]  # DDD do segundo telefone
    telefone_2: NotRequired[str]  # segundo telefone, sem DDD
    ddd_fax: NotRequired[str]  # DDD do fax
    fax: NotRequired[str]  # fax, sem DDD
    correio_eletronico: NotRequired[str]  # endereço de e-mail
    nome_fantasia: NotRequired[str]  # nome fantasia; um CPF no fim é mascarado
    situacao_especial: NotRequired[str]  # situação especial, como recuperação judicial
    data_situacao_especial: NotRequired[str | None]  # data da situação especial (AAAA-MM-DD)
    razao_social: NotRequired[str]  # razão social ou nome empresarial; um CPF no fim é mascarado
    capital_social: NotRequired[Decimal | None]  # capital social em reais, com duas casas
    natureza_juridica: NotRequired[str]  # natureza jurídica, código de quatro dígitos
    porte_empresa: NotRequired[str]  # porte declarado, código de dois dígitos (00 Não informado; 01 Microempresa; 03 Empresa de Pequeno Porte; 05 Demais)
    qualificacao_responsavel: NotRequired[str]  # qualificação da pessoa responsável pela empresa, código de dois dígitos
    ente_federativo_responsavel: NotRequired[str]  # ente federativo responsável; só em órgãos públicos
    qualificacao_socio: NotRequired[str]  # qualificação do sócio, código de dois dígitos
    data_entrada_sociedade: NotRequired[str | None]  # data de entrada na sociedade (AAAA-MM-DD)
    representante_legal: NotRequired[str]  # CPF mascarado do representante legal; ***000000** quando não há
    nome_representante: NotRequired[str]  # nome do representante legal
    qualificacao_representante_legal: NotRequired[str]  # qualificação do representante legal, código de dois dígitos; 00: não há
    faixa_etaria: NotRequired[str]  # faixa etária da pessoa, código de um dígito; não é a idade (0 Não se aplica; 1 0 a 12 anos; 2 13 a 20 anos; 3 21 a 30 anos; 4 31 a 40 anos; 5 41 a 50 anos; 6 51 a 60 anos; 7 61 a 70 anos; 8 71 a 80 anos; 9 Mais de 80 anos)
    opcao_pelo_simples: NotRequired[bool | None]  # se a empresa é optante pelo Simples Nacional; null: não informado
    data_opcao_pelo_simples: NotRequired[str | None]  # data da opção pelo Simples Nacional (AAAA-MM-DD)
    data_exclusao_simples: NotRequired[str | None]  # data da exclusão do Simples Nacional; pode ser futura (AAAA-MM-DD)
    opcao_pelo_mei: NotRequired[bool | None]  # se o titular é optante pelo MEI (SIMEI); null: não informado
    data_opcao_pelo_mei: NotRequired[str | None]  # data da opção pelo MEI (AAAA-MM-DD)
    data_exclusao_mei: NotRequired[str | None]  # data da exclusão do MEI; pode ser futura (AAAA-MM-DD)
    registros: NotRequired[int]  # registros da empresa na fonte
    total: NotRequired[Decimal | None]  # soma dos valores que podem ser somados em reais, com duas casas
    campos: NotRequired[list[str]]  # em depois, se o número de registros é o mesmo: os campos da fonte cujos valores mudaram; vazio se os mesmos valores passaram de um registro a outro, e em cargas comparadas antes de a história os guardar
    descricoes: NotRequired[ValoresDaMudancaDescricoes]  # Textos dos códigos.


class Mudanca(TypedDict):
    """O que uma carga mudou em uma empresa: um evento."""

    cnpj_basico: str  # as 8 primeiras posições do CNPJ, que identificam a empresa
    cnpj: str | None  # CNPJ do estabelecimento, 14 posições; null quando o evento é da empresa
    evento: Literal["estabelecimento.aberto", "estabelecimento.removido", "estabelecimento.baixado", "estabelecimento.reativado", "estabelecimento.situacao", "estabelecimento.endereco", "estabelecimento.municipio", "estabelecimento.atividade", "estabelecimento.atividades_secundarias", "estabelecimento.contato", "estabelecimento.nome_fantasia", "estabelecimento.matriz_filial", "estabelecimento.situacao_especial", "estabelecimento.inicio", "empresa.removida", "empresa.nome", "empresa.capital", "empresa.natureza", "empresa.porte", "empresa.responsavel", "empresa.ente", "socio.entrou", "socio.saiu", "socio.alterado", "simples.optou", "simples.saiu", "simples.alterado", "mei.optou", "mei.saiu", "mei.alterado", "fonte.pgfn.entrou", "fonte.pgfn.saiu", "fonte.pgfn.valor", "fonte.pgfn.alterado", "fonte.ceis.entrou", "fonte.ceis.saiu", "fonte.ceis.valor", "fonte.ceis.alterado", "fonte.cnep.entrou", "fonte.cnep.saiu", "fonte.cnep.valor", "fonte.cnep.alterado", "fonte.cepim.entrou", "fonte.cepim.saiu", "fonte.cepim.valor", "fonte.cepim.alterado", "fonte.acordos_leniencia.entrou", "fonte.acordos_leniencia.saiu", "fonte.acordos_leniencia.valor", "fonte.acordos_leniencia.alterado", "fonte.mte_empregadores.entrou", "fonte.mte_empregadores.saiu", "fonte.mte_empregadores.valor", "fonte.mte_empregadores.alterado", "fonte.mte_ceac.entrou", "fonte.mte_ceac.saiu", "fonte.mte_ceac.valor", "fonte.mte_ceac.alterado", "fonte.habilitacao_aduaneira.entrou", "fonte.habilitacao_aduaneira.saiu", "fonte.habilitacao_aduaneira.valor", "fonte.habilitacao_aduaneira.alterado", "fonte.ibama_autos.entrou", "fonte.ibama_autos.saiu", "fonte.ibama_autos.valor", "fonte.ibama_autos.alterado", "fonte.ibama_embargos.entrou", "fonte.ibama_embargos.saiu", "fonte.ibama_embargos.valor", "fonte.ibama_embargos.alterado", "fonte.rntrc.entrou", "fonte.rntrc.saiu", "fonte.rntrc.valor", "fonte.rntrc.alterado", "fonte.pncp.entrou", "fonte.pncp.saiu", "fonte.pncp.valor", "fonte.pncp.alterado", "fonte.pncp_orgao.entrou", "fonte.pncp_orgao.saiu", "fonte.pncp_orgao.valor", "fonte.pncp_orgao.alterado", "fonte.bndes.entrou", "fonte.bndes.saiu", "fonte.bndes.valor", "fonte.bndes.alterado"]  # código estável do evento; com antes e depois dos campos entre parênteses: estabelecimento.aberto, Estabelecimento aberto (situacao_cadastral, data_inicio_atividade, identificador_matriz_filial, cnae_fiscal_principal, uf, municipio); estabelecimento.removido, Estabelecimento não é mais publicado (situacao_cadastral, data_inicio_atividade, identificador_matriz_filial, cnae_fiscal_principal, uf, municipio); estabelecimento.baixado, Baixa (situacao_cadastral, data_situacao_cadastral, motivo_situacao_cadastral); estabelecimento.reativado, Reativação (situacao_cadastral, data_situacao_cadastral, motivo_situacao_cadastral); estabelecimento.situacao, Situação cadastral (situacao_cadastral, data_situacao_cadastral, motivo_situacao_cadastral); estabelecimento.endereco, Endereço (tipo_logradouro, logradouro, numero, complemento, bairro, cep, uf, municipio, nome_cidade_exterior, pais); estabelecimento.municipio, Mudança de município (tipo_logradouro, logradouro, numero, complemento, bairro, cep, uf, municipio, nome_cidade_exterior, pais); estabelecimento.atividade, Atividade principal (cnae_fiscal_principal); estabelecimento.atividades_secundarias, Atividades secundárias (cnae_fiscal_secundaria); estabelecimento.contato, Contato (ddd_1, telefone_1, ddd_2, telefone_2, ddd_fax, fax, correio_eletronico); estabelecimento.nome_fantasia, Nome fantasia (nome_fantasia); estabelecimento.matriz_filial, Matriz ou filial (identificador_matriz_filial); estabelecimento.situacao_especial, Situação especial (situacao_especial, data_situacao_especial); estabelecimento.inicio, Data de início da atividade (data_inicio_atividade); empresa.removida, Empresa não é mais publicada (razao_social); empresa.nome, Nome empresarial (razao_social); empresa.capital, Capital social (capital_social); empresa.natureza, Natureza jurídica (natureza_juridica); empresa.porte, Porte (porte_empresa); empresa.responsavel, Qualificação do responsável (qualificacao_responsavel); empresa.ente, Ente federativo responsável (ente_federativo_responsavel); socio.entrou, Sócio entrou (qualificacao_socio, data_entrada_sociedade, pais, representante_legal, nome_representante, qualificacao_representante_legal, faixa_etaria); socio.saiu, Sócio saiu (qualificacao_socio, data_entrada_sociedade, pais, representante_legal, nome_representante, qualificacao_representante_legal, faixa_etaria); socio.alterado, Dados de sócio (qualificacao_socio, data_entrada_sociedade, pais, representante_legal, nome_representante, qualificacao_representante_legal, faixa_etaria); simples.optou, Opção pelo Simples (opcao_pelo_simples, data_opcao_pelo_simples, data_exclusao_simples); simples.saiu, Saída do Simples (opcao_pelo_simples, data_opcao_pelo_simples, data_exclusao_simples); simples.alterado, Datas do Simples (opcao_pelo_simples, data_opcao_pelo_simples, data_exclusao_simples); mei.optou, Opção pelo MEI (opcao_pelo_mei, data_opcao_pelo_mei, data_exclusao_mei); mei.saiu, Saída do MEI (opcao_pelo_mei, data_opcao_pelo_mei, data_exclusao_mei); mei.alterado, Datas do MEI (opcao_pelo_mei, data_opcao_pelo_mei, data_exclusao_mei); fonte.{fonte}.entrou, Primeiros registros (registros, total); fonte.{fonte}.saiu, Sem registros (registros, total); fonte.{fonte}.valor, Total dos registros (registros, total); fonte.{fonte}.alterado, Registros alterados (registros, total, campos)
    data: str | None  # dia em que aconteceu, quando é publicado (AAAA-MM-DD)
    fonte: Literal["receita", "pgfn", "ceis", "cnep", "cepim", "acordos_leniencia", "mte_empregadores", "mte_ceac", "habilitacao_aduaneira", "ibama_autos", "ibama_embargos", "rntrc", "pncp", "pncp_orgao", "bndes"]  # receita ou o identificador da fonte de registros públicos
    competencia: str | None  # período da carga em que foi vista
    comparada_com: str | None  # período da carga com que essa foi comparada: entre as duas pode haver períodos que não foram carregados
    vista_em: str | None  # dia (UTC) em que a carga foi publicada aqui (AAAA-MM-DD)
    carga: int  # número da carga
    socio: SocioDaMudanca | None  # o sócio, nos eventos de sócios
    antes: ValoresDaMudanca | None
    depois: ValoresDaMudanca | None
    ocultos: list[str]  # campos que mudaram e estão ocultos, a pedido ou porque a empresa não é mais publicada; vêm vazios


class CargaRetirada(TypedDict):
    """Uma carga que foi contada e desfeita: os seus eventos não valem mais."""

    fonte: Literal["receita", "pgfn", "ceis", "cnep", "cepim", "acordos_leniencia", "mte_empregadores", "mte_ceac", "habilitacao_aduaneira", "ibama_autos", "ibama_embargos", "rntrc", "pncp", "pncp_orgao", "bndes"]  # receita ou o identificador da fonte de registros públicos
    competencia: str | None  # período da carga
    carga: int  # número da carga, como nos eventos


class CargaDaHistoria(TypedDict):
    """Uma carga da história."""

    competencia: str | None  # período da carga
    comparada_com: str | None  # período da carga com que foi comparada; null: com nenhuma
    vista_em: str | None  # dia (UTC) em que foi publicada aqui (AAAA-MM-DD)
    carga: int  # número da carga


class CoberturaDaHistoriaLacunasItem(TypedDict):
    """Uma parte de uma carga que não foi comparada: dela não se conhecem mudanças."""

    competencia: str | None  # período da carga
    comparada_com: str | None  # período da carga com que o resto foi comparado
    parte: Literal["empresas", "estabelecimentos", "socios", "simples", "registros"]  # o que não foi comparado
    motivo: str  # por que não foi comparado, em uma palavra, como arquivo_ausente
    carga: int  # número da carga


class CargaFalha(TypedDict):
    """Uma carga que falhou ou foi recusada: o que ela mudaria ainda não se sabe."""

    competencia: str | None  # período da carga
    em: str | None  # dia (UTC) em que foi tentada (AAAA-MM-DD)


class CoberturaDaHistoria(TypedDict):
    """De quando a quando se conhecem as mudanças de uma fonte. O que não foi possível comparar está em lacunas e falha, e não passa por ausência de mudança."""

    fonte: Literal["receita", "pgfn", "ceis", "cnep", "cepim", "acordos_leniencia", "mte_empregadores", "mte_ceac", "habilitacao_aduaneira", "ibama_autos", "ibama_embargos", "rntrc", "pncp", "pncp_orgao", "bndes"]  # receita ou o identificador da fonte de registros públicos
    desde: CargaDaHistoria | None  # a primeira carga da história; não foi comparada com outra quando comparada_com é null
    ate: CargaDaHistoria | None  # a última carga da história
    lacunas: list[CoberturaDaHistoriaLacunasItem]  # partes de cargas que não foram comparadas
    falha: CargaFalha | None  # uma carga posterior à que está em serviço e que não pôde ser publicada


class Mudancas(TypedDict):
    """Uma página da história do país."""

    itens: list[Mudanca]
    retiradas: list[CargaRetirada]  # cargas que quem lê deste cursor já viu, ao menos em parte, e que foram desfeitas
    cobertura: list[CoberturaDaHistoria]  # de cada fonte, desde quando se conhecem as mudanças e o que não foi comparado
    ha_mais: bool  # true: pode haver mais agora; false: só depois da próxima carga
    proximo_cursor: str  # cursor de onde continuar, agora ou depois da próxima carga
    proxima_url: str  # endereço de onde continuar


class MetaMudancas(TypedDict):
    """Sobre a resposta."""

    versao: Literal["v2"]  # versão da API
    release: str  # versão do produto
    recurso: Literal["mudancas"]  # o que foi consultado
    competencia: str | None  # mês da carga da Receita Federal (AAAA-MM)
    fotografia: str  # conjunto de cargas que respondeu
    requisicao_id: str  # o mesmo de X-Request-ID
    disponibilidade: Literal["completa", "parcial"]  # parcial: alguma fonte falhou ou não tem carga, ou há lacunas
    lacunas: NotRequired[list[Lacuna]]  # só quando faltou à carga algum arquivo do que esta resposta mostra: nestas partes o que não aparece pode existir, e os totais são mínimos


class RespostaMudancas(TypedDict):
    """A resposta."""

    dados: Mudancas
    meta: MetaMudancas


class ProvenienciaArquivosItem(TypedDict):
    """Um arquivo publicado que foi lido."""

    nome: str  # nome do arquivo
    bytes: int  # tamanho em bytes
    sha256: str  # SHA-256 do arquivo


class Proveniencia(TypedDict):
    """De onde vieram os registros da carga."""

    orgao: str  # quem publica
    conjunto: str  # conjunto de dados publicado
    url: str  # onde é publicado
    licenca: str  # licença dos dados
    atribuicao: NotRequired[str]  # citação que a licença pede
    metodologia_url: NotRequired[str]  # página que explica os vínculos inferidos
    arquivos: list[ProvenienciaArquivosItem]  # os arquivos lidos
    faltantes: NotRequired[list[str]]  # arquivos publicados que faltaram à carga
    observacoes: NotRequired[list[str]]  # o que convém saber desta carga
    linhas_lidas: int  # linhas lidas
    linhas_carregadas: int  # linhas carregadas
    linhas_rejeitadas: int  # linhas que não puderam ser lidas
    linhas_descartadas: int  # linhas deixadas de fora por regra


class FonteDeixadasDeForaItem(TypedDict):
    """Uma regra e as linhas que ela deixou fora da carga."""

    regra: str  # nome da regra
    motivo: str  # a regra em palavras
    linhas: int  # linhas deixadas de fora


class FonteRejeitadasItem(TypedDict):
    """Linhas que não puderam ser lidas, pela coluna em que parou a leitura."""

    coluna: str | None  # coluna do arquivo; null para a linha inteira
    linhas: int  # linhas guardadas para exame


class FonteCargasItem(TypedDict):
    """Uma carga da fonte que está ou já esteve em serviço."""

    competencia: str | None  # período da carga
    carregada_em: str | None  # quando a carga terminou (UTC)
    situacao: Literal["em_uso", "guardada", "apagada"]  # em_uso: em serviço agora; guardada: pode voltar; apagada: os registros não existem mais
    vinculos_refeitos: bool | None  # feita de outra carga, com os vínculos a empresas mais novas; null: não informado
    forcada: bool | None  # o operador a publicou apesar de verificações que a recusariam; null: não informado
    linhas_lidas: int  # linhas lidas
    registros: int  # registros guardados
    linhas_rejeitadas: int  # linhas que não puderam ser lidas
    linhas_descartadas: int  # linhas deixadas de fora por regra


class Fonte(TypedDict):
    """Uma fonte e a carga em serviço."""

    id: Literal["pgfn", "ceis", "cnep", "cepim", "acordos_leniencia", "mte_empregadores", "mte_ceac", "habilitacao_aduaneira", "ibama_autos", "ibama_embargos", "rntrc", "pncp", "pncp_orgao", "bndes"]  # identificador usado em fontes/{fonte}
    tema: Literal["dividas", "sancoes", "trabalho", "comercio_exterior", "ambiental", "transporte", "contratacoes_publicas", "financiamento"]  # grupo de registros_publicos
    titulo: str  # título da fonte
    descricao: str  # o que a fonte traz
    orgao: str  # quem publica
    licenca: str  # licença dos dados
    tipo_periodo: Literal["mes", "trimestre", "dia", "edicao", "versao"]  # o que é a competência
    disponibilidade: Literal["disponivel", "indisponivel", "erro"]  # se há carga em serviço
    competencia: str | None  # período da carga
    carregada_em: str | None  # quando a carga terminou (UTC)
    cobertura_inicio: str | None  # início da cobertura (AAAA-MM-DD)
    desatualizada: bool | None  # a carga é antiga para o ritmo de publicação; null: não informado
    proveniencia: Proveniencia | None  # de onde vieram os registros
    conjunto: str  # conjunto de dados publicado
    url: str  # onde é publicado
    periodicidade: str | None  # de quanto em quanto tempo é publicada, até onde se sabe
    desatualizada_apos_dias: int  # dias depois do fim do período em que a carga passa a contar como desatualizada; 0 quando não se sabe
    deixadas_de_fora: list[FonteDeixadasDeForaItem]  # linhas que a carga em serviço deixou de fora, por regra
    rejeitadas: list[FonteRejeitadasItem]  # linhas que a carga em serviço não pôde ler e guardou para exame, até mil, por coluna
    cargas: list[FonteCargasItem]  # as cargas que já estiveram em serviço, da mais nova à mais antiga, até cinquenta
    cnpjs: int | None  # CNPJs com registros na carga; null sem carga
    total: int | None  # registros da carga; null sem carga


class RespostaFontesDados(TypedDict):
    """O catálogo."""

    fontes: list[Fonte]


class MetaFontes(TypedDict):
    """Sobre a resposta."""

    versao: Literal["v2"]  # versão da API
    release: str  # versão do produto
    recurso: Literal["fontes"]  # o que foi consultado
    competencia: str | None  # mês da carga da Receita Federal (AAAA-MM)
    fotografia: str  # conjunto de cargas que respondeu
    requisicao_id: str  # o mesmo de X-Request-ID
    disponibilidade: Literal["completa", "parcial"]  # parcial: alguma fonte falhou ou não tem carga, ou há lacunas
    lacunas: NotRequired[list[Lacuna]]  # só quando faltou à carga algum arquivo do que esta resposta mostra: nestas partes o que não aparece pode existir, e os totais são mínimos


class RespostaFontes(TypedDict):
    """A resposta."""

    dados: RespostaFontesDados  # O catálogo.
    meta: MetaFontes


class CargaMedida(TypedDict):
    """Uma carga."""

    numero: int  # número da carga
    competencia: str  # período da carga
    carregada_em: str | None  # quando a carga terminou (UTC)
    forcada: bool  # true: o operador a publicou apesar de verificações que a recusariam
    apesar_de: list[Literal["rejeitadas", "contagens", "regras", "colunas", "codigos", "mudancas"]]


class ColunaMedidaComprimentosItem(TypedDict):
    """Quantas das linhas preenchidas."""

    classe: str  # bytes do valor; 96: 96 ou mais
    linhas: int  # linhas


class ColunaMedidaFormatosItem(TypedDict):
    """Quantas das linhas preenchidas."""

    classe: str  # um sinal por espécie de caractere que ocorre: 9 dígito, A maiúscula, a minúscula, é letra fora do ASCII, _ espaço, # outro do ASCII, ^ controle, Ã texto decodificado errado; os sinais * . , - / @ + ? são eles mesmos
    linhas: int  # linhas


class ColunaMedidaValoresItem(TypedDict):
    """Quantas das linhas preenchidas."""

    classe: str  # um dos 64 valores mais comuns: código, ano de uma data ou quantidade de algarismos antes da vírgula; ?: não se lê; do dono de um registro, cnpj, raiz ou inválido. Textos não aparecem, nem códigos sem tabela em menos de vinte linhas
    linhas: int  # linhas


class ColunaMedida(TypedDict):
    """O que se mediu de uma coluna."""

    preenchidas: int  # linhas com valor
    distintos: int | None  # valores distintos, estimados com erro típico de 2 %; null: só se mede de que espécie é o número do dono
    mais_comum: int | None  # linhas com o valor mais comum; null: não se contam valores desta coluna
    fora_da_tabela: int | None  # linhas com um código que a tabela de códigos não tem; null: a coluna não tem tabela
    quantis: list[str]
    comprimentos: list[ColunaMedidaComprimentosItem]
    formatos: list[ColunaMedidaFormatosItem]
    valores: list[ColunaMedidaValoresItem]


class QualidadeDaColunaMudanca1(TypedDict):
    """A medida que mais se moveu desde a carga anterior, de 0 a 1: em parte das linhas medidas (preenchidas) ou das preenchidas (as outras)."""

    medida: Literal["preenchidas", "comprimentos", "formatos", "valores", "maior", "fora_da_tabela"]  # o que se moveu
    classe: str  # de comprimentos, formatos e valores, a classe; vazia nas outras medidas e quando o valor não aparece em valores
    antes: Decimal  # parte das linhas na carga anterior
    agora: Decimal  # parte das linhas nesta
    alem_do_limite: bool  # true: algo nesta coluna se moveu mais do que em edições normais; sem o operador a carga não seria publicada


class QualidadeDaColunaHistoricoItem(TypedDict):
    """Uma das últimas doze cargas medidas, da mais velha a esta."""

    carga: int  # número da carga
    competencia: str  # período da carga
    linhas_medidas: int  # linhas da tabela que se mediram; 0: a coluna não foi medida
    preenchidas: int  # linhas com valor


class QualidadeDaColuna(TypedDict):
    """Uma coluna publicada."""

    coluna: str  # nome, como no dicionário
    agora: ColunaMedida
    antes: ColunaMedida | None
    mudanca: QualidadeDaColunaMudanca1 | None
    historico: list[QualidadeDaColunaHistoricoItem]


class RespostaQualidadeDadosTabelasItem(TypedDict):
    """Uma tabela publicada."""

    tabela: str  # nome do arquivo, ou identificador da fonte
    linhas_lidas: int  # linhas que se leram da tabela, ou de todos os arquivos da fonte
    linhas_medidas: int  # linhas que se mediram; das fontes, só entre as que se tornam registros
    linhas_medidas_antes: int | None  # as da carga anterior; null sem ela
    colunas: list[QualidadeDaColuna]


class RespostaQualidadeDados(TypedDict):
    """O que se mediu de uma carga."""

    fonte: str  # identificador da fonte
    carga: CargaMedida | None
    anterior: CargaMedida | None
    tabelas: list[RespostaQualidadeDadosTabelasItem]  # vazia se a carga não foi medida: é de uma versão que ainda não media
    cargas: list[CargaMedida]  # as cargas da fonte que estão ou já estiveram em uso, da mais nova à mais antiga, no máximo cinquenta


class RespostaQualidadeMeta(TypedDict):
    """Sobre a resposta."""

    versao: Literal["v2"]  # versão da API
    release: str  # versão do produto
    recurso: Literal["qualidade"]  # o que foi consultado
    competencia: str | None  # mês da carga da Receita Federal (AAAA-MM)
    fotografia: str  # conjunto de cargas que respondeu
    requisicao_id: str  # o mesmo de X-Request-ID
    disponibilidade: Literal["completa", "parcial"]  # parcial: alguma fonte falhou ou não tem carga, ou há lacunas
    lacunas: NotRequired[list[Lacuna]]  # só quando faltou à carga algum arquivo do que esta resposta mostra: nestas partes o que não aparece pode existir, e os totais são mínimos


class RespostaQualidade(TypedDict):
    """A resposta."""

    dados: RespostaQualidadeDados  # O que se mediu de uma carga.
    meta: RespostaQualidadeMeta  # Sobre a resposta.


class EmpresaDescricoes(TypedDict):
    """Textos dos códigos."""

    natureza_juridica: str | None  # texto do código natureza_juridica; null: desconhecido
    qualificacao_responsavel: str | None  # texto do código qualificacao_responsavel; null: desconhecido
    porte_empresa: str | None  # texto do código porte_empresa; null: desconhecido


class SocioDescricoes(TypedDict):
    """Textos dos códigos."""

    identificador_socio: str | None  # texto do código identificador_socio; null: desconhecido
    qualificacao_socio: str | None  # texto do código qualificacao_socio; null: desconhecido
    pais: str | None  # texto do código pais; null: desconhecido
    qualificacao_representante_legal: str | None  # texto do código qualificacao_representante_legal; null: desconhecido
    faixa_etaria: str | None  # texto do código faixa_etaria; null: desconhecido


class Socio(TypedDict):
    """Um sócio ou administrador."""

    identificador_socio: str  # se é pessoa jurídica, pessoa física ou estrangeiro (1 Pessoa Jurídica; 2 Pessoa Física; 3 Estrangeiro)
    nome_socio: str  # nome do sócio, ou razão social da empresa sócia
    cnpj_cpf_socio: str  # CNPJ da empresa sócia, ou CPF mascarado como foi publicado (***456789**); vazio em estrangeiros
    qualificacao_socio: str  # qualificação do sócio, código de dois dígitos
    data_entrada_sociedade: str | None  # data de entrada na sociedade (AAAA-MM-DD)
    pais: str  # país do sócio no exterior, código de três dígitos
    representante_legal: str  # CPF mascarado do representante legal; ***000000** quando não há
    nome_representante: str  # nome do representante legal
    qualificacao_representante_legal: str  # qualificação do representante legal, código de dois dígitos; 00: não há
    faixa_etaria: str  # faixa etária da pessoa, código de um dígito; não é a idade (0 Não se aplica; 1 0 a 12 anos; 2 13 a 20 anos; 3 21 a 30 anos; 4 31 a 40 anos; 5 41 a 50 anos; 6 51 a 60 anos; 7 61 a 70 anos; 8 71 a 80 anos; 9 Mais de 80 anos)
    descricoes: SocioDescricoes  # Textos dos códigos.


class Socios(TypedDict):
    """Uma página de sócios."""

    itens: list[Socio]
    total: int  # itens em todas as páginas
    proximo_cursor: str | None  # cursor da próxima página; null no fim
    proxima_url: str | None  # endereço da próxima página desta coleção; null no fim
    total_minimo: NotRequired[bool]  # só com lacuna nesta parte: pode haver mais do que total


class Simples(TypedDict):
    """Opções pelo Simples Nacional e pelo MEI."""

    opcao_pelo_simples: bool | None  # se a empresa é optante pelo Simples Nacional; null: não informado
    data_opcao_pelo_simples: str | None  # data da opção pelo Simples Nacional (AAAA-MM-DD)
    data_exclusao_simples: str | None  # data da exclusão do Simples Nacional; pode ser futura (AAAA-MM-DD)
    opcao_pelo_mei: bool | None  # se o titular é optante pelo MEI (SIMEI); null: não informado
    data_opcao_pelo_mei: str | None  # data da opção pelo MEI (AAAA-MM-DD)
    data_exclusao_mei: str | None  # data da exclusão do MEI; pode ser futura (AAAA-MM-DD)


class Empresa(TypedDict):
    """A empresa. Sem linha própria na carga, os textos são vazios e o capital é null."""

    cnpj_basico: str  # as 8 primeiras posições do CNPJ, que identificam a empresa
    razao_social: str  # razão social ou nome empresarial; um CPF no fim é mascarado
    natureza_juridica: str  # natureza jurídica, código de quatro dígitos
    qualificacao_responsavel: str  # qualificação da pessoa responsável pela empresa, código de dois dígitos
    capital_social: Decimal | None  # capital social em reais, com duas casas
    porte_empresa: str  # porte declarado, código de dois dígitos (00 Não informado; 01 Microempresa; 03 Empresa de Pequeno Porte; 05 Demais)
    ente_federativo_responsavel: str  # ente federativo responsável; só em órgãos públicos
    descricoes: EmpresaDescricoes  # Textos dos códigos.
    socios: Socios
    simples: Simples | None


class EstabelecimentoDescricoes(TypedDict):
    """Textos dos códigos."""

    identificador_matriz_filial: str | None  # texto do código identificador_matriz_filial; null: desconhecido
    situacao_cadastral: str | None  # texto do código situacao_cadastral; null: desconhecido
    motivo_situacao_cadastral: str | None  # texto do código motivo_situacao_cadastral; null: desconhecido
    pais: str | None  # texto do código pais; null: desconhecido
    cnae_fiscal_principal: str | None  # texto do código cnae_fiscal_principal; null: desconhecido
    cnae_fiscal_secundaria: dict[str, str | None]  # código → texto, null quando desconhecido
    municipio: str | None  # texto do código municipio; null: desconhecido


class Estabelecimento(TypedDict):
    """Um estabelecimento da empresa, matriz ou filial."""

    cnpj: str  # CNPJ do estabelecimento
    cnpj_basico: str  # as 8 primeiras posições do CNPJ, que identificam a empresa
    cnpj_ordem: str  # número do estabelecimento na empresa
    cnpj_dv: str  # dígitos verificadores do CNPJ
    identificador_matriz_filial: str  # se é matriz ou filial; não se deduz do número 0001 (1 Matriz; 2 Filial)
    nome_fantasia: str  # nome fantasia; um CPF no fim é mascarado
    situacao_cadastral: str  # situação cadastral, código de dois dígitos (01 Nula; 02 Ativa; 03 Suspensa; 04 Inapta; 05 Ativa Não Regular; 08 Baixada)
    data_situacao_cadastral: str | None  # data em que passou a essa situação cadastral (AAAA-MM-DD)
    motivo_situacao_cadastral: str  # motivo da situação cadastral, código de dois dígitos; 00: nenhum
    nome_cidade_exterior: str  # cidade de quem está no exterior
    pais: str  # país de quem está no exterior, código de três dígitos
    data_inicio_atividade: str | None  # data de início da atividade (AAAA-MM-DD)
    cnae_fiscal_principal: str  # atividade principal, código CNAE de sete dígitos
    cnae_fiscal_secundaria: list[str]  # atividades secundárias, códigos CNAE de sete dígitos
    tipo_logradouro: str  # tipo do logradouro, como RUA ou AVENIDA
    logradouro: str  # nome do logradouro
    numero: str  # número no logradouro, como texto; S/N: sem número
    complemento: str  # complemento do endereço
    bairro: str  # bairro
    cep: str  # CEP, oito dígitos sem hífen
    uf: str  # sigla do estado; EX: exterior
    municipio: str  # município, código de quatro dígitos da Receita Federal; não é o do IBGE
    codigo_municipio_ibge: str  # município, código de sete dígitos do IBGE; vazio no exterior
    ddd_1: str  # DDD do primeiro telefone
    telefone_1: str  # primeiro telefone, sem DDD
    ddd_2: str  # DDD do segundo telefone
    telefone_2: str  # segundo telefone, sem DDD
    ddd_fax: str  # DDD do fax
    fax: str  # fax, sem DDD
    correio_eletronico: str  # endereço de e-mail
    situacao_especial: str  # situação especial, como recuperação judicial
    data_situacao_especial: str | None  # data da situação especial (AAAA-MM-DD)
    descricoes: EstabelecimentoDescricoes  # Textos dos códigos.


class Estabelecimentos(TypedDict):
    """Uma página de estabelecimentos."""

    itens: list[Estabelecimento]
    total: int  # itens em todas as páginas
    proximo_cursor: str | None  # cursor da próxima página; null no fim
    proxima_url: str | None  # endereço da próxima página desta coleção; null no fim
    total_minimo: NotRequired[bool]  # só com lacuna nesta parte: pode haver mais do que total


class RespostaEmpresaBasicDados(TypedDict):
    """Cadastro da empresa."""

    empresa: Empresa
    estabelecimentos: Estabelecimentos


class Meta(TypedDict):
    """Sobre a resposta."""

    versao: Literal["v2"]  # versão da API
    release: str  # versão do produto
    recurso: Literal["empresa", "estabelecimento"]  # o que foi consultado
    modo: Literal["basic", "full", "fonte", "estabelecimentos", "socios", "mudancas", "prova"]  # modo ou coleção
    documento: str  # documento consultado, normalizado
    competencia: str | None  # mês da carga da Receita Federal (AAAA-MM)
    fotografia: str  # conjunto de cargas que respondeu
    requisicao_id: str  # o mesmo de X-Request-ID
    disponibilidade: Literal["completa", "parcial"]  # parcial: alguma fonte falhou ou não tem carga, ou há lacunas
    lacunas: NotRequired[list[Lacuna]]  # só quando faltou à carga algum arquivo do que esta resposta mostra: nestas partes o que não aparece pode existir, e os totais são mínimos


class RespostaEmpresaBasic(TypedDict):
    """A resposta."""

    dados: RespostaEmpresaBasicDados  # Cadastro da empresa.
    meta: Meta


class ItemPgfn(TypedDict):
    """Dívida ativa da União e do FGTS: um registro, com os campos e valores da fonte."""

    sistema: str | None  # sistema da dívida: nao_previdenciario, previdenciario ou fgts
    cnpj: str | None  # CNPJ do devedor, sem máscara
    tipo_pessoa: str | None  # tipo de pessoa, por extenso; aqui só há pessoas jurídicas
    tipo_devedor: str | None  # papel do devedor na inscrição: principal, corresponsável ou solidário, na grafia da fonte
    nome_devedor: str | None  # nome do devedor na fonte
    uf_devedor: str | None  # UF do devedor; null nas publicações até o 3º trimestre de 2022, que só dão a da unidade da PGFN
    unidade_responsavel: str | None  # unidade da PGFN que responde pela inscrição; não é o lugar do devedor
    entidade_responsavel: str | None  # quem cobra, PGFN ou CAIXA; só no FGTS
    unidade_inscricao: str | None  # unidade que inscreveu o débito; só no FGTS
    numero_inscricao: str | None  # número da inscrição, como texto; a fonte às vezes omite zeros à esquerda
    tipo_situacao_inscricao: str | None  # grupo da situação, como “Em cobrança”, “Benefício Fiscal” ou “Garantia”
    situacao_inscricao: str | None  # situação da inscrição, em texto livre da fonte
    receita_principal: str | None  # receita a que o débito pertence; não existe no previdenciário
    tipo_credito: str | None  # tipo do crédito; só no previdenciário
    data_inscricao: str | None  # data da inscrição em dívida ativa; null quando a fonte não a conhece (AAAAMMDD)
    indicador_ajuizado: str | None  # SIM quando a dívida é cobrada na justiça, NAO quando não
    valor_consolidado: Decimal | None  # valor da inscrição no fim do trimestre; repete-se inteiro em cada corresponsável, por isso não se somam as linhas (reais)


class PaginaPgfn(TypedDict):
    """Dívida ativa da União e do FGTS. Inscrições em dívida ativa da União e do FGTS, com situação, tipo de devedor e valor consolidado. É o estoque do fim do trimestre: débitos pagos ou cancelados saem da lista."""

    status: Literal["encontrado", "sem_ocorrencia", "indisponivel", "erro"]  # encontrado: há registros; sem_ocorrencia: não há, nesta fotografia (não é certidão); indisponivel: a fonte não tem carga; erro: a consulta falhou
    escopo: Literal["empresa", "estabelecimento"]  # a que o documento foi comparado
    documento: str  # documento consultado
    competencia: str | None  # período da fonte: AAAA-MM, AAAA-MM-DD ou o rótulo de quem publica
    carregada_em: str | None  # quando a carga terminou (UTC)
    cobertura_inicio: str | None  # início da cobertura (AAAA-MM-DD)
    desatualizada: bool | None  # a carga é antiga para o ritmo de publicação; null: não informado
    proveniencia: Proveniencia | None  # de onde vieram os registros
    itens: list[ItemPgfn]
    total: int | None  # registros em todas as páginas; null quando o status é indisponivel ou erro
    proximo_cursor: str | None  # cursor da próxima página; null no fim
    proxima_url: str | None  # endereço da próxima página desta coleção; null no fim


class RegistrosPublicosDividas(TypedDict):
    """Fontes do grupo dividas."""

    pgfn: PaginaPgfn


class ItemCeis(TypedDict):
    """Empresas inidôneas e suspensas (CEIS): um registro, com os campos e valores da fonte."""

    cadastro: str | None  # cadastro da sanção: CEIS ou CNEP
    codigo_sancao: str | None  # código da sanção, único no cadastro
    tipo_pessoa: str | None  # J: pessoa jurídica; null quando a fonte não diz
    cnpj: str | None  # CNPJ do sancionado, sem máscara
    nome_sancionado: str | None  # nome mostrado no Portal da Transparência
    nome_informado_orgao_sancionador: str | None  # nome escrito pelo órgão que aplicou a sanção
    razao_social_receita: str | None  # razão social na Receita Federal, segundo a CGU
    nome_fantasia_receita: str | None  # nome fantasia na Receita Federal, segundo a CGU
    numero_processo: str | None  # número do processo, em texto livre
    categoria_sancao: str | None  # espécie da sanção, como multa, suspensão ou declaração de inidoneidade
    data_inicio_sancao: str | None  # início da sanção (DD/MM/AAAA)
    data_final_sancao: str | None  # fim da sanção; null quando não foi publicado (DD/MM/AAAA)
    data_publicacao: str | None  # data da publicação da sanção (DD/MM/AAAA)
    publicacao: str | None  # onde a sanção foi publicada, com seção e página
    detalhamento_meio_publicacao: str | None  # pormenores do meio de publicação
    data_transito_julgado: str | None  # data do trânsito em julgado (DD/MM/AAAA)
    abrangencia_sancao: str | None  # diante de que poderes e esferas a sanção vale
    orgao_sancionador: str | None  # órgão que aplicou a sanção
    uf_orgao_sancionador: str | None  # UF do órgão sancionador; null em órgãos federais
    esfera_orgao_sancionador: str | None  # esfera do órgão sancionador: FEDERAL, ESTADUAL ou MUNICIPAL
    fundamentacao_legal: str | None  # lei e artigos que fundamentam a sanção; vários são separados por ;;
    data_origem_informacao: str | None  # data em que a informação foi registrada (DD/MM/AAAA)
    origem_informacoes: str | None  # órgão que registrou a informação
    observacoes: str | None  # observações livres; CPFs são mascarados


class PaginaCeis(TypedDict):
    """Empresas inidôneas e suspensas (CEIS). Sanções que restringem o direito de licitar ou contratar com a administração pública, vigentes e passadas."""

    status: Literal["encontrado", "sem_ocorrencia", "indisponivel", "erro"]  # encontrado: há registros; sem_ocorrencia: não há, nesta fotografia (não é certidão); indisponivel: a fonte não tem carga; erro: a consulta falhou
    escopo: Literal["empresa", "estabelecimento"]  # a que o documento foi comparado
    documento: str  # documento consultado
    competencia: str | None  # período da fonte: AAAA-MM, AAAA-MM-DD ou o rótulo de quem publica
    carregada_em: str | None  # quando a carga terminou (UTC)
    cobertura_inicio: str | None  # início da cobertura (AAAA-MM-DD)
    desatualizada: bool | None  # a carga é antiga para o ritmo de publicação; null: não informado
    proveniencia: Proveniencia | None  # de onde vieram os registros
    itens: list[ItemCeis]
    total: int | None  # registros em todas as páginas; null quando o status é indisponivel ou erro
    proximo_cursor: str | None  # cursor da próxima página; null no fim
    proxima_url: str | None  # endereço da próxima página desta coleção; null no fim


class ItemCnep(TypedDict):
    """Empresas punidas (CNEP): um registro, com os campos e valores da fonte."""

    cadastro: str | None  # cadastro da sanção: CEIS ou CNEP
    codigo_sancao: str | None  # código da sanção, único no cadastro
    tipo_pessoa: str | None  # J: pessoa jurídica; null quando a fonte não diz
    cnpj: str | None  # CNPJ do sancionado, sem máscara
    nome_sancionado: str | None  # nome mostrado no Portal da Transparência
    nome_informado_orgao_sancionador: str | None  # nome escrito pelo órgão que aplicou a sanção
    razao_social_receita: str | None  # razão social na Receita Federal, segundo a CGU
    nome_fantasia_receita: str | None  # nome fantasia na Receita Federal, segundo a CGU
    numero_processo: str | None  # número do processo, em texto livre
    categoria_sancao: str | None  # espécie da sanção, como multa, suspensão ou declaração de inidoneidade
    valor_multa: Decimal | None  # valor da multa; 0.00 quando a sanção não é multa (reais)
    data_inicio_sancao: str | None  # início da sanção (DD/MM/AAAA)
    data_final_sancao: str | None  # fim da sanção; null quando não foi publicado (DD/MM/AAAA)
    data_publicacao: str | None  # data da publicação da sanção (DD/MM/AAAA)
    publicacao: str | None  # onde a sanção foi publicada, com seção e página
    detalhamento_meio_publicacao: str | None  # pormenores do meio de publicação
    data_transito_julgado: str | None  # data do trânsito em julgado (DD/MM/AAAA)
    abrangencia_sancao: str | None  # diante de que poderes e esferas a sanção vale
    orgao_sancionador: str | None  # órgão que aplicou a sanção
    uf_orgao_sancionador: str | None  # UF do órgão sancionador; null em órgãos federais
    esfera_orgao_sancionador: str | None  # esfera do órgão sancionador: FEDERAL, ESTADUAL ou MUNICIPAL
    fundamentacao_legal: str | None  # lei e artigos que fundamentam a sanção; vários são separados por ;;
    data_origem_informacao: str | None  # data em que a informação foi registrada (DD/MM/AAAA)
    origem_informacoes: str | None  # órgão que registrou a informação
    observacoes: str | None  # observações livres; CPFs são mascarados


class PaginaCnep(TypedDict):
    """Empresas punidas (CNEP). Sanções aplicadas com base na Lei Anticorrupção (Lei 12.846/2013)."""

    status: Literal["encontrado", "sem_ocorrencia", "indisponivel", "erro"]  # encontrado: há registros; sem_ocorrencia: não há, nesta fotografia (não é certidão); indisponivel: a fonte não tem carga; erro: a consulta falhou
    escopo: Literal["empresa", "estabelecimento"]  # a que o documento foi comparado
    documento: str  # documento consultado
    competencia: str | None  # período da fonte: AAAA-MM, AAAA-MM-DD ou o rótulo de quem publica
    carregada_em: str | None  # quando a carga terminou (UTC)
    cobertura_inicio: str | None  # início da cobertura (AAAA-MM-DD)
    desatualizada: bool | None  # a carga é antiga para o ritmo de publicação; null: não informado
    proveniencia: Proveniencia | None  # de onde vieram os registros
    itens: list[ItemCnep]
    total: int | None  # registros em todas as páginas; null quando o status é indisponivel ou erro
    proximo_cursor: str | None  # cursor da próxima página; null no fim
    proxima_url: str | None  # endereço da próxima página desta coleção; null no fim


class ItemCepim(TypedDict):
    """Entidades sem fins lucrativos impedidas (CEPIM): um registro, com os campos e valores da fonte."""

    cnpj: str | None  # CNPJ da entidade, sem máscara
    nome_entidade: str | None  # nome da entidade
    numero_convenio: str | None  # número do convênio, com zeros à esquerda
    orgao_concedente: str | None  # órgão que concedeu o convênio
    motivo_impedimento: str | None  # motivo do impedimento, abreviado pela fonte


class PaginaCepim(TypedDict):
    """Entidades sem fins lucrativos impedidas (CEPIM). Entidades privadas sem fins lucrativos impedidas de celebrar convênios com a administração federal."""

    status: Literal["encontrado", "sem_ocorrencia", "indisponivel", "erro"]  # encontrado: há registros; sem_ocorrencia: não há, nesta fotografia (não é certidão); indisponivel: a fonte não tem carga; erro: a consulta falhou
    escopo: Literal["empresa", "estabelecimento"]  # a que o documento foi comparado
    documento: str  # documento consultado
    competencia: str | None  # período da fonte: AAAA-MM, AAAA-MM-DD ou o rótulo de quem publica
    carregada_em: str | None  # quando a carga terminou (UTC)
    cobertura_inicio: str | None  # início da cobertura (AAAA-MM-DD)
    desatualizada: bool | None  # a carga é antiga para o ritmo de publicação; null: não informado
    proveniencia: Proveniencia | None  # de onde vieram os registros
    itens: list[ItemCepim]
    total: int | None  # registros em todas as páginas; null quando o status é indisponivel ou erro
    proximo_cursor: str | None  # cursor da próxima página; null no fim
    proxima_url: str | None  # endereço da próxima página desta coleção; null no fim


class ItemAcordosLeniencia(TypedDict):
    """Acordos de leniência: um registro, com os campos e valores da fonte."""

    id_acordo: str | None  # número do acordo; repete-se em cada empresa que o assinou
    cnpj: str | None  # CNPJ da empresa, sem máscara
    razao_social_receita: str | None  # razão social na Receita Federal, segundo a CGU
    nome_fantasia_receita: str | None  # nome fantasia na Receita Federal, segundo a CGU
    data_inicio_acordo: str | None  # início do acordo (DD/MM/AAAA)
    data_fim_acordo: str | None  # fim do acordo (DD/MM/AAAA)
    situacao_acordo: str | None  # situação do acordo, em texto da fonte
    data_informacao: str | None  # data da informação (DD/MM/AAAA)
    numero_processo: str | None  # número do processo
    termos_acordo: str | None  # termos do acordo, em texto livre
    orgao_sancionador: str | None  # órgão que celebrou o acordo
    efeitos: Any  # efeitos do acordo: lista de objetos com efeito e complemento


class PaginaAcordosLeniencia(TypedDict):
    """Acordos de leniência. Acordos de leniência celebrados com base na Lei Anticorrupção e seus efeitos. Não devem ser somados aos registros do CNEP."""

    status: Literal["encontrado", "sem_ocorrencia", "indisponivel", "erro"]  # encontrado: há registros; sem_ocorrencia: não há, nesta fotografia (não é certidão); indisponivel: a fonte não tem carga; erro: a consulta falhou
    escopo: Literal["empresa", "estabelecimento"]  # a que o documento foi comparado
    documento: str  # documento consultado
    competencia: str | None  # período da fonte: AAAA-MM, AAAA-MM-DD ou o rótulo de quem publica
    carregada_em: str | None  # quando a carga terminou (UTC)
    cobertura_inicio: str | None  # início da cobertura (AAAA-MM-DD)
    desatualizada: bool | None  # a carga é antiga para o ritmo de publicação; null: não informado
    proveniencia: Proveniencia | None  # de onde vieram os registros
    itens: list[ItemAcordosLeniencia]
    total: int | None  # registros em todas as páginas; null quando o status é indisponivel ou erro
    proximo_cursor: str | None  # cursor da próxima página; null no fim
    proxima_url: str | None  # endereço da próxima página desta coleção; null no fim


class RegistrosPublicosSancoes(TypedDict):
    """Fontes do grupo sancoes."""

    ceis: PaginaCeis
    cnep: PaginaCnep
    cepim: PaginaCepim
    acordos_leniencia: PaginaAcordosLeniencia


class ItemMteEmpregadores(TypedDict):
    """Cadastro de Empregadores: um registro, com os campos e valores da fonte."""

    id_publicacao: str | None  # número da linha na edição; muda de uma edição para outra
    ano_acao_fiscal: Decimal | None  # ano da fiscalização; null em inclusões por ordem judicial (ano)
    uf: str | None  # UF da fiscalização; pode não ser a do endereço
    empregador: str | None  # nome do empregador; CPFs são mascarados
    cnpj: str | None  # CNPJ do empregador, sem máscara
    estabelecimento: str | None  # local fiscalizado, em texto livre; pode ser a residência de alguém
    trabalhadores_envolvidos: Decimal | None  # trabalhadores encontrados em condições análogas à de escravo (pessoas)
    cnae: str | None  # atividade econômica (CNAE), com pontuação
    decisao_administrativa_procedencia: str | None  # data da decisão administrativa definitiva (DD/MM/AAAA)
    inclusao_cadastro_empregadores: str | None  # data de inclusão no cadastro, ou os períodos em que o nome constou, como publicado
    periodos: Any  # os mesmos períodos: lista de objetos com inicio e fim (DD/MM/AAAA); fim é null enquanto consta
    nota: str | None  # nota de rodapé da publicação sobre a linha


class PaginaMteEmpregadores(TypedDict):
    """Cadastro de Empregadores. Empregadores que submeteram trabalhadores a condições análogas à de escravo, segundo decisão administrativa definitiva. O nome permanece por dois anos."""

    status: Literal["encontrado", "sem_ocorrencia", "indisponivel", "erro"]  # encontrado: há registros; sem_ocorrencia: não há, nesta fotografia (não é certidão); indisponivel: a fonte não tem carga; erro: a consulta falhou
    escopo: Literal["empresa", "estabelecimento"]  # a que o documento foi comparado
    documento: str  # documento consultado
    competencia: str | None  # período da fonte: AAAA-MM, AAAA-MM-DD ou o rótulo de quem publica
    carregada_em: str | None  # quando a carga terminou (UTC)
    cobertura_inicio: str | None  # início da cobertura (AAAA-MM-DD)
    desatualizada: bool | None  # a carga é antiga para o ritmo de publicação; null: não informado
    proveniencia: Proveniencia | None  # de onde vieram os registros
    itens: list[ItemMteEmpregadores]
    total: int | None  # registros em todas as páginas; null quando o status é indisponivel ou erro
    proximo_cursor: str | None  # cursor da próxima página; null no fim
    proxima_url: str | None  # endereço da próxima página desta coleção; null no fim


class ItemMteCeac(TypedDict):
    """Empregadores em ajustamento de conduta (CEAC): um registro, com os campos e valores da fonte."""

    id_publicacao: str | None  # número da linha na versão
    versao: str | None  # versão da publicação, AAAA_NNNN
    ano_acao_fiscal: Decimal | None  # ano da fiscalização (ano)
    uf: str | None  # UF da fiscalização
    empregador: str | None  # nome do empregador; CPFs são mascarados
    cnpj: str | None  # CNPJ do empregador, sem máscara
    estabelecimento: str | None  # local fiscalizado, em texto livre; pode ser a residência de alguém
    inclusao_cadastro_empregadores: str | None  # datas de inclusão no Cadastro de Empregadores, como publicadas
    inclusao_ceac: str | None  # datas de inclusão no CEAC, como publicadas; algumas versões as trazem no campo anterior
    periodos_ceac: Any  # os períodos no CEAC: lista de objetos com inicio e fim (DD/MM/AAAA); fim é null enquanto consta
    termo_ajustamento_conduta_mte: str | None  # termo de ajustamento de conduta ou acordo, em texto livre


class PaginaMteCeac(TypedDict):
    """Empregadores em ajustamento de conduta (CEAC). Empregadores que firmaram termo de ajustamento de conduta ou acordo judicial com a União. É distinto do Cadastro de Empregadores."""

    status: Literal["encontrado", "sem_ocorrencia", "indisponivel", "erro"]  # encontrado: há registros; sem_ocorrencia: não há, nesta fotografia (não é certidão); indisponivel: a fonte não tem carga; erro: a consulta falhou
    escopo: Literal["empresa", "estabelecimento"]  # a que o documento foi comparado
    documento: str  # documento consultado
    competencia: str | None  # período da fonte: AAAA-MM, AAAA-MM-DD ou o rótulo de quem publica
    carregada_em: str | None  # quando a carga terminou (UTC)
    cobertura_inicio: str | None  # início da cobertura (AAAA-MM-DD)
    desatualizada: bool | None  # a carga é antiga para o ritmo de publicação; null: não informado
    proveniencia: Proveniencia | None  # de onde vieram os registros
    itens: list[ItemMteCeac]
    total: int | None  # registros em todas as páginas; null quando o status é indisponivel ou erro
    proximo_cursor: str | None  # cursor da próxima página; null no fim
    proxima_url: str | None  # endereço da próxima página desta coleção; null no fim


class RegistrosPublicosTrabalho(TypedDict):
    """Fontes do grupo trabalho."""

    mte_empregadores: PaginaMteEmpregadores
    mte_ceac: PaginaMteCeac


class ItemHabilitacaoAduaneira(TypedDict):
    """Habilitação aduaneira: um registro, com os campos e valores da fonte."""

    cnpj_basico: str | None  # raiz do CNPJ da empresa habilitada, 8 posições
    razao_social: str | None  # razão social na fonte
    modalidade_habilitacao: str | None  # modalidade como publicada, às vezes com o limite
    modalidade: str | None  # modalidade reconhecida no texto: expressa, limitada, ilimitada ou outra
    limite_publicado: Decimal | None  # limite escrito na modalidade, na moeda de moeda_limite; null quando ela não traz nenhum
    moeda_limite: str | None  # moeda do limite em três letras, como USD


class PaginaHabilitacaoAduaneira(TypedDict):
    """Habilitação aduaneira. Empresas habilitadas a operar no comércio exterior e a modalidade publicada. Vale para a empresa inteira; a ausência na lista não prova que falta habilitação."""

    status: Literal["encontrado", "sem_ocorrencia", "indisponivel", "erro"]  # encontrado: há registros; sem_ocorrencia: não há, nesta fotografia (não é certidão); indisponivel: a fonte não tem carga; erro: a consulta falhou
    escopo: Literal["empresa", "estabelecimento"]  # a que o documento foi comparado
    documento: str  # documento consultado
    competencia: str | None  # período da fonte: AAAA-MM, AAAA-MM-DD ou o rótulo de quem publica
    carregada_em: str | None  # quando a carga terminou (UTC)
    cobertura_inicio: str | None  # início da cobertura (AAAA-MM-DD)
    desatualizada: bool | None  # a carga é antiga para o ritmo de publicação; null: não informado
    proveniencia: Proveniencia | None  # de onde vieram os registros
    itens: list[ItemHabilitacaoAduaneira]
    total: int | None  # registros em todas as páginas; null quando o status é indisponivel ou erro
    proximo_cursor: str | None  # cursor da próxima página; null no fim
    proxima_url: str | None  # endereço da próxima página desta coleção; null no fim


class RegistrosPublicosComercioExterior(TypedDict):
    """Fontes do grupo comercio_exterior."""

    habilitacao_aduaneira: PaginaHabilitacaoAduaneira


class ItemIbamaAutos(TypedDict):
    """Autos de infração do IBAMA: um registro, com os campos e valores da fonte."""

    seq_auto_infracao: str | None  # número interno do auto; vazio em alguns autos novos
    num_auto_infracao: str | None  # número do auto de infração; pode ter letras e zeros à esquerda
    ser_auto_infracao: str | None  # série do auto
    tipo_auto: str | None  # espécie do auto, como multa ou advertência
    tipo_multa: str | None  # espécie da multa: aberta ou fechada
    val_auto_infracao: Decimal | None  # valor da multa (reais)
    gravidade_infracao: str | None  # gravidade da infração, por extenso
    des_status_formulario: str | None  # estado do formulário, como Lavrado ou Cancelado
    ds_sit_auto_aie: str | None  # estado no auto de infração eletrônico (AIE); muitas vezes vazio
    sit_cancelado: str | None  # S quando o auto foi cancelado, N quando não
    dat_hora_auto_infracao: str | None  # quando o auto foi lavrado; nos anos antigos só a data (AAAA-MM-DD HH:MM:SS)
    dat_ciencia_autuacao: str | None  # quando o autuado tomou ciência (AAAA-MM-DD HH:MM:SS)
    dt_fato_infracional: str | None  # quando o fato ocorreu; com frequência vazio (AAAA-MM-DD HH:MM:SS)
    dt_lancamento: str | None  # quando o auto foi lançado no sistema do IBAMA (AAAA-MM-DD HH:MM:SS)
    dt_ult_alteracao: str | None  # última alteração do auto no sistema do IBAMA (AAAA-MM-DD HH:MM:SS)
    forma_entrega: str | None  # como o auto foi entregue ao autuado
    num_processo: str | None  # número do processo, só dígitos
    nu_processo_formatado: str | None  # número do processo, com pontuação
    cod_infracao: str | None  # código da infração na tabela do IBAMA, seis dígitos; 409999 é genérico
    tipo_infracao: str | None  # tema da infração, como Flora, Fauna ou Pesca
    des_infracao: str | None  # infração que o código nomeia
    des_auto_infracao: str | None  # descrição livre da infração; CPFs são mascarados
    ds_enquadramento_administrativo: str | None  # normas administrativas infringidas
    ds_enquadramento_nao_administrativo: str | None  # outras normas infringidas
    ds_enquadramento_complementar: str | None  # complemento do enquadramento legal
    cpf_cnpj_infrator: str | None  # CNPJ do autuado, sem máscara; autos de pessoas físicas não são carregados
    nome_infrator: str | None  # nome do autuado na fonte
    tp_pessoa_infrator: str | None  # PJ: pessoa jurídica; pode faltar
    cod_municipio: str | None  # código do IBGE, sete dígitos, do município onde o auto foi lavrado
    municipio: str | None  # município onde o auto foi lavrado, não necessariamente o do dano
    uf: str | None  # UF onde o auto foi lavrado
    des_local_infracao: str | None  # local da infração, em texto livre
    qt_area: Decimal | None  # área da infração; o arquivo publicado não diz a unidade
    infracao_area: str | None  # área ligada à infração, como publicada
    unidade_conservacao: str | None  # unidade de conservação atingida
    ds_biomas_atingidos: str | None  # biomas atingidos
    unid_controle: str | None  # unidade do IBAMA que controla o auto
    tipo_acao: str | None  # espécie da ação de fiscalização, como Programada
    operacao: str | None  # operação de fiscalização
    solicitacao_recurso: str | None  # solicitação de recursos da fiscalização, como publicada
    cd_termos_embargos: str | None  # números dos termos de embargo ligados (num_tad em ibama_embargos)
    cd_termos_apreensao: str | None  # números dos termos de apreensão ligados
    ultima_atualizacao_relatorio: str | None  # quando o IBAMA extraiu o arquivo; igual em todos os registros (AAAA-MM-DD HH:MM:SS)


class PaginaIbamaAutos(TypedDict):
    """Autos de infração do IBAMA. Autos de infração ambiental lavrados, com os cancelados assinalados. O município é o da lavratura."""

    status: Literal["encontrado", "sem_ocorrencia", "indisponivel", "erro"]  # encontrado: há registros; sem_ocorrencia: não há, nesta fotografia (não é certidão); indisponivel: a fonte não tem carga; erro: a consulta falhou
    escopo: Literal["empresa", "estabelecimento"]  # a que o documento foi comparado
    documento: str  # documento consultado
    competencia: str | None  # período da fonte: AAAA-MM, AAAA-MM-DD ou o rótulo de quem publica
    carregada_em: str | None  # quando a carga terminou (UTC)
    cobertura_inicio: str | None  # início da cobertura (AAAA-MM-DD)
    desatualizada: bool | None  # a carga é antiga para o ritmo de publicação; null: não informado
    proveniencia: Proveniencia | None  # de onde vieram os registros
    itens: list[ItemIbamaAutos]
    total: int | None  # registros em todas as páginas; null quando o status é indisponivel ou erro
    proximo_cursor: str | None  # cursor da próxima página; null no fim
    proxima_url: str | None  # endereço da próxima página desta coleção; null no fim


class ItemIbamaEmbargos(TypedDict):
    """Embargos do IBAMA: um registro, com os campos e valores da fonte."""

    seq_tad: str | None  # número interno do termo
    num_tad: str | None  # número do termo de embargo; pode ter letras e zeros à esquerda
    ser_tad: str | None  # série do termo
    dat_embargo: str | None  # quando o embargo foi imposto (AAAA-MM-DD HH:MM:SS)
    des_status_formulario: str | None  # estado do formulário, como Lavrado ou Cancelado
    des_status_formulario_aie: str | None  # estado no formulário eletrônico (AIE)
    sit_cancelado: str | None  # S quando o termo foi cancelado, N quando não
    sit_desembargo: str | None  # situação do desembargo; null enquanto não houve nenhum
    tipo_desembargo: str | None  # espécie do desembargo
    dat_desembargo: str | None  # quando o embargo foi levantado (AAAA-MM-DD HH:MM:SS)
    des_desembargo: str | None  # descrição livre do desembargo; CPFs são mascarados
    cpf_cnpj_embargado: str | None  # CNPJ do embargado, sem máscara; embargos de pessoas físicas não são carregados
    nome_embargado: str | None  # nome do embargado na fonte
    num_processo: str | None  # número do processo, só dígitos
    des_tad: str | None  # descrição livre do embargo; CPFs são mascarados
    cod_municipio: str | None  # código do IBGE, sete dígitos, do município onde o termo foi lavrado
    municipio: str | None  # município onde o termo foi lavrado
    uf: str | None  # UF onde o termo foi lavrado
    des_localizacao: str | None  # local embargado, em texto livre
    nome_imovel: str | None  # nome do imóvel embargado
    tipo_area: str | None  # tipo do que foi embargado, como Atividade
    qtd_area_embargada: Decimal | None  # área embargada; o arquivo publicado não diz a unidade
    forma_entrega: str | None  # como o termo foi entregue
    unid_controle: str | None  # unidade do IBAMA que controla o termo
    operacao: str | None  # operação de fiscalização
    seq_auto_infracao: str | None  # número interno do auto de infração ligado
    num_auto_infracao: str | None  # número do auto de infração ligado
    dat_ult_alteracao: str | None  # última alteração do termo no sistema do IBAMA (AAAA-MM-DD HH:MM:SS)
    ultima_atualizacao_relatorio: str | None  # quando o IBAMA extraiu o arquivo; igual em todos os registros (AAAA-MM-DD HH:MM:SS)


class PaginaIbamaEmbargos(TypedDict):
    """Embargos do IBAMA. Termos de embargo de obras, atividades e áreas, em vigor ou levantados."""

    status: Literal["encontrado", "sem_ocorrencia", "indisponivel", "erro"]  # encontrado: há registros; sem_ocorrencia: não há, nesta fotografia (não é certidão); indisponivel: a fonte não tem carga; erro: a consulta falhou
    escopo: Literal["empresa", "estabelecimento"]  # a que o documento foi comparado
    documento: str  # documento consultado
    competencia: str | None  # período da fonte: AAAA-MM, AAAA-MM-DD ou o rótulo de quem publica
    carregada_em: str | None  # quando a carga terminou (UTC)
    cobertura_inicio: str | None  # início da cobertura (AAAA-MM-DD)
    desatualizada: bool | None  # a carga é antiga para o ritmo de publicação; null: não informado
    proveniencia: Proveniencia | None  # de onde vieram os registros
    itens: list[ItemIbamaEmbargos]
    total: int | None  # registros em todas as páginas; null quando o status é indisponivel ou erro
    proximo_cursor: str | None  # cursor da próxima página; null no fim
    proxima_url: str | None  # endereço da próxima página desta coleção; null no fim


class RegistrosPublicosAmbiental(TypedDict):
    """Fontes do grupo ambiental."""

    ibama_autos: PaginaIbamaAutos
    ibama_embargos: PaginaIbamaEmbargos


class ItemRntrc(TypedDict):
    """Transportadores rodoviários de cargas (RNTRC): um registro, com os campos e valores da fonte."""

    numero_rntrc: str | None  # número do registro, nove dígitos com zeros à esquerda
    nome_transportador: str | None  # nome do transportador
    cpfcnpjtransportador: str | None  # CNPJ do transportador, sem máscara; autônomos não são carregados
    categoria_transportador: str | None  # ETC: empresa de transporte; CTC: cooperativa
    situacao_rntrc: str | None  # ATIVO ou PENDENTE; cancelados não são publicados
    data_primeiro_cadastro: str | None  # data do primeiro cadastro (DD/MM/AAAA)
    data_situacao_rntrc: str | None  # data da situação (DD/MM/AAAA)
    cep: str | None  # CEP do transportador, com hífen
    municipio: str | None  # município do transportador, sem código
    uf: str | None  # UF do transportador
    equiparado: str | None  # Sim quando é equiparado a transportador autônomo (TAC), Não quando não


class PaginaRntrc(TypedDict):
    """Transportadores rodoviários de cargas (RNTRC). Empresas e cooperativas de transporte com registro ativo ou pendente. Registros cancelados não são publicados: a ausência não prova nada."""

    status: Literal["encontrado", "sem_ocorrencia", "indisponivel", "erro"]  # encontrado: há registros; sem_ocorrencia: não há, nesta fotografia (não é certidão); indisponivel: a fonte não tem carga; erro: a consulta falhou
    escopo: Literal["empresa", "estabelecimento"]  # a que o documento foi comparado
    documento: str  # documento consultado
    competencia: str | None  # período da fonte: AAAA-MM, AAAA-MM-DD ou o rótulo de quem publica
    carregada_em: str | None  # quando a carga terminou (UTC)
    cobertura_inicio: str | None  # início da cobertura (AAAA-MM-DD)
    desatualizada: bool | None  # a carga é antiga para o ritmo de publicação; null: não informado
    proveniencia: Proveniencia | None  # de onde vieram os registros
    itens: list[ItemRntrc]
    total: int | None  # registros em todas as páginas; null quando o status é indisponivel ou erro
    proximo_cursor: str | None  # cursor da próxima página; null no fim
    proxima_url: str | None  # endereço da próxima página desta coleção; null no fim


class RegistrosPublicosTransporte(TypedDict):
    """Fontes do grupo transporte."""

    rntrc: PaginaRntrc


class ItemPncp(TypedDict):
    """Contratos públicos como fornecedor: um registro, com os campos e valores da fonte."""

    numero_controle_pncp: Any  # número do contrato no PNCP: CNPJ-2-sequência/ano
    numero_controle_pncp_compra: Any  # número da contratação que deu origem ao contrato: CNPJ-1-sequência/ano
    participacao: Any  # lista com o papel do CNPJ consultado em pncp: fornecedor, subcontratado ou ambos
    ano_contrato: Any  # ano do contrato, número
    sequencial_contrato: Any  # sequência do contrato no ano, número
    numero_contrato_empenho: Any  # número do contrato ou do empenho no órgão, texto
    processo: Any  # número do processo no órgão, texto
    tipo_contrato: Any  # tipo do instrumento: objeto com id e nome, como 1 Contrato ou 7 Empenho
    categoria_processo: Any  # categoria da contratação: objeto com id e nome, como 2 Compras, 7 Obras ou 8 Serviços
    receita: Any  # true quando o contrato gera receita para o órgão, false quando gera despesa
    objeto_contrato: Any  # objeto do contrato, em texto livre
    informacao_complementar: Any  # informações complementares, em texto livre
    orgao_entidade: Any  # órgão contratante: objeto com cnpj, razao_social, poder_id e esfera_id
    unidade_orgao: Any  # unidade do órgão: objeto com codigo_unidade, nome_unidade, codigo_ibge, municipio_nome, uf_sigla e uf_nome
    orgao_sub_rogado: Any  # órgão que assumiu o contrato, na forma de orgao_entidade, ou null
    unidade_sub_rogada: Any  # unidade que assumiu o contrato, na forma de unidade_orgao, ou null
    tipo_pessoa: Any  # pessoa do fornecedor: PJ jurídica, PF física ou PE estrangeira
    ni_fornecedor: Any  # CNPJ, CPF mascarado ou identificação estrangeira do fornecedor, texto
    nome_razao_social_fornecedor: Any  # nome do fornecedor
    codigo_pais_fornecedor: Any  # país do fornecedor em três letras, como BRA
    tipo_pessoa_sub_contratada: Any  # pessoa do subcontratado: PJ, PF ou PE, ou null
    ni_fornecedor_sub_contratado: Any  # CNPJ, CPF mascarado ou identificação estrangeira do subcontratado, ou null
    nome_fornecedor_sub_contratado: Any  # nome do subcontratado, ou null
    valor_inicial: Any  # valor inicial do contrato, número com até quatro decimais (reais)
    numero_parcelas: Any  # quantas parcelas, número
    valor_parcela: Any  # valor de cada parcela, número com até quatro decimais (reais)
    valor_global: Any  # valor do contrato inteiro, número com até quatro decimais; não é a parte do subcontratado (reais)
    valor_acumulado: Any  # valor acumulado com os aditivos, número com até quatro decimais; muitas vezes null (reais)
    data_assinatura: Any  # data da assinatura (AAAA-MM-DD)
    data_vigencia_inicio: Any  # início da vigência (AAAA-MM-DD)
    data_vigencia_fim: Any  # fim da vigência (AAAA-MM-DD)
    numero_retificacao: Any  # quantas vezes o registro foi retificado, número
    data_publicacao_pncp: Any  # quando foi publicado no PNCP, sem fuso (AAAA-MM-DDTHH:MM:SS)
    data_atualizacao: Any  # última atualização do registro, sem fuso (AAAA-MM-DDTHH:MM:SS)
    data_atualizacao_global: Any  # última atualização do registro ou do que depende dele, sem fuso (AAAA-MM-DDTHH:MM:SS)
    identificador_cipi: Any  # identificador no Cadastro Integrado de Projetos de Investimento (CIPI), ou null
    url_cipi: Any  # endereço no CIPI, ou null
    usuario_nome: Any  # sistema ou usuário que enviou o registro ao PNCP
    url: Any  # página do contrato no PNCP


class PaginaPncp(TypedDict):
    """Contratos públicos como fornecedor. Contratos e empenhos em que o CNPJ é fornecedor ou subcontratado. O valor global é o do contrato, não a parte do subcontratado."""

    status: Literal["encontrado", "sem_ocorrencia", "indisponivel", "erro"]  # encontrado: há registros; sem_ocorrencia: não há, nesta fotografia (não é certidão); indisponivel: a fonte não tem carga; erro: a consulta falhou
    escopo: Literal["empresa", "estabelecimento"]  # a que o documento foi comparado
    documento: str  # documento consultado
    competencia: str | None  # período da fonte: AAAA-MM, AAAA-MM-DD ou o rótulo de quem publica
    carregada_em: str | None  # quando a carga terminou (UTC)
    cobertura_inicio: str | None  # início da cobertura (AAAA-MM-DD)
    desatualizada: bool | None  # a carga é antiga para o ritmo de publicação; null: não informado
    proveniencia: Proveniencia | None  # de onde vieram os registros
    itens: list[ItemPncp]
    total: int | None  # registros em todas as páginas; null quando o status é indisponivel ou erro
    proximo_cursor: str | None  # cursor da próxima página; null no fim
    proxima_url: str | None  # endereço da próxima página desta coleção; null no fim


class ItemPncpOrgao(TypedDict):
    """Contratos públicos como contratante: um registro, com os campos e valores da fonte."""

    numero_controle_pncp: Any  # número do contrato no PNCP: CNPJ-2-sequência/ano
    numero_controle_pncp_compra: Any  # número da contratação que deu origem ao contrato: CNPJ-1-sequência/ano
    participacao: Any  # lista com o papel do CNPJ consultado em pncp: fornecedor, subcontratado ou ambos
    ano_contrato: Any  # ano do contrato, número
    sequencial_contrato: Any  # sequência do contrato no ano, número
    numero_contrato_empenho: Any  # número do contrato ou do empenho no órgão, texto
    processo: Any  # número do processo no órgão, texto
    tipo_contrato: Any  # tipo do instrumento: objeto com id e nome, como 1 Contrato ou 7 Empenho
    categoria_processo: Any  # categoria da contratação: objeto com id e nome, como 2 Compras, 7 Obras ou 8 Serviços
    receita: Any  # true quando o contrato gera receita para o órgão, false quando gera despesa
    objeto_contrato: Any  # objeto do contrato, em texto livre
    informacao_complementar: Any  # informações complementares, em texto livre
    orgao_entidade: Any  # órgão contratante: objeto com cnpj, razao_social, poder_id e esfera_id
    unidade_orgao: Any  # unidade do órgão: objeto com codigo_unidade, nome_unidade, codigo_ibge, municipio_nome, uf_sigla e uf_nome
    orgao_sub_rogado: Any  # órgão que assumiu o contrato, na forma de orgao_entidade, ou null
    unidade_sub_rogada: Any  # unidade que assumiu o contrato, na forma de unidade_orgao, ou null
    tipo_pessoa: Any  # pessoa do fornecedor: PJ jurídica, PF física ou PE estrangeira
    ni_fornecedor: Any  # CNPJ, CPF mascarado ou identificação estrangeira do fornecedor, texto
    nome_razao_social_fornecedor: Any  # nome do fornecedor
    codigo_pais_fornecedor: Any  # país do fornecedor em três letras, como BRA
    tipo_pessoa_sub_contratada: Any  # pessoa do subcontratado: PJ, PF ou PE, ou null
    ni_fornecedor_sub_contratado: Any  # CNPJ, CPF mascarado ou identificação estrangeira do subcontratado, ou null
    nome_fornecedor_sub_contratado: Any  # nome do subcontratado, ou null
    valor_inicial: Any  # valor inicial do contrato, número com até quatro decimais (reais)
    numero_parcelas: Any  # quantas parcelas, número
    valor_parcela: Any  # valor de cada parcela, número com até quatro decimais (reais)
    valor_global: Any  # valor do contrato inteiro, número com até quatro decimais; não é a parte do subcontratado (reais)
    valor_acumulado: Any  # valor acumulado com os aditivos, número com até quatro decimais; muitas vezes null (reais)
    data_assinatura: Any  # data da assinatura (AAAA-MM-DD)
    data_vigencia_inicio: Any  # início da vigência (AAAA-MM-DD)
    data_vigencia_fim: Any  # fim da vigência (AAAA-MM-DD)
    numero_retificacao: Any  # quantas vezes o registro foi retificado, número
    data_publicacao_pncp: Any  # quando foi publicado no PNCP, sem fuso (AAAA-MM-DDTHH:MM:SS)
    data_atualizacao: Any  # última atualização do registro, sem fuso (AAAA-MM-DDTHH:MM:SS)
    data_atualizacao_global: Any  # última atualização do registro ou do que depende dele, sem fuso (AAAA-MM-DDTHH:MM:SS)
    identificador_cipi: Any  # identificador no Cadastro Integrado de Projetos de Investimento (CIPI), ou null
    url_cipi: Any  # endereço no CIPI, ou null
    usuario_nome: Any  # sistema ou usuário que enviou o registro ao PNCP
    url: Any  # página do contrato no PNCP


class PaginaPncpOrgao(TypedDict):
    """Contratos públicos como contratante. Contratos e empenhos em que o CNPJ consultado é o órgão contratante."""

    status: Literal["encontrado", "sem_ocorrencia", "indisponivel", "erro"]  # encontrado: há registros; sem_ocorrencia: não há, nesta fotografia (não é certidão); indisponivel: a fonte não tem carga; erro: a consulta falhou
    escopo: Literal["empresa", "estabelecimento"]  # a que o documento foi comparado
    documento: str  # documento consultado
    competencia: str | None  # período da fonte: AAAA-MM, AAAA-MM-DD ou o rótulo de quem publica
    carregada_em: str | None  # quando a carga terminou (UTC)
    cobertura_inicio: str | None  # início da cobertura (AAAA-MM-DD)
    desatualizada: bool | None  # a carga é antiga para o ritmo de publicação; null: não informado
    proveniencia: Proveniencia | None  # de onde vieram os registros
    itens: list[ItemPncpOrgao]
    total: int | None  # registros em todas as páginas; null quando o status é indisponivel ou erro
    proximo_cursor: str | None  # cursor da próxima página; null no fim
    proxima_url: str | None  # endereço da próxima página desta coleção; null no fim


class RegistrosPublicosContratacoesPublicas(TypedDict):
    """Fontes do grupo contratacoes_publicas."""

    pncp: PaginaPncp
    pncp_orgao: PaginaPncpOrgao


class ItemBndes(TypedDict):
    """Financiamentos do BNDES: um registro, com os campos e valores da fonte."""

    tipo_operacao: str | None  # nao_automatica (cada registro é um subcrédito) ou indireta_automatica
    documento_fonte: str | None  # documento do cliente como o BNDES o publica: CNPJ completo ou mascarado
    cnpj_vinculado: str | None  # CNPJ ao qual a operação foi ligada, sem máscara
    metodo_vinculo: str | None  # como o CNPJ foi obtido: publicado, inferido_raiz_no_nome ou inferido_mascara_nome_municipio; veja /metodologia/bndes
    cliente: str | None  # nome do cliente, cortado pela fonte em 55 caracteres
    numero_do_contrato: str | None  # número do contrato; repete-se nos seus subcréditos, e não existe nas indiretas automáticas
    descricao_do_projeto: str | None  # descrição do projeto; só nas não automáticas
    uf: str | None  # UF do investimento ou do cliente
    municipio: str | None  # município do investimento ou do cliente
    municipio_codigo: str | None  # código desse município no IBGE, sete dígitos; null quando a fonte não o conhece
    data_da_contratacao: str | None  # data da contratação (AAAA-MM-DD)
    valor_contratado_reais: Decimal | None  # valor contratado, sem correção (reais)
    valor_desembolsado_reais: Decimal | None  # valor desembolsado, sem correção; pode superar o contratado (reais)
    fonte_de_recurso_desembolsos: str | None  # origem dos recursos; várias são separadas por /
    custo_financeiro: str | None  # índice do custo, como TLP, SELIC ou TAXA FIXA
    juros: Decimal | None  # taxa somada ao custo financeiro; com TAXA FIXA é o custo inteiro (% ao ano)
    prazo_carencia_meses: Decimal | None  # prazo de carência (meses)
    prazo_amortizacao_meses: Decimal | None  # prazo de amortização (meses)
    modalidade_de_apoio: str | None  # REEMBOLSÁVEL ou NÃO REEMBOLSÁVEL
    forma_de_apoio: str | None  # DIRETA, pelo próprio BNDES, ou INDIRETA, por instituição credenciada
    produto: str | None  # produto do BNDES
    instrumento_financeiro: str | None  # instrumento financeiro do BNDES
    inovacao: str | None  # SIM quando a operação é de inovação, NÃO quando não
    area_operacional: str | None  # área do BNDES que cuida da operação
    setor_cnae: str | None  # setor da economia, segundo a CNAE
    subsetor_cnae_agrupado: str | None  # subsetor da CNAE, agrupado pelo BNDES
    subsetor_cnae_codigo: str | None  # código da CNAE: letra da seção e sete dígitos, completado com zeros
    subsetor_cnae_nome: str | None  # nome da CNAE
    setor_bndes: str | None  # setor na classificação do BNDES
    subsetor_bndes: str | None  # subsetor na classificação do BNDES
    porte_do_cliente: str | None  # porte do cliente: MICRO, PEQUENA, MÉDIA ou GRANDE
    natureza_do_cliente: str | None  # natureza do cliente: privada ou da administração pública
    instituicao_financeira_credenciada: str | None  # instituição que repassou os recursos, nas operações indiretas
    cnpj_instituicao_financeira: str | None  # CNPJ da instituição, sem máscara
    tipo_de_garantia: str | None  # garantia da operação
    tipo_de_excepcionalidade: str | None  # excepcionalidade da operação, como publicada
    situacao: str | None  # situação do contrato ou da operação, como ATIVA ou LIQUIDADA


class PaginaBndes(TypedDict):
    """Financiamentos do BNDES. Operações de financiamento contratadas desde 2002. Um subcrédito não é necessariamente um contrato; parte dos vínculos é inferida pela metodologia descrita."""

    status: Literal["encontrado", "sem_ocorrencia", "indisponivel", "erro"]  # encontrado: há registros; sem_ocorrencia: não há, nesta fotografia (não é certidão); indisponivel: a fonte não tem carga; erro: a consulta falhou
    escopo: Literal["empresa", "estabelecimento"]  # a que o documento foi comparado
    documento: str  # documento consultado
    competencia: str | None  # período da fonte: AAAA-MM, AAAA-MM-DD ou o rótulo de quem publica
    carregada_em: str | None  # quando a carga terminou (UTC)
    cobertura_inicio: str | None  # início da cobertura (AAAA-MM-DD)
    desatualizada: bool | None  # a carga é antiga para o ritmo de publicação; null: não informado
    proveniencia: Proveniencia | None  # de onde vieram os registros
    itens: list[ItemBndes]
    total: int | None  # registros em todas as páginas; null quando o status é indisponivel ou erro
    proximo_cursor: str | None  # cursor da próxima página; null no fim
    proxima_url: str | None  # endereço da próxima página desta coleção; null no fim


class RegistrosPublicosFinanciamento(TypedDict):
    """Fontes do grupo financiamento."""

    bndes: PaginaBndes


class RegistrosPublicos(TypedDict):
    """A primeira página de cada fonte, por tema."""

    dividas: RegistrosPublicosDividas  # Fontes do grupo dividas.
    sancoes: RegistrosPublicosSancoes  # Fontes do grupo sancoes.
    trabalho: RegistrosPublicosTrabalho  # Fontes do grupo trabalho.
    comercio_exterior: RegistrosPublicosComercioExterior  # Fontes do grupo comercio_exterior.
    ambiental: RegistrosPublicosAmbiental  # Fontes do grupo ambiental.
    transporte: RegistrosPublicosTransporte  # Fontes do grupo transporte.
    contratacoes_publicas: RegistrosPublicosContratacoesPublicas  # Fontes do grupo contratacoes_publicas.
    financiamento: RegistrosPublicosFinanciamento  # Fontes do grupo financiamento.


class RespostaEmpresaFullDados(TypedDict):
    """Cadastro da empresa e fontes."""

    empresa: Empresa
    estabelecimentos: Estabelecimentos
    registros_publicos: RegistrosPublicos


class RespostaEmpresaFull(TypedDict):
    """A resposta."""

    dados: RespostaEmpresaFullDados  # Cadastro da empresa e fontes.
    meta: Meta


class RespostaFonte(TypedDict):
    """A resposta."""

    dados: PaginaPgfn | PaginaCeis | PaginaCnep | PaginaCepim | PaginaAcordosLeniencia | PaginaMteEmpregadores | PaginaMteCeac | PaginaHabilitacaoAduaneira | PaginaIbamaAutos | PaginaIbamaEmbargos | PaginaRntrc | PaginaPncp | PaginaPncpOrgao | PaginaBndes
    meta: Meta


class RespostaEstabelecimentos(TypedDict):
    """A resposta."""

    dados: Estabelecimentos
    meta: Meta


class RespostaSocios(TypedDict):
    """A resposta."""

    dados: Socios
    meta: Meta


class MudancasDoDocumento(TypedDict):
    """Uma página da história de uma empresa ou estabelecimento."""

    cnpj_basico: str  # as 8 primeiras posições do CNPJ, que identificam a empresa
    cobertura: list[CoberturaDaHistoria]  # de cada fonte, desde quando se conhecem as mudanças e o que não foi comparado
    itens: list[Mudanca]
    total: int  # eventos em todas as páginas
    proximo_cursor: str | None  # cursor da próxima página; null no fim
    proxima_url: str | None  # endereço da próxima página desta coleção; null no fim


class RespostaMudancasDoDocumento(TypedDict):
    """A resposta."""

    dados: MudancasDoDocumento
    meta: Meta


class RespostaEstabelecimentoBasicDados(TypedDict):
    """Cadastro do estabelecimento."""

    empresa: Empresa
    estabelecimento: Estabelecimento


class RespostaEstabelecimentoBasic(TypedDict):
    """A resposta."""

    dados: RespostaEstabelecimentoBasicDados  # Cadastro do estabelecimento.
    meta: Meta


class RespostaEstabelecimentoFullDados(TypedDict):
    """Cadastro do estabelecimento e fontes."""

    empresa: Empresa
    estabelecimento: Estabelecimento
    registros_publicos: RegistrosPublicos


class RespostaEstabelecimentoFull(TypedDict):
    """A resposta."""

    dados: RespostaEstabelecimentoFullDados  # Cadastro do estabelecimento e fontes.
    meta: Meta


class RespostaRedeDadosContatos1Item(TypedDict):
    """Um contato da matriz que outras empresas também publicam. Sugere um vínculo, e não o prova."""

    de: str  # id da empresa
    tipo: Literal["telefone", "email", "email_dominio", "endereco"]  # o que é
    valor: str  # o contato
    comum: bool  # true: mais de vinte outras o publicam, como os de contadores, provedores de e-mail e prédios; não diz nada
    com: list[str]  # CNPJ de um estabelecimento de cada outra empresa; vazia se comum


class MembroDaRedeDescricoes(TypedDict):
    """Textos dos códigos."""

    pais: str | None  # texto do código pais; null: desconhecido
    municipio: str | None  # texto do código municipio; null: desconhecido
    situacao_cadastral: str | None  # texto do código situacao_cadastral; null: desconhecido


class MembroDaRede(TypedDict):
    """Uma empresa, ou quem está em uma. Nome e seis dígitos do CPF não identificam uma pessoa: há homônimos."""

    id: str  # identificador, o mesmo em todas as cargas: as 8 posições de uma empresa; de uma pessoa, seis dígitos do CPF e o nome; ex- de quem está no exterior
    tipo: Literal["empresa", "pessoa", "estrangeiro", "nao_identificado"]  # o que é
    nome: str | None  # nome como foi publicado; null: a empresa não consta da carga
    cnpj: str | None  # CNPJ da matriz de uma empresa
    documento: str | None  # CPF mascarado de uma pessoa, como foi publicado
    pais: str  # país de um estrangeiro
    uf: str  # estado da matriz, sigla
    municipio: str  # município da matriz, código da Receita Federal
    situacao_cadastral: str  # situação cadastral, código de dois dígitos (01 Nula; 02 Ativa; 03 Suspensa; 04 Inapta; 05 Ativa Não Regular; 08 Baixada)
    distancia: int  # vínculos até o membro pedido mais próximo
    descricoes: MembroDaRedeDescricoes  # Textos dos códigos.


class RespostaRedeDadosVinculosItemLinhasItem(TypedDict):
    """Uma linha da tabela de sócios da empresa."""

    numero: int  # posição entre os sócios da empresa, a partir de 1, como em /v2/empresas/{documento}/socios
    representante: bool  # true: quem tem o vínculo é o representante legal deste sócio
    socio: Socio


class RespostaRedeDadosVinculosItem(TypedDict):
    """Uma empresa nomeia um sócio ou representante."""

    de: str  # id de quem é nomeado
    para: str  # as 8 posições da empresa que nomeia
    linhas: list[RespostaRedeDadosVinculosItemLinhasItem]


class ForaDaRede(TypedDict):
    """Quantos vínculos de um membro não estão na rede, pelos limites dela."""

    id: str  # identificador do membro
    socios: int  # sócios da empresa que não estão na rede
    empresas: int  # empresas que nomeiam o membro e não estão na rede


class RespostaRedeDadosEvidencia(TypedDict):
    """De onde são as linhas."""

    tabela: Literal["Socios"]  # a tabela publicada
    carga: int  # número da carga, cuja página é /fontes/receita/cargas/{carga}
    competencia: str | None  # mês da carga da Receita Federal (AAAA-MM)


class RespostaRedeDados(TypedDict):
    """A rede."""

    completa: bool  # false: algo ficou de fora, dito em fora ou porque o trabalho acabou
    contatos: list[RespostaRedeDadosContatos1Item] | None
    membros: list[MembroDaRede]
    vinculos: list[RespostaRedeDadosVinculosItem]
    fora: list[ForaDaRede]
    evidencia: RespostaRedeDadosEvidencia  # De onde são as linhas.
    aviso: str  # o que uma rede não diz
    chamadas: int  # chamadas como que a resposta conta, pelo trabalho


class RespostaRedeMeta(TypedDict):
    """Sobre a resposta."""

    versao: Literal["v2"]  # versão da API
    release: str  # versão do produto
    recurso: Literal["rede"]  # o que foi consultado
    competencia: str | None  # mês da carga da Receita Federal (AAAA-MM)
    fotografia: str  # conjunto de cargas que respondeu
    requisicao_id: str  # o mesmo de X-Request-ID
    disponibilidade: Literal["completa", "parcial"]  # parcial: alguma fonte falhou ou não tem carga, ou há lacunas
    lacunas: NotRequired[list[Lacuna]]  # só quando faltou à carga algum arquivo do que esta resposta mostra: nestas partes o que não aparece pode existir, e os totais são mínimos


class RespostaRede(TypedDict):
    """A resposta."""

    dados: RespostaRedeDados  # A rede.
    meta: RespostaRedeMeta  # Sobre a resposta.


class RespostaSocioEmpresasDadosVinculosItemLinhasItem(TypedDict):
    """Uma linha da tabela de sócios da empresa."""

    numero: int  # posição entre os sócios da empresa, a partir de 1, como em /v2/empresas/{documento}/socios
    representante: bool  # true: quem tem o vínculo é o representante legal deste sócio
    socio: Socio


class RespostaSocioEmpresasDadosVinculosItem(TypedDict):
    """Uma empresa nomeia um sócio ou representante."""

    de: str  # id de quem é nomeado
    para: str  # as 8 posições da empresa que nomeia
    linhas: list[RespostaSocioEmpresasDadosVinculosItemLinhasItem]


class RespostaSocioEmpresasDadosEvidencia(TypedDict):
    """De onde são as linhas."""

    tabela: Literal["Socios"]  # a tabela publicada
    carga: int  # número da carga, cuja página é /fontes/receita/cargas/{carga}
    competencia: str | None  # mês da carga da Receita Federal (AAAA-MM)


class RespostaSocioEmpresasDados(TypedDict):
    """A rede."""

    total: int  # vínculos em todas as páginas
    proximo_cursor: str | None  # cursor da próxima página; null no fim
    proxima_url: str | None  # endereço da próxima página desta coleção; null no fim
    membros: list[MembroDaRede]
    vinculos: list[RespostaSocioEmpresasDadosVinculosItem]
    fora: list[ForaDaRede]
    evidencia: RespostaSocioEmpresasDadosEvidencia  # De onde são as linhas.
    aviso: str  # o que uma rede não diz
    chamadas: int  # chamadas como que a resposta conta, pelo trabalho


class RespostaSocioEmpresasMeta(TypedDict):
    """Sobre a resposta."""

    versao: Literal["v2"]  # versão da API
    release: str  # versão do produto
    recurso: Literal["socio_empresas"]  # o que foi consultado
    competencia: str | None  # mês da carga da Receita Federal (AAAA-MM)
    fotografia: str  # conjunto de cargas que respondeu
    requisicao_id: str  # o mesmo de X-Request-ID
    disponibilidade: Literal["completa", "parcial"]  # parcial: alguma fonte falhou ou não tem carga, ou há lacunas
    lacunas: NotRequired[list[Lacuna]]  # só quando faltou à carga algum arquivo do que esta resposta mostra: nestas partes o que não aparece pode existir, e os totais são mínimos


class RespostaSocioEmpresas(TypedDict):
    """A resposta."""

    dados: RespostaSocioEmpresasDados  # A rede.
    meta: RespostaSocioEmpresasMeta  # Sobre a resposta.


class RespostaGrupoDadosRegistrosItemEmpresasItem(TypedDict):
    """Uma empresa com registros."""

    cnpj_basico: str  # as 8 posições da empresa
    status: Literal["encontrado", "sem_ocorrencia", "indisponivel", "erro"]  # encontrado: há registros; sem_ocorrencia: não há, nesta fotografia (não é certidão); indisponivel: a fonte não tem carga; erro: não foi possível consultar
    registros: int  # registros das empresas
    total: Decimal | None  # soma, em reais, dos valores que podem ser somados; null: a fonte não tem valores, ou nem todos puderam ser somados
    em_vigor: int | None  # registros em vigor hoje; null: não se aplica à fonte, ou nem todos puderam ser lidos


class RespostaGrupoDadosRegistrosItem(TypedDict):
    """O que uma fonte tem das empresas do grupo."""

    fonte: str  # identificador da fonte
    status: Literal["encontrado", "sem_ocorrencia", "indisponivel", "erro"]  # encontrado: há registros; sem_ocorrencia: não há, nesta fotografia (não é certidão); indisponivel: a fonte não tem carga; erro: não foi possível consultar
    registros: int  # registros das empresas
    total: Decimal | None  # soma, em reais, dos valores que podem ser somados; null: a fonte não tem valores, ou nem todos puderam ser somados
    em_vigor: int | None  # registros em vigor hoje; null: não se aplica à fonte, ou nem todos puderam ser lidos
    empresas: list[RespostaGrupoDadosRegistrosItemEmpresasItem]
    sem_resposta: list[str]  # empresas de que a fonte não pôde ser lida inteira: os registros delas não estão na soma


class RespostaGrupoDadosVinculosItemLinhasItem(TypedDict):
    """Uma linha da tabela de sócios da empresa."""

    numero: int  # posição entre os sócios da empresa, a partir de 1, como em /v2/empresas/{documento}/socios
    representante: bool  # true: quem tem o vínculo é o representante legal deste sócio
    socio: Socio


class RespostaGrupoDadosVinculosItem(TypedDict):
    """Uma empresa nomeia um sócio ou representante."""

    de: str  # id de quem é nomeado
    para: str  # as 8 posições da empresa que nomeia
    linhas: list[RespostaGrupoDadosVinculosItemLinhasItem]


class RespostaGrupoDadosEvidencia(TypedDict):
    """De onde são as linhas."""

    tabela: Literal["Socios"]  # a tabela publicada
    carga: int  # número da carga, cuja página é /fontes/receita/cargas/{carga}
    competencia: str | None  # mês da carga da Receita Federal (AAAA-MM)


class RespostaGrupoDados(TypedDict):
    """A rede."""

    completa: bool  # false: algo ficou de fora, dito em fora ou porque o trabalho acabou
    ciclos: list[list[str]]  # empresas que, de sócia em sócia, têm a si mesmas: cada lista é um círculo, o mais curto de quem está nele
    registros: list[RespostaGrupoDadosRegistrosItem]
    membros: list[MembroDaRede]
    vinculos: list[RespostaGrupoDadosVinculosItem]
    fora: list[ForaDaRede]
    evidencia: RespostaGrupoDadosEvidencia  # De onde são as linhas.
    aviso: str  # o que uma rede não diz
    chamadas: int  # chamadas como que a resposta conta, pelo trabalho


class RespostaGrupoMeta(TypedDict):
    """Sobre a resposta."""

    versao: Literal["v2"]  # versão da API
    release: str  # versão do produto
    recurso: Literal["grupo"]  # o que foi consultado
    competencia: str | None  # mês da carga da Receita Federal (AAAA-MM)
    fotografia: str  # conjunto de cargas que respondeu
    requisicao_id: str  # o mesmo de X-Request-ID
    disponibilidade: Literal["completa", "parcial"]  # parcial: alguma fonte falhou ou não tem carga, ou há lacunas
    lacunas: NotRequired[list[Lacuna]]  # só quando faltou à carga algum arquivo do que esta resposta mostra: nestas partes o que não aparece pode existir, e os totais são mínimos


class RespostaGrupo(TypedDict):
    """A resposta."""

    dados: RespostaGrupoDados  # A rede.
    meta: RespostaGrupoMeta  # Sobre a resposta.


class RespostaCaminhoDadosVinculosItemLinhasItem(TypedDict):
    """Uma linha da tabela de sócios da empresa."""

    numero: int  # posição entre os sócios da empresa, a partir de 1, como em /v2/empresas/{documento}/socios
    representante: bool  # true: quem tem o vínculo é o representante legal deste sócio
    socio: Socio


class RespostaCaminhoDadosVinculosItem(TypedDict):
    """Uma empresa nomeia um sócio ou representante."""

    de: str  # id de quem é nomeado
    para: str  # as 8 posições da empresa que nomeia
    linhas: list[RespostaCaminhoDadosVinculosItemLinhasItem]


class RespostaCaminhoDadosEvidencia(TypedDict):
    """De onde são as linhas."""

    tabela: Literal["Socios"]  # a tabela publicada
    carga: int  # número da carga, cuja página é /fontes/receita/cargas/{carga}
    competencia: str | None  # mês da carga da Receita Federal (AAAA-MM)


class RespostaCaminhoDados(TypedDict):
    """A rede."""

    caminhos: list[list[str]]  # cada caminho é uma lista de ids de membros, de um fim ao outro
    completo: bool  # false: pode haver outros caminhos, ou mais curtos
    membros: list[MembroDaRede]
    vinculos: list[RespostaCaminhoDadosVinculosItem]
    fora: list[ForaDaRede]
    evidencia: RespostaCaminhoDadosEvidencia  # De onde são as linhas.
    aviso: str  # o que uma rede não diz
    chamadas: int  # chamadas como que a resposta conta, pelo trabalho


class RespostaCaminhoMeta(TypedDict):
    """Sobre a resposta."""

    versao: Literal["v2"]  # versão da API
    release: str  # versão do produto
    recurso: Literal["caminho"]  # o que foi consultado
    competencia: str | None  # mês da carga da Receita Federal (AAAA-MM)
    fotografia: str  # conjunto de cargas que respondeu
    requisicao_id: str  # o mesmo de X-Request-ID
    disponibilidade: Literal["completa", "parcial"]  # parcial: alguma fonte falhou ou não tem carga, ou há lacunas
    lacunas: NotRequired[list[Lacuna]]  # só quando faltou à carga algum arquivo do que esta resposta mostra: nestas partes o que não aparece pode existir, e os totais são mínimos


class RespostaCaminho(TypedDict):
    """A resposta."""

    dados: RespostaCaminhoDados  # A rede.
    meta: RespostaCaminhoMeta  # Sobre a resposta.


class RespostaProvaDadosLinhas1Item(TypedDict):
    """Uma linha guardada."""

    seq: int  # 0: a empresa e os primeiros sócios e estabelecimentos; acima, mais estabelecimentos; abaixo, mais sócios
    doc: str  # a linha como foi guardada, em base64


class RespostaProvaDados(TypedDict):
    """A prova. Hashes e bytes em base64 (RFC 4648, seção 4)."""

    cnpj_basico: str  # as 8 posições da empresa
    carga: int  # número da carga, cuja página é /fontes/receita/cargas/{carga}
    indice: int  # posição da folha, a partir de 0, na ordem dos CNPJs
    tamanho: int  # folhas da árvore: as empresas da carga, também as que só têm estabelecimentos
    folha: str  # hash da folha: SHA-256 do byte 0, das 8 posições, do nonce e, de cada linha, seq e tamanho (4 bytes cada, big endian) e doc
    caminho: list[str]
    checkpoint: str  # nota assinada: origem, tamanho e raiz da árvore; assinatura Ed25519
    chave: str  # chave que confere a assinatura: nome, hash e chave pública
    nonce: str | None  # 16 bytes que entram na folha, para que o hash não revele o que falta; null sem linhas
    linhas: list[RespostaProvaDadosLinhas1Item] | None
    aviso: str | None  # por que não há linhas; null quando há


class RespostaProva(TypedDict):
    """A resposta."""

    dados: RespostaProvaDados  # A prova. Hashes e bytes em base64 (RFC 4648, seção 4).
    meta: Meta


class LoteCorpo(TypedDict):
    cnpjs: list[str]  # CNPJs de 8 ou 14 posições, sem máscara
    campos: NotRequired[list[str]]  # nomes de campos de Empresa, Estabelecimento ou Simples; sem campos, tudo o que o modo basic traz


class RespostaLoteDadosItensItem1Dados1(TypedDict):
    """Uma empresa."""

    empresa: Empresa
    estabelecimentos: Estabelecimentos


class RespostaLoteDadosItensItem1Dados2(TypedDict):
    """Um estabelecimento."""

    empresa: Empresa
    estabelecimento: Estabelecimento


class RespostaLoteDadosItensItem1(TypedDict):
    """O que há."""

    cnpj: str  # o número, como veio
    dados: RespostaLoteDadosItensItem1Dados1 | RespostaLoteDadosItensItem1Dados2 | dict[str, Any]


class RespostaLoteDadosItensItem2Erro(TypedDict):
    """Por que não há dados."""

    codigo: Literal["cnpj_invalido", "cnpj_nao_encontrado", "carga_parcial"]  # o código do erro
    mensagem: str  # o mesmo, em palavras


class RespostaLoteDadosItensItem2(TypedDict):
    """O que não há."""

    cnpj: str  # o número, como veio
    erro: RespostaLoteDadosItensItem2Erro  # Por que não há dados.


class RespostaLoteDados(TypedDict):
    """As respostas, na ordem dos números."""

    itens: list[RespostaLoteDadosItensItem1 | RespostaLoteDadosItensItem2]


class RespostaLoteMeta(TypedDict):
    """Sobre a resposta."""

    versao: Literal["v2"]  # versão da API
    release: str  # versão do produto
    recurso: Literal["lote"]  # o que foi consultado
    competencia: str | None  # mês da carga da Receita Federal (AAAA-MM)
    fotografia: str  # conjunto de cargas que respondeu
    requisicao_id: str  # o mesmo de X-Request-ID
    disponibilidade: Literal["completa", "parcial"]  # parcial: alguma fonte falhou ou não tem carga, ou há lacunas
    lacunas: NotRequired[list[Lacuna]]  # só quando faltou à carga algum arquivo do que esta resposta mostra: nestas partes o que não aparece pode existir, e os totais são mínimos


class RespostaLote(TypedDict):
    """A resposta."""

    dados: RespostaLoteDados  # As respostas, na ordem dos números.
    meta: RespostaLoteMeta  # Sobre a resposta.


class PerguntaPropertiesItem(TypedDict):
    """O que mais a lista diz."""

    pid: Literal["municipio", "uf", "atividade"]  # o que é
    v: Any  # um texto, um número ou uma lista deles, de que vale o primeiro


class Pergunta(TypedDict):
    """Uma pergunta."""

    query: str  # o nome, como está na lista, ou um CNPJ
    limit: NotRequired[int]  # candidatas, no máximo
    properties: NotRequired[list[PerguntaPropertiesItem]]


class ReconciliarCorpo(TypedDict):
    """Nomes."""

    queries: dict[str, Pergunta]


class CandidataTypeItem(TypedDict):
    """O tipo, sempre o mesmo."""

    id: str  # empresa
    name: str  # em palavras


class CandidataFeaturesItem(TypedDict):
    """Por que é candidata."""

    id: Literal["cnpj", "nome", "municipio", "uf", "atividade", "ativa"]  # o que se comparou
    value: Decimal | bool  # nome: de 0 a 1; os outros: se é o mesmo


class Candidata(TypedDict):
    """Uma empresa que pode ser a que se quis dizer, pelo estabelecimento do lugar ou pela matriz."""

    id: str  # CNPJ do estabelecimento
    name: str  # razão social
    description: str  # nome fantasia, lugar, situação e atividade
    type: list[CandidataTypeItem]
    score: Decimal  # de 0 a 100
    match: bool  # só ela pode ser: o nome é quase o mesmo e nenhuma outra chega perto
    features: list[CandidataFeaturesItem]


class ReconciliacaoValor(TypedDict):
    """Uma resposta."""

    result: list[Candidata]


class SugestoesResultItemNotableItem(TypedDict):
    """O tipo, sempre o mesmo."""

    id: str  # empresa
    name: str  # em palavras


class SugestoesResultItem(TypedDict):
    id: str  # identificador
    name: str  # nome
    description: str  # o que a distingue de outras
    notable: NotRequired[list[SugestoesResultItemNotableItem]]


class Sugestoes(TypedDict):
    """Sugestões."""

    result: list[SugestoesResultItem]


class CamposPropostosPropertiesItem(TypedDict):
    """Um campo."""

    id: str  # nome do campo
    name: str  # o mesmo
    description: str  # o que é


class CamposPropostos(TypedDict):
    """Os campos."""

    properties: list[CamposPropostosPropertiesItem]


class Cartao(TypedDict):
    """Um cartão."""

    id: str  # o que foi perguntado
    html: str  # o que há sobre ele


class BuscarParametros(TypedDict):
    q: NotRequired[str]  # o que se procura
    em: NotRequired[Literal["nomes", "socios"]]  # onde procurar as palavras; em tudo se ausente
    agrupar: NotRequired[Literal["sim", "nao"]]  # sim: um resultado por empresa; nao: um por estabelecimento
    literal: NotRequired[Literal["0", "1"]]  # 1: palavras que são um lugar, uma condição ou um contato não viram filtro
    ordem: NotRequired[Literal["antigas", "capital", "nome", "recentes", "relevancia"]]  # ordem dos resultados
    facetas: NotRequired[Literal["sim", "nao"]]  # sim: conta os valores de cada filtro
    limite: NotRequired[int]  # itens por página de cada coleção
    cursor: NotRequired[str]  # cursor de proxima_url, com a mesma pergunta e o mesmo limite
    municipio: NotRequired[list[str]]  # Filtro. Município: o código de um município na Receita Federal (4 dígitos) ou no IBGE (7), ou seu nome, como Campinas/SP. Pode repetir-se; “-” antes do valor o exclui.
    uf: NotRequired[list[str]]  # Filtro. Estado: a sigla de um estado, ou EX para o exterior. Pode repetir-se; “-” antes do valor o exclui.
    regiao: NotRequired[list[str]]  # Filtro. Região: norte, nordeste, centro-oeste, sudeste, sul. Pode repetir-se; “-” antes do valor o exclui.
    bairro: NotRequired[list[str]]  # Filtro. Bairro: o nome inteiro de um bairro, como publicado. Pode repetir-se; “-” antes do valor o exclui.
    logradouro: NotRequired[list[str]]  # Filtro. Logradouro: o tipo e o nome, como Rua Sete de Setembro. Pode repetir-se; “-” antes do valor o exclui.
    numero: NotRequired[list[str]]  # Filtro. Número: o do endereço, de até 5 dígitos. Pode repetir-se; “-” antes do valor o exclui.
    cep: NotRequired[list[str]]  # Filtro. CEP: um CEP ou o começo de um, de 3 a 8 dígitos. Pode repetir-se; “-” antes do valor o exclui.
    ddd: NotRequired[list[str]]  # Filtro. DDD: um DDD, com dois dígitos. Pode repetir-se; “-” antes do valor o exclui.
    pais: NotRequired[list[str]]  # Filtro. País: o código de um país na Receita Federal, de estabelecimentos no exterior. Pode repetir-se; “-” antes do valor o exclui.
    cnae: NotRequired[list[str]]  # Filtro. Atividade principal: a letra de uma seção ou os 2, 3, 5 ou 7 primeiros dígitos de uma subclasse. Pode repetir-se; “-” antes do valor o exclui.
    cnae_secundario: NotRequired[list[str]]  # Filtro. Atividade secundária: a letra de uma seção ou os 2, 3, 5 ou 7 primeiros dígitos de uma subclasse. Pode repetir-se; “-” antes do valor o exclui.
    cnae_todos: NotRequired[list[str]]  # Filtro. Atividade principal ou secundária: a letra de uma seção ou os 2, 3, 5 ou 7 primeiros dígitos de uma subclasse. Pode repetir-se; “-” antes do valor o exclui.
    situacao: NotRequired[list[str]]  # Filtro. Situação: o código de uma situação cadastral: 01 nula, 02 ativa, 03 suspensa, 04 inapta ou 08 baixada. Pode repetir-se; “-” antes do valor o exclui.
    situacao_de: NotRequired[str]  # Filtro. Nesta situação: uma data, AAAA-MM-DD: a primeira da situação cadastral. Incluído.
    situacao_ate: NotRequired[str]  # Filtro. Nesta situação: uma data, AAAA-MM-DD: a última da situação cadastral. Incluído.
    motivo: NotRequired[list[str]]  # Filtro. Motivo da situação: um código de dois dígitos. Pode repetir-se; “-” antes do valor o exclui.
    abertura_de: NotRequired[str]  # Filtro. Abertura: uma data, AAAA-MM-DD: a primeira de abertura. Incluído.
    abertura_ate: NotRequired[str]  # Filtro. Abertura: uma data, AAAA-MM-DD: a última de abertura. Incluído.
    ano_de: NotRequired[str]  # Filtro. Ano de abertura: um ano de quatro dígitos: o primeiro de abertura. Incluído.
    ano_ate: NotRequired[str]  # Filtro. Ano de abertura: um ano de quatro dígitos: o último de abertura. Incluído.
    tipo: NotRequired[list[str]]  # Filtro. Matriz ou filial: matriz ou filial. Pode repetir-se; “-” antes do valor o exclui.
    natureza: NotRequired[list[str]]  # Filtro. Natureza jurídica: um código de quatro dígitos. Pode repetir-se; “-” antes do valor o exclui.
    porte: NotRequired[list[str]]  # Filtro. Porte: o código de um porte: 00 não informado, 01 micro, 03 pequeno ou 05 demais. Pode repetir-se; “-” antes do valor o exclui.
    capital: NotRequired[list[str]]  # Filtro. Faixa de capital social: uma faixa de capital social em reais: 0, 1-10k, 10k-100k, 100k-1m, 1m-10m, 10m-100m, 100m. Pode repetir-se; “-” antes do valor o exclui.
    capital_de: NotRequired[str]  # Filtro. Capital social: um valor em reais, como 1500.50: o menor capital social. Incluído.
    capital_ate: NotRequired[str]  # Filtro. Capital social: um valor em reais, como 1500.50: o maior capital social. Incluído.
    estabelecimentos_de: NotRequired[str]  # Filtro. Estabelecimentos: um número: o menor de estabelecimentos da empresa. Incluído.
    estabelecimentos_ate: NotRequired[str]  # Filtro. Estabelecimentos: um número: o maior de estabelecimentos da empresa. Incluído.
    simples: NotRequired[list[str]]  # Filtro. Simples Nacional: sim ou nao. Pode repetir-se; “-” antes do valor o exclui.
    simples_de: NotRequired[str]  # Filtro. Optante pelo Simples: uma data, AAAA-MM-DD: a primeira da opção, que ainda vale. Incluído.
    simples_ate: NotRequired[str]  # Filtro. Optante pelo Simples: uma data, AAAA-MM-DD: a última da opção, que ainda vale. Incluído.
    mei: NotRequired[list[str]]  # Filtro. MEI: sim ou nao. Pode repetir-se; “-” antes do valor o exclui.
    mei_de: NotRequired[str]  # Filtro. Optante pelo MEI: uma data, AAAA-MM-DD: a primeira da opção, que ainda vale. Incluído.
    mei_ate: NotRequired[str]  # Filtro. Optante pelo MEI: uma data, AAAA-MM-DD: a última da opção, que ainda vale. Incluído.
    socios_de: NotRequired[str]  # Filtro. Número de sócios: um número: o menor de sócios da empresa. Incluído.
    socios_ate: NotRequired[str]  # Filtro. Número de sócios: um número: o maior de sócios da empresa. Incluído.
    socio_tipo: NotRequired[list[str]]  # Filtro. Entre os sócios: pessoa, empresa ou estrangeiro: quem está entre os sócios; vale para a matriz. Pode repetir-se; “-” antes do valor o exclui.
    socio_qualificacao: NotRequired[list[str]]  # Filtro. Qualificação de um sócio: um código de dois dígitos; vale para a matriz. Pode repetir-se; “-” antes do valor o exclui.
    socio_faixa: NotRequired[list[str]]  # Filtro. Faixa etária de um sócio: um código de 1 a 9; vale para a matriz. Pode repetir-se; “-” antes do valor o exclui.
    telefone: NotRequired[list[str]]  # Filtro. Telefone publicado: sim ou nao; o de uma pessoa física conta como nenhum. Pode repetir-se; “-” antes do valor o exclui.
    email: NotRequired[list[str]]  # Filtro. E-mail publicado: sim ou nao; o de uma pessoa física conta como nenhum. Pode repetir-se; “-” antes do valor o exclui.
    telefone_numero: NotRequired[list[str]]  # Filtro. Telefone: um número com DDD, como (19) 3233-4455. Pode repetir-se; “-” antes do valor o exclui.
    email_endereco: NotRequired[list[str]]  # Filtro. E-mail: um endereço inteiro. Pode repetir-se; “-” antes do valor o exclui.
    email_dominio: NotRequired[list[str]]  # Filtro. Domínio do e-mail: o domínio do e-mail, como exemplo.com.br. Pode repetir-se; “-” antes do valor o exclui.
    fonte: NotRequired[list[str]]  # Filtro. Registros públicos: o identificador de uma fonte: quem tem registros em alguma delas (pgfn, ceis, cnep, cepim, acordos_leniencia, mte_empregadores, mte_ceac, habilitacao_aduaneira, ibama_autos, ibama_embargos, rntrc, pncp, pncp_orgao, bndes). Pode repetir-se; “-” antes do valor o exclui.
    fonte_todas: NotRequired[list[str]]  # Filtro. Em todas estas fontes: o identificador de uma fonte: quem tem registros em todas elas. Pode repetir-se.
    divida_de: NotRequired[str]  # Filtro. Dívida ativa: um valor em reais, como 1500.50: a menor dívida ativa da União, somada. Incluído.
    divida_ate: NotRequired[str]  # Filtro. Dívida ativa: um valor em reais, como 1500.50: a maior dívida ativa da União, somada. Incluído.
    sancao: NotRequired[list[str]]  # Filtro. Sanção em vigor: sim ou nao: uma sanção do CEIS ou do CNEP está em vigor. Pode repetir-se; “-” antes do valor o exclui.
    contratos_de: NotRequired[str]  # Filtro. Contratos públicos: um valor em reais, como 1500.50: o menor dos contratos como fornecedor, somados. Incluído.
    contratos_ate: NotRequired[str]  # Filtro. Contratos públicos: um valor em reais, como 1500.50: o maior dos contratos como fornecedor, somados. Incluído.
    contratos_ano: NotRequired[list[str]]  # Filtro. Ano de um contrato público: um ano de quatro dígitos: o de um contrato como fornecedor. Pode repetir-se; “-” antes do valor o exclui.
    emprestimos_de: NotRequired[str]  # Filtro. Financiamentos do BNDES: um valor em reais, como 1500.50: o menor dos contratados, somados. Incluído.
    emprestimos_ate: NotRequired[str]  # Filtro. Financiamentos do BNDES: um valor em reais, como 1500.50: o maior dos contratados, somados. Incluído.
    emprestimos_ano: NotRequired[list[str]]  # Filtro. Ano de um financiamento do BNDES: um ano de quatro dígitos: o de um financiamento. Pode repetir-se; “-” antes do valor o exclui.


class ListarMudancasParametros(TypedDict):
    desde: NotRequired[str]  # só cargas publicadas aqui neste dia (UTC) ou depois
    evento: NotRequired[list[Literal["estabelecimento", "empresa", "socio", "simples", "mei", "fonte", "fonte.pgfn", "fonte.ceis", "fonte.cnep", "fonte.cepim", "fonte.acordos_leniencia", "fonte.mte_empregadores", "fonte.mte_ceac", "fonte.habilitacao_aduaneira", "fonte.ibama_autos", "fonte.ibama_embargos", "fonte.rntrc", "fonte.pncp", "fonte.pncp_orgao", "fonte.bndes", "estabelecimento.aberto", "estabelecimento.removido", "estabelecimento.baixado", "estabelecimento.reativado", "estabelecimento.situacao", "estabelecimento.endereco", "estabelecimento.municipio", "estabelecimento.atividade", "estabelecimento.atividades_secundarias", "estabelecimento.contato", "estabelecimento.nome_fantasia", "estabelecimento.matriz_filial", "estabelecimento.situacao_especial", "estabelecimento.inicio", "empresa.removida", "empresa.nome", "empresa.capital", "empresa.natureza", "empresa.porte", "empresa.responsavel", "empresa.ente", "socio.entrou", "socio.saiu", "socio.alterado", "simples.optou", "simples.saiu", "simples.alterado", "mei.optou", "mei.saiu", "mei.alterado", "fonte.pgfn.entrou", "fonte.pgfn.saiu", "fonte.pgfn.valor", "fonte.pgfn.alterado", "fonte.ceis.entrou", "fonte.ceis.saiu", "fonte.ceis.valor", "fonte.ceis.alterado", "fonte.cnep.entrou", "fonte.cnep.saiu", "fonte.cnep.valor", "fonte.cnep.alterado", "fonte.cepim.entrou", "fonte.cepim.saiu", "fonte.cepim.valor", "fonte.cepim.alterado", "fonte.acordos_leniencia.entrou", "fonte.acordos_leniencia.saiu", "fonte.acordos_leniencia.valor", "fonte.acordos_leniencia.alterado", "fonte.mte_empregadores.entrou", "fonte.mte_empregadores.saiu", "fonte.mte_empregadores.valor", "fonte.mte_empregadores.alterado", "fonte.mte_ceac.entrou", "fonte.mte_ceac.saiu", "fonte.mte_ceac.valor", "fonte.mte_ceac.alterado", "fonte.habilitacao_aduaneira.entrou", "fonte.habilitacao_aduaneira.saiu", "fonte.habilitacao_aduaneira.valor", "fonte.habilitacao_aduaneira.alterado", "fonte.ibama_autos.entrou", "fonte.ibama_autos.saiu", "fonte.ibama_autos.valor", "fonte.ibama_autos.alterado", "fonte.ibama_embargos.entrou", "fonte.ibama_embargos.saiu", "fonte.ibama_embargos.valor", "fonte.ibama_embargos.alterado", "fonte.rntrc.entrou", "fonte.rntrc.saiu", "fonte.rntrc.valor", "fonte.rntrc.alterado", "fonte.pncp.entrou", "fonte.pncp.saiu", "fonte.pncp.valor", "fonte.pncp.alterado", "fonte.pncp_orgao.entrou", "fonte.pncp_orgao.saiu", "fonte.pncp_orgao.valor", "fonte.pncp_orgao.alterado", "fonte.bndes.entrou", "fonte.bndes.saiu", "fonte.bndes.valor", "fonte.bndes.alterado"]]]  # código de evento, ou o começo de vários; pode repetir-se
    lado: NotRequired[Literal["antes", "depois"]]  # qual dos dois estados deve passar pelos filtros: o de antes da carga ou o de depois; sem ele, um ou outro
    limite: NotRequired[int]  # eventos por página
    cursor: NotRequired[str]  # proximo_cursor da resposta anterior, com a mesma pergunta
    municipio: NotRequired[list[str]]  # Filtro. Município: o código de um município na Receita Federal (4 dígitos) ou no IBGE (7), ou seu nome, como Campinas/SP. Pode repetir-se; “-” antes do valor o exclui.
    uf: NotRequired[list[str]]  # Filtro. Estado: a sigla de um estado, ou EX para o exterior. Pode repetir-se; “-” antes do valor o exclui.
    regiao: NotRequired[list[str]]  # Filtro. Região: norte, nordeste, centro-oeste, sudeste, sul. Pode repetir-se; “-” antes do valor o exclui.
    bairro: NotRequired[list[str]]  # Filtro. Bairro: o nome inteiro de um bairro, como publicado. Pode repetir-se; “-” antes do valor o exclui.
    logradouro: NotRequired[list[str]]  # Filtro. Logradouro: o tipo e o nome, como Rua Sete de Setembro. Pode repetir-se; “-” antes do valor o exclui.
    numero: NotRequired[list[str]]  # Filtro. Número: o do endereço, de até 5 dígitos. Pode repetir-se; “-” antes do valor o exclui.
    cep: NotRequired[list[str]]  # Filtro. CEP: um CEP ou o começo de um, de 3 a 8 dígitos. Pode repetir-se; “-” antes do valor o exclui.
    ddd: NotRequired[list[str]]  # Filtro. DDD: um DDD, com dois dígitos. Pode repetir-se; “-” antes do valor o exclui.
    pais: NotRequired[list[str]]  # Filtro. País: o código de um país na Receita Federal, de estabelecimentos no exterior. Pode repetir-se; “-” antes do valor o exclui.
    cnae: NotRequired[list[str]]  # Filtro. Atividade principal: a letra de uma seção ou os 2, 3, 5 ou 7 primeiros dígitos de uma subclasse. Pode repetir-se; “-” antes do valor o exclui.
    cnae_secundario: NotRequired[list[str]]  # Filtro. Atividade secundária: a letra de uma seção ou os 2, 3, 5 ou 7 primeiros dígitos de uma subclasse. Pode repetir-se; “-” antes do valor o exclui.
    cnae_todos: NotRequired[list[str]]  # Filtro. Atividade principal ou secundária: a letra de uma seção ou os 2, 3, 5 ou 7 primeiros dígitos de uma subclasse. Pode repetir-se; “-” antes do valor o exclui.
    situacao: NotRequired[list[str]]  # Filtro. Situação: o código de uma situação cadastral: 01 nula, 02 ativa, 03 suspensa, 04 inapta ou 08 baixada. Pode repetir-se; “-” antes do valor o exclui.
    situacao_de: NotRequired[str]  # Filtro. Nesta situação: uma data, AAAA-MM-DD: a primeira da situação cadastral. Incluído.
    situacao_ate: NotRequired[str]  # Filtro. Nesta situação: uma data, AAAA-MM-DD: a última da situação cadastral. Incluído.
    motivo: NotRequired[list[str]]  # Filtro. Motivo da situação: um código de dois dígitos. Pode repetir-se; “-” antes do valor o exclui.
    abertura_de: NotRequired[str]  # Filtro. Abertura: uma data, AAAA-MM-DD: a primeira de abertura. Incluído.
    abertura_ate: NotRequired[str]  # Filtro. Abertura: uma data, AAAA-MM-DD: a última de abertura. Incluído.
    ano_de: NotRequired[str]  # Filtro. Ano de abertura: um ano de quatro dígitos: o primeiro de abertura. Incluído.
    ano_ate: NotRequired[str]  # Filtro. Ano de abertura: um ano de quatro dígitos: o último de abertura. Incluído.
    tipo: NotRequired[list[str]]  # Filtro. Matriz ou filial: matriz ou filial. Pode repetir-se; “-” antes do valor o exclui.
    natureza: NotRequired[list[str]]  # Filtro. Natureza jurídica: um código de quatro dígitos. Pode repetir-se; “-” antes do valor o exclui.
    porte: NotRequired[list[str]]  # Filtro. Porte: o código de um porte: 00 não informado, 01 micro, 03 pequeno ou 05 demais. Pode repetir-se; “-” antes do valor o exclui.
    capital: NotRequired[list[str]]  # Filtro. Faixa de capital social: uma faixa de capital social em reais: 0, 1-10k, 10k-100k, 100k-1m, 1m-10m, 10m-100m, 100m. Pode repetir-se; “-” antes do valor o exclui.
    capital_de: NotRequired[str]  # Filtro. Capital social: um valor em reais, como 1500.50: o menor capital social. Incluído.
    capital_ate: NotRequired[str]  # Filtro. Capital social: um valor em reais, como 1500.50: o maior capital social. Incluído.
    estabelecimentos_de: NotRequired[str]  # Filtro. Estabelecimentos: um número: o menor de estabelecimentos da empresa. Incluído.
    estabelecimentos_ate: NotRequired[str]  # Filtro. Estabelecimentos: um número: o maior de estabelecimentos da empresa. Incluído.
    simples: NotRequired[list[str]]  # Filtro. Simples Nacional: sim ou nao. Pode repetir-se; “-” antes do valor o exclui.
    simples_de: NotRequired[str]  # Filtro. Optante pelo Simples: uma data, AAAA-MM-DD: a primeira da opção, que ainda vale. Incluído.
    simples_ate: NotRequired[str]  # Filtro. Optante pelo Simples: uma data, AAAA-MM-DD: a última da opção, que ainda vale. Incluído.
    mei: NotRequired[list[str]]  # Filtro. MEI: sim ou nao. Pode repetir-se; “-” antes do valor o exclui.
    mei_de: NotRequired[str]  # Filtro. Optante pelo MEI: uma data, AAAA-MM-DD: a primeira da opção, que ainda vale. Incluído.
    mei_ate: NotRequired[str]  # Filtro. Optante pelo MEI: uma data, AAAA-MM-DD: a última da opção, que ainda vale. Incluído.
    socios_de: NotRequired[str]  # Filtro. Número de sócios: um número: o menor de sócios da empresa. Incluído.
    socios_ate: NotRequired[str]  # Filtro. Número de sócios: um número: o maior de sócios da empresa. Incluído.
    socio_tipo: NotRequired[list[str]]  # Filtro. Entre os sócios: pessoa, empresa ou estrangeiro: quem está entre os sócios; vale para a matriz. Pode repetir-se; “-” antes do valor o exclui.
    socio_qualificacao: NotRequired[list[str]]  # Filtro. Qualificação de um sócio: um código de dois dígitos; vale para a matriz. Pode repetir-se; “-” antes do valor o exclui.
    socio_faixa: NotRequired[list[str]]  # Filtro. Faixa etária de um sócio: um código de 1 a 9; vale para a matriz. Pode repetir-se; “-” antes do valor o exclui.
    telefone: NotRequired[list[str]]  # Filtro. Telefone publicado: sim ou nao; o de uma pessoa física conta como nenhum. Pode repetir-se; “-” antes do valor o exclui.
    email: NotRequired[list[str]]  # Filtro. E-mail publicado: sim ou nao; o de uma pessoa física conta como nenhum. Pode repetir-se; “-” antes do valor o exclui.
    telefone_numero: NotRequired[list[str]]  # Filtro. Telefone: um número com DDD, como (19) 3233-4455. Pode repetir-se; “-” antes do valor o exclui.
    email_endereco: NotRequired[list[str]]  # Filtro. E-mail: um endereço inteiro. Pode repetir-se; “-” antes do valor o exclui.
    email_dominio: NotRequired[list[str]]  # Filtro. Domínio do e-mail: o domínio do e-mail, como exemplo.com.br. Pode repetir-se; “-” antes do valor o exclui.
    fonte: NotRequired[list[str]]  # Filtro. Registros públicos: o identificador de uma fonte: quem tem registros em alguma delas (pgfn, ceis, cnep, cepim, acordos_leniencia, mte_empregadores, mte_ceac, habilitacao_aduaneira, ibama_autos, ibama_embargos, rntrc, pncp, pncp_orgao, bndes). Pode repetir-se; “-” antes do valor o exclui.
    fonte_todas: NotRequired[list[str]]  # Filtro. Em todas estas fontes: o identificador de uma fonte: quem tem registros em todas elas. Pode repetir-se.
    divida_de: NotRequired[str]  # Filtro. Dívida ativa: um valor em reais, como 1500.50: a menor dívida ativa da União, somada. Incluído.
    divida_ate: NotRequired[str]  # Filtro. Dívida ativa: um valor em reais, como 1500.50: a maior dívida ativa da União, somada. Incluído.
    sancao: NotRequired[list[str]]  # Filtro. Sanção em vigor: sim ou nao: uma sanção do CEIS ou do CNEP está em vigor. Pode repetir-se; “-” antes do valor o exclui.
    contratos_de: NotRequired[str]  # Filtro. Contratos públicos: um valor em reais, como 1500.50: o menor dos contratos como fornecedor, somados. Incluído.
    contratos_ate: NotRequired[str]  # Filtro. Contratos públicos: um valor em reais, como 1500.50: o maior dos contratos como fornecedor, somados. Incluído.
    contratos_ano: NotRequired[list[str]]  # Filtro. Ano de um contrato público: um ano de quatro dígitos: o de um contrato como fornecedor. Pode repetir-se; “-” antes do valor o exclui.
    emprestimos_de: NotRequired[str]  # Filtro. Financiamentos do BNDES: um valor em reais, como 1500.50: o menor dos contratados, somados. Incluído.
    emprestimos_ate: NotRequired[str]  # Filtro. Financiamentos do BNDES: um valor em reais, como 1500.50: o maior dos contratados, somados. Incluído.
    emprestimos_ano: NotRequired[list[str]]  # Filtro. Ano de um financiamento do BNDES: um ano de quatro dígitos: o de um financiamento. Pode repetir-se; “-” antes do valor o exclui.


class FonteQualidadeParametros(TypedDict):
    carga: NotRequired[int]  # número de uma das cargas de dados.cargas; sem ele, a que está em uso


class EmpresaBasicParametros(TypedDict):
    limite: NotRequired[int]  # itens por página de cada coleção


class EmpresaFullParametros(TypedDict):
    limite: NotRequired[int]  # itens por página de cada coleção


class EmpresaFonteParametros(TypedDict):
    limite: NotRequired[int]  # itens por página de cada coleção
    cursor: NotRequired[str]  # cursor de proxima_url, com o mesmo limite


class EmpresaEstabelecimentosParametros(TypedDict):
    limite: NotRequired[int]  # itens por página de cada coleção
    cursor: NotRequired[str]  # cursor de proxima_url, com o mesmo limite


class EmpresaSociosParametros(TypedDict):
    limite: NotRequired[int]  # itens por página de cada coleção
    cursor: NotRequired[str]  # cursor de proxima_url, com o mesmo limite


class EmpresaMudancasParametros(TypedDict):
    limite: NotRequired[int]  # itens por página de cada coleção
    cursor: NotRequired[str]  # cursor de proxima_url, com o mesmo limite


class EstabelecimentoBasicParametros(TypedDict):
    limite: NotRequired[int]  # itens por página de cada coleção


class EstabelecimentoFullParametros(TypedDict):
    limite: NotRequired[int]  # itens por página de cada coleção


class EstabelecimentoFonteParametros(TypedDict):
    limite: NotRequired[int]  # itens por página de cada coleção
    cursor: NotRequired[str]  # cursor de proxima_url, com o mesmo limite


class EstabelecimentoMudancasParametros(TypedDict):
    limite: NotRequired[int]  # itens por página de cada coleção
    cursor: NotRequired[str]  # cursor de proxima_url, com o mesmo limite


class EmpresaRedeParametros(TypedDict):
    profundidade: NotRequired[int]  # vínculos entre a empresa e qualquer membro
    sentido: NotRequired[Literal["acima", "abaixo", "ambos"]]  # acima: sócios; abaixo: empresas em que é sócia; ambos
    pessoas: NotRequired[Literal["sim", "nao"]]  # sim: a rede continua através de pessoas e estrangeiros
    representantes: NotRequired[Literal["sim", "nao"]]  # sim: representantes legais também são vínculos
    contatos: NotRequired[Literal["sim", "nao"]]  # sim: quem publica um telefone, e-mail, domínio de e-mail ou endereço da matriz também é membro; só em json. Pessoas físicas e contatos ocultos ficam de fora
    limite: NotRequired[int]  # membros, sem os que só têm um contato em comum


class SocioEmpresasParametros(TypedDict):
    limite: NotRequired[int]  # vínculos por página
    cursor: NotRequired[str]  # proximo_cursor da página anterior


class CaminhoParametros(TypedDict):
    de: str  # 8 ou 14 posições de um CNPJ, ou o id de um membro de uma rede, como 456789-maria-ficticia
    para: str  # 8 ou 14 posições de um CNPJ, ou o id de um membro de uma rede, como 456789-maria-ficticia
    passos: NotRequired[int]  # vínculos de um caminho, no máximo
    representantes: NotRequired[Literal["sim", "nao"]]  # sim: representantes legais também são vínculos


class SugerirEmpresasParametros(TypedDict):
    prefix: NotRequired[str]  # o que foi digitado
    cursor: NotRequired[int]  # quantas sugestões pular


class SugerirPropriedadesParametros(TypedDict):
    prefix: NotRequired[str]  # o que foi digitado
    cursor: NotRequired[int]  # quantas sugestões pular


class CamposReconciliacaoParametros(TypedDict):
    type: NotRequired[str]  # empresa; não muda a resposta
    limit: NotRequired[int]  # quantos, no máximo


class CartaoParametros(TypedDict):
    id: NotRequired[str]  # CNPJ de 14 posições, ou 8 da empresa, ou o nome de uma propriedade


class Razao(Client):
    """A API v2."""

    def buscar(self, **parametros: Unpack[BuscarParametros]) -> RespostaBusca:
        """Busca de empresas e estabelecimentos: GET /v2/busca"""
        answer: RespostaBusca = self._get("/v2/busca", parametros)
        return answer

    def buscar_paginas(self, **parametros: Unpack[BuscarParametros]) -> Iterator[RespostaBusca]:
        """As páginas de buscar."""
        answer: Iterator[RespostaBusca] = self._pages("/v2/busca", parametros)
        return answer

    def buscar_itens(self, **parametros: Unpack[BuscarParametros]) -> Iterator[Resultado]:
        """Os itens de todas as páginas de buscar."""
        answer: Iterator[Resultado] = self._items("/v2/busca", parametros)
        return answer

    def listar_mudancas(self, **parametros: Unpack[ListarMudancasParametros]) -> RespostaMudancas:
        """O que mudou no país: GET /v2/mudancas"""
        answer: RespostaMudancas = self._get("/v2/mudancas", parametros)
        return answer

    def listar_mudancas_paginas(self, **parametros: Unpack[ListarMudancasParametros]) -> Iterator[RespostaMudancas]:
        """As páginas de listar_mudancas."""
        answer: Iterator[RespostaMudancas] = self._pages("/v2/mudancas", parametros)
        return answer

    def listar_mudancas_itens(self, **parametros: Unpack[ListarMudancasParametros]) -> Iterator[Mudanca]:
        """Os itens de todas as páginas de listar_mudancas."""
        answer: Iterator[Mudanca] = self._items("/v2/mudancas", parametros)
        return answer

    def listar_fontes(self) -> RespostaFontes:
        """Catálogo das fontes: GET /v2/fontes"""
        answer: RespostaFontes = self._get("/v2/fontes")
        return answer

    def fonte_qualidade(self, fonte: str, **parametros: Unpack[FonteQualidadeParametros]) -> RespostaQualidade:
        """Qualidade de cada coluna de uma carga: GET /v2/fontes/{fonte}/qualidade"""
        answer: RespostaQualidade = self._get(f"/v2/fontes/{escape(fonte)}/qualidade", parametros)
        return answer

    def empresa_basic(self, documento: str, **parametros: Unpack[EmpresaBasicParametros]) -> RespostaEmpresaBasic:
        """Empresa, sócios, Simples e estabelecimentos: GET /v2/empresas/{documento}/basic"""
        answer: RespostaEmpresaBasic = self._get(f"/v2/empresas/{escape(documento)}/basic", parametros)
        return answer

    def empresa_full(self, documento: str, **parametros: Unpack[EmpresaFullParametros]) -> RespostaEmpresaFull:
        """Cadastro e a primeira página de cada fonte: GET /v2/empresas/{documento}/full"""
        answer: RespostaEmpresaFull = self._get(f"/v2/empresas/{escape(documento)}/full", parametros)
        return answer

    def empresa_fonte(self, documento: str, fonte: str, **parametros: Unpack[EmpresaFonteParametros]) -> RespostaFonte:
        """Registros de uma fonte sobre a empresa: GET /v2/empresas/{documento}/fontes/{fonte}"""
        answer: RespostaFonte = self._get(f"/v2/empresas/{escape(documento)}/fontes/{escape(fonte)}", parametros)
        return answer

    def empresa_fonte_paginas(self, documento: str, fonte: str, **parametros: Unpack[EmpresaFonteParametros]) -> Iterator[RespostaFonte]:
        """As páginas de empresa_fonte."""
        answer: Iterator[RespostaFonte] = self._pages(f"/v2/empresas/{escape(documento)}/fontes/{escape(fonte)}", parametros)
        return answer

    def empresa_fonte_itens(self, documento: str, fonte: str, **parametros: Unpack[EmpresaFonteParametros]) -> Iterator[ItemPgfn | ItemCeis | ItemCnep | ItemCepim | ItemAcordosLeniencia | ItemMteEmpregadores | ItemMteCeac | ItemHabilitacaoAduaneira | ItemIbamaAutos | ItemIbamaEmbargos | ItemRntrc | ItemPncp | ItemPncpOrgao | ItemBndes]:
        """Os itens de todas as páginas de empresa_fonte."""
        answer: Iterator[ItemPgfn | ItemCeis | ItemCnep | ItemCepim | ItemAcordosLeniencia | ItemMteEmpregadores | ItemMteCeac | ItemHabilitacaoAduaneira | ItemIbamaAutos | ItemIbamaEmbargos | ItemRntrc | ItemPncp | ItemPncpOrgao | ItemBndes] = self._items(f"/v2/empresas/{escape(documento)}/fontes/{escape(fonte)}", parametros)
        return answer

    def empresa_estabelecimentos(self, documento: str, **parametros: Unpack[EmpresaEstabelecimentosParametros]) -> RespostaEstabelecimentos:
        """Estabelecimentos da empresa: GET /v2/empresas/{documento}/estabelecimentos"""
        answer: RespostaEstabelecimentos = self._get(f"/v2/empresas/{escape(documento)}/estabelecimentos", parametros)
        return answer

    def empresa_estabelecimentos_paginas(self, documento: str, **parametros: Unpack[EmpresaEstabelecimentosParametros]) -> Iterator[RespostaEstabelecimentos]:
        """As páginas de empresa_estabelecimentos."""
        answer: Iterator[RespostaEstabelecimentos] = self._pages(f"/v2/empresas/{escape(documento)}/estabelecimentos", parametros)
        return answer

    def empresa_estabelecimentos_itens(self, documento: str, **parametros: Unpack[EmpresaEstabelecimentosParametros]) -> Iterator[Estabelecimento]:
        """Os itens de todas as páginas de empresa_estabelecimentos."""
        answer: Iterator[Estabelecimento] = self._items(f"/v2/empresas/{escape(documento)}/estabelecimentos", parametros)
        return answer

    def empresa_socios(self, documento: str, **parametros: Unpack[EmpresaSociosParametros]) -> RespostaSocios:
        """Sócios da empresa: GET /v2/empresas/{documento}/socios"""
        answer: RespostaSocios = self._get(f"/v2/empresas/{escape(documento)}/socios", parametros)
        return answer

    def empresa_socios_paginas(self, documento: str, **parametros: Unpack[EmpresaSociosParametros]) -> Iterator[RespostaSocios]:
        """As páginas de empresa_socios."""
        answer: Iterator[RespostaSocios] = self._pages(f"/v2/empresas/{escape(documento)}/socios", parametros)
        return answer

    def empresa_socios_itens(self, documento: str, **parametros: Unpack[EmpresaSociosParametros]) -> Iterator[Socio]:
        """Os itens de todas as páginas de empresa_socios."""
        answer: Iterator[Socio] = self._items(f"/v2/empresas/{escape(documento)}/socios", parametros)
        return answer

    def empresa_mudancas(self, documento: str, **parametros: Unpack[EmpresaMudancasParametros]) -> RespostaMudancasDoDocumento:
        """O que mudou na empresa: GET /v2/empresas/{documento}/mudancas"""
        answer: RespostaMudancasDoDocumento = self._get(f"/v2/empresas/{escape(documento)}/mudancas", parametros)
        return answer

    def empresa_mudancas_paginas(self, documento: str, **parametros: Unpack[EmpresaMudancasParametros]) -> Iterator[RespostaMudancasDoDocumento]:
        """As páginas de empresa_mudancas."""
        answer: Iterator[RespostaMudancasDoDocumento] = self._pages(f"/v2/empresas/{escape(documento)}/mudancas", parametros)
        return answer

    def empresa_mudancas_itens(self, documento: str, **parametros: Unpack[EmpresaMudancasParametros]) -> Iterator[Mudanca]:
        """Os itens de todas as páginas de empresa_mudancas."""
        answer: Iterator[Mudanca] = self._items(f"/v2/empresas/{escape(documento)}/mudancas", parametros)
        return answer

    def estabelecimento_basic(self, documento: str, **parametros: Unpack[EstabelecimentoBasicParametros]) -> RespostaEstabelecimentoBasic:
        """Estabelecimento e sua empresa: GET /v2/estabelecimentos/{documento}/basic"""
        answer: RespostaEstabelecimentoBasic = self._get(f"/v2/estabelecimentos/{escape(documento)}/basic", parametros)
        return answer

    def estabelecimento_full(self, documento: str, **parametros: Unpack[EstabelecimentoFullParametros]) -> RespostaEstabelecimentoFull:
        """Cadastro e a primeira página de cada fonte: GET /v2/estabelecimentos/{documento}/full"""
        answer: RespostaEstabelecimentoFull = self._get(f"/v2/estabelecimentos/{escape(documento)}/full", parametros)
        return answer

    def estabelecimento_fonte(self, documento: str, fonte: str, **parametros: Unpack[EstabelecimentoFonteParametros]) -> RespostaFonte:
        """Registros de uma fonte sobre o estabelecimento: GET /v2/estabelecimentos/{documento}/fontes/{fonte}"""
        answer: RespostaFonte = self._get(f"/v2/estabelecimentos/{escape(documento)}/fontes/{escape(fonte)}", parametros)
        return answer

    def estabelecimento_fonte_paginas(self, documento: str, fonte: str, **parametros: Unpack[EstabelecimentoFonteParametros]) -> Iterator[RespostaFonte]:
        """As páginas de estabelecimento_fonte."""
        answer: Iterator[RespostaFonte] = self._pages(f"/v2/estabelecimentos/{escape(documento)}/fontes/{escape(fonte)}", parametros)
        return answer

    def estabelecimento_fonte_itens(self, documento: str, fonte: str, **parametros: Unpack[EstabelecimentoFonteParametros]) -> Iterator[ItemPgfn | ItemCeis | ItemCnep | ItemCepim | ItemAcordosLeniencia | ItemMteEmpregadores | ItemMteCeac | ItemHabilitacaoAduaneira | ItemIbamaAutos | ItemIbamaEmbargos | ItemRntrc | ItemPncp | ItemPncpOrgao | ItemBndes]:
        """Os itens de todas as páginas de estabelecimento_fonte."""
        answer: Iterator[ItemPgfn | ItemCeis | ItemCnep | ItemCepim | ItemAcordosLeniencia | ItemMteEmpregadores | ItemMteCeac | ItemHabilitacaoAduaneira | ItemIbamaAutos | ItemIbamaEmbargos | ItemRntrc | ItemPncp | ItemPncpOrgao | ItemBndes] = self._items(f"/v2/estabelecimentos/{escape(documento)}/fontes/{escape(fonte)}", parametros)
        return answer

    def estabelecimento_mudancas(self, documento: str, **parametros: Unpack[EstabelecimentoMudancasParametros]) -> RespostaMudancasDoDocumento:
        """O que mudou no estabelecimento e na sua empresa: GET /v2/estabelecimentos/{documento}/mudancas"""
        answer: RespostaMudancasDoDocumento = self._get(f"/v2/estabelecimentos/{escape(documento)}/mudancas", parametros)
        return answer

    def estabelecimento_mudancas_paginas(self, documento: str, **parametros: Unpack[EstabelecimentoMudancasParametros]) -> Iterator[RespostaMudancasDoDocumento]:
        """As páginas de estabelecimento_mudancas."""
        answer: Iterator[RespostaMudancasDoDocumento] = self._pages(f"/v2/estabelecimentos/{escape(documento)}/mudancas", parametros)
        return answer

    def estabelecimento_mudancas_itens(self, documento: str, **parametros: Unpack[EstabelecimentoMudancasParametros]) -> Iterator[Mudanca]:
        """Os itens de todas as páginas de estabelecimento_mudancas."""
        answer: Iterator[Mudanca] = self._items(f"/v2/estabelecimentos/{escape(documento)}/mudancas", parametros)
        return answer

    def empresa_rede(self, documento: str, **parametros: Unpack[EmpresaRedeParametros]) -> RespostaRede:
        """A rede em volta de uma empresa: GET /v2/empresas/{documento}/rede"""
        answer: RespostaRede = self._get(f"/v2/empresas/{escape(documento)}/rede", parametros)
        return answer

    def socio_empresas(self, id: str, **parametros: Unpack[SocioEmpresasParametros]) -> RespostaSocioEmpresas:
        """As empresas que nomeiam um sócio: GET /v2/socios/{id}/empresas"""
        answer: RespostaSocioEmpresas = self._get(f"/v2/socios/{escape(id)}/empresas", parametros)
        return answer

    def socio_empresas_paginas(self, id: str, **parametros: Unpack[SocioEmpresasParametros]) -> Iterator[RespostaSocioEmpresas]:
        """As páginas de socio_empresas."""
        answer: Iterator[RespostaSocioEmpresas] = self._pages(f"/v2/socios/{escape(id)}/empresas", parametros)
        return answer

    def grupo(self, documento: str) -> RespostaGrupo:
        """O grupo de uma empresa: GET /v2/grupos/{documento}"""
        answer: RespostaGrupo = self._get(f"/v2/grupos/{escape(documento)}")
        return answer

    def caminho(self, **parametros: Unpack[CaminhoParametros]) -> RespostaCaminho:
        """Os caminhos mais curtos entre dois sócios ou empresas: GET /v2/caminho"""
        answer: RespostaCaminho = self._get("/v2/caminho", parametros)
        return answer

    def empresa_prova(self, documento: str) -> RespostaProva:
        """Prova de que a empresa está na carga: GET /v2/empresas/{documento}/prova"""
        answer: RespostaProva = self._get(f"/v2/empresas/{escape(documento)}/prova")
        return answer

    def lote(self, corpo: LoteCorpo) -> RespostaLote:
        """Muitos números de uma vez: POST /v2/lote"""
        answer: RespostaLote = self._post("/v2/lote", corpo)
        return answer

    def reconciliar(self, corpo: ReconciliarCorpo) -> dict[str, ReconciliacaoValor]:
        """O mesmo, em um formulário: POST /v2/reconciliar"""
        answer: dict[str, ReconciliacaoValor] = self._post_form("/v2/reconciliar", corpo)
        return answer

    def sugerir_empresas(self, **parametros: Unpack[SugerirEmpresasParametros]) -> Sugestoes:
        """Completa um nome ou um número: GET /v2/reconciliar/sugestoes"""
        answer: Sugestoes = self._get("/v2/reconciliar/sugestoes", parametros)
        return answer

    def sugerir_propriedades(self, **parametros: Unpack[SugerirPropriedadesParametros]) -> Sugestoes:
        """O que uma pergunta pode dizer além do nome: GET /v2/reconciliar/propriedades"""
        answer: Sugestoes = self._get("/v2/reconciliar/propriedades", parametros)
        return answer

    def campos_reconciliacao(self, **parametros: Unpack[CamposReconciliacaoParametros]) -> CamposPropostos:
        """Os campos que extend pode pedir: GET /v2/reconciliar/campos"""
        answer: CamposPropostos = self._get("/v2/reconciliar/campos", parametros)
        return answer

    def cartao(self, **parametros: Unpack[CartaoParametros]) -> Cartao:
        """O cartão de um candidato ou de uma propriedade: GET /v2/reconciliar/cartao"""
        answer: Cartao = self._get("/v2/reconciliar/cartao", parametros)
        return answer
