// Code generated from /v2/openapi.json by lab/clients. DO NOT EDIT.

import { Client } from "./client.js";

/** Textos dos códigos. */
export interface ResultadoDescricoes {
  /** texto do código identificador_matriz_filial; null: desconhecido */ identificador_matriz_filial: string | null;
  /** texto do código situacao_cadastral; null: desconhecido */ situacao_cadastral: string | null;
  /** texto do código cnae_fiscal_principal; null: desconhecido */ cnae_fiscal_principal: string | null;
  /** texto do código porte_empresa; null: desconhecido */ porte_empresa: string | null;
  /** texto do código municipio; null: desconhecido */ municipio: string | null;
}

/** Um estabelecimento encontrado; quando o resultado é a empresa, aquele que a representa. Os campos são os dele e os da sua empresa. */
export interface Resultado {
  /** CNPJ do estabelecimento */ cnpj: string;
  /** as 8 primeiras posições do CNPJ, que identificam a empresa */ cnpj_basico: string;
  /** razão social ou nome empresarial; um CPF no fim é mascarado */ razao_social: string;
  /** nome fantasia; um CPF no fim é mascarado */ nome_fantasia: string;
  /** se é matriz ou filial; não se deduz do número 0001 (1 Matriz; 2 Filial) */ identificador_matriz_filial: string;
  /** situação cadastral, código de dois dígitos (01 Nula; 02 Ativa; 03 Suspensa; 04 Inapta; 05 Ativa Não Regular; 08 Baixada) */ situacao_cadastral: string;
  /** data de início da atividade (AAAA-MM-DD) */ data_inicio_atividade: string | null;
  /** atividade principal, código CNAE de sete dígitos */ cnae_fiscal_principal: string;
  /** porte declarado, código de dois dígitos (00 Não informado; 01 Microempresa; 03 Empresa de Pequeno Porte; 05 Demais) */ porte_empresa: string;
  /** capital social em reais, com duas casas */ capital_social: number | null;
  /** sigla do estado; EX: exterior */ uf: string;
  /** município, código de quatro dígitos da Receita Federal; não é o do IBGE */ municipio: string;
  /** município, código de sete dígitos do IBGE; vazio no exterior */ codigo_municipio_ibge: string;
  /** Textos dos códigos. */ descricoes: ResultadoDescricoes;
  /** por que foi encontrado */ motivo: "cnpj" | "nome_exato" | "nome" | "comeco_do_nome" | "socio" | "atividade" | "som" | "outra_grafia" | "sem_uma_palavra" | "filtro";
  /** nome do sócio encontrado; null quando não foi por um */ socio: string | null;
  /** estabelecimentos da empresa */ estabelecimentos_da_empresa: number;
  /** endereço do registro completo da empresa ou, com agrupar=nao, do estabelecimento */ url: string;
}

/** Textos dos códigos. */
export interface EntendidoLugaresItemDescricoes {
  /** nome do município */ municipio: string | null;
}

/** Um lugar que as palavras dizem e que foi usado como filtro; literal=1 o desfaz. */
export interface EntendidoLugaresItem {
  /** as palavras */ palavras: string;
  /** sigla do estado */ uf: string;
  /** código do município na Receita Federal; vazio quando é o estado inteiro */ municipio: string;
  /** Textos dos códigos. */ descricoes: EntendidoLugaresItemDescricoes;
}

/** Um filtro que as palavras dizem e que foi usado; literal=1 o desfaz. */
export interface EntendidoCondicoesItem {
  /** as palavras */ palavras: string;
  /** o nome do filtro */ filtro: string;
  /** o valor, como o filtro o recebe */ valor: string;
  /** o valor, como se diz */ descricao: string;
}

/** Uma palavra que nada tem e aquela que foi procurada em seu lugar. */
export interface EntendidoCorrecoesItem {
  /** a palavra */ de: string;
  /** a outra */ para: string;
}

/** Textos dos códigos. */
export interface EntendidoMunicipiosItemDescricoes {
  /** nome do município */ municipio: string | null;
}

/** Um município que o texto todo nomeia, em qualquer grafia. */
export interface EntendidoMunicipiosItem {
  /** código do município na Receita Federal */ municipio: string;
  /** código do município no IBGE */ codigo_municipio_ibge: string;
  /** Textos dos códigos. */ descricoes: EntendidoMunicipiosItemDescricoes;
}

/** Como as palavras foram entendidas, quando não ao pé da letra. */
export interface Entendido {
  lugares: EntendidoLugaresItem[];
  condicoes: EntendidoCondicoesItem[];
  correcoes: EntendidoCorrecoesItem[];
  /** palavras que nenhum resultado tem */ palavras_deixadas: string[];
  /** palavras entre aspas, que ficam juntas */ frases: string[];
  /** atividade principal que também foi procurada */ atividade: string | null;
  municipios: EntendidoMunicipiosItem[];
}

/** Um valor e os estabelecimentos que o têm. */
export interface ValorContado {
  /** como o filtro o recebe */ valor: string;
  /** texto do código; null quando não há */ descricao: string | null;
  /** estabelecimentos, exatos também acima de total */ estabelecimentos: number;
}

/** Uma página de resultados. */
export interface Resultados {
  itens: Resultado[];
  /** resultados em todas as páginas; a contagem para em 10000 */ total: number;
  /** true: há mais resultados do que total; as páginas terminam nele */ total_minimo: boolean;
  /** estabelecimentos encontrados, dos quais cada empresa é um resultado; mínimo, se total é */ estabelecimentos: number;
  entendido: Entendido;
  facetas: Record<string, ValorContado[]> | null;
  /** cursor da próxima página; null no fim */ proximo_cursor: string | null;
  /** endereço da próxima página desta coleção; null no fim */ proxima_url: string | null;
}

/** Uma parte que a carga não tem inteira. */
export interface Lacuna {
  /** a parte */ parte: "empresas" | "estabelecimentos" | "socios" | "simples";
  /** os arquivos publicados que faltaram à carga */ arquivos: string[];
}

/** Sobre a resposta. */
export interface MetaBusca {
  /** versão da API */ versao: "v2";
  /** versão do produto */ release: string;
  /** o que foi consultado */ recurso: "busca";
  /** mês da carga da Receita Federal (AAAA-MM) */ competencia: string | null;
  /** conjunto de cargas que respondeu */ fotografia: string;
  /** o mesmo de X-Request-ID */ requisicao_id: string;
  /** parcial: alguma fonte falhou ou não tem carga, ou há lacunas */ disponibilidade: "completa" | "parcial";
  /** só quando faltou à carga algum arquivo do que esta resposta mostra: nestas partes o que não aparece pode existir, e os totais são mínimos */ lacunas?: Lacuna[];
}

/** A resposta. */
export interface RespostaBusca {
  dados: Resultados;
  meta: MetaBusca;
}

/** Nome e documento mascarado não identificam uma pessoa: há homônimos. */
export interface SocioDaMudanca {
  /** se é pessoa jurídica, pessoa física ou estrangeiro */ identificador_socio: string;
  /** nome do sócio, ou razão social da empresa sócia */ nome_socio: string;
  /** CNPJ da empresa sócia, ou CPF mascarado como foi publicado (***456789**); vazio em estrangeiros */ cnpj_cpf_socio: string;
}

/** Textos dos códigos. */
export interface ValoresDaMudancaDescricoes {
  /** texto do código situacao_cadastral; null: desconhecido */ situacao_cadastral?: string | null;
  /** texto do código identificador_matriz_filial; null: desconhecido */ identificador_matriz_filial?: string | null;
  /** texto do código cnae_fiscal_principal; null: desconhecido */ cnae_fiscal_principal?: string | null;
  /** texto do código municipio; null: desconhecido */ municipio?: string | null;
  /** texto do código motivo_situacao_cadastral; null: desconhecido */ motivo_situacao_cadastral?: string | null;
  /** texto do código pais; null: desconhecido */ pais?: string | null;
  /** código → texto, null quando desconhecido */ cnae_fiscal_secundaria?: Record<string, string | null>;
  /** texto do código natureza_juridica; null: desconhecido */ natureza_juridica?: string | null;
  /** texto do código porte_empresa; null: desconhecido */ porte_empresa?: string | null;
  /** texto do código qualificacao_responsavel; null: desconhecido */ qualificacao_responsavel?: string | null;
  /** texto do código qualificacao_socio; null: desconhecido */ qualificacao_socio?: string | null;
  /** texto do código qualificacao_representante_legal; null: desconhecido */ qualificacao_representante_legal?: string | null;
  /** texto do código faixa_etaria; null: desconhecido */ faixa_etaria?: string | null;
}

/** O que o evento diz que havia antes, ou há depois. Estão presentes todos os campos do evento, e só eles. */
export interface ValoresDaMudanca {
  /** situação cadastral, código de dois dígitos (01 Nula; 02 Ativa; 03 Suspensa; 04 Inapta; 05 Ativa Não Regular; 08 Baixada) */ situacao_cadastral?: string;
  /** data de início da atividade (AAAA-MM-DD) */ data_inicio_atividade?: string | null;
  /** se é matriz ou filial; não se deduz do número 0001 (1 Matriz; 2 Filial) */ identificador_matriz_filial?: string;
  /** atividade principal, código CNAE de sete dígitos */ cnae_fiscal_principal?: string;
  /** sigla do estado; EX: exterior */ uf?: string;
  /** município, código de quatro dígitos da Receita Federal; não é o do IBGE */ municipio?: string;
  /** data em que passou a essa situação cadastral (AAAA-MM-DD) */ data_situacao_cadastral?: string | null;
  /** motivo da situação cadastral, código de dois dígitos; 00: nenhum */ motivo_situacao_cadastral?: string;
  /** tipo do logradouro, como RUA ou AVENIDA */ tipo_logradouro?: string;
  /** nome do logradouro */ logradouro?: string;
  /** número no logradouro, como texto; S/N: sem número */ numero?: string;
  /** complemento do endereço */ complemento?: string;
  /** bairro */ bairro?: string;
  /** CEP, oito dígitos sem hífen */ cep?: string;
  /** cidade de quem está no exterior */ nome_cidade_exterior?: string;
  /** país de quem está no exterior, código de três dígitos */ pais?: string;
  /** atividades secundárias, códigos CNAE de sete dígitos */ cnae_fiscal_secundaria?: string[];
  /** DDD do primeiro telefone */ ddd_1?: string;
  /** primeiro telefone, sem DDD */ telefone_1?: string;
  /** DDD do segundo telefone */ ddd_2?: string;
  /** segundo telefone, sem DDD */ telefone_2?: string;
  /** DDD do fax */ ddd_fax?: string;
  /** fax, sem DDD */ fax?: string;
  /** endereço de e-mail */ correio_eletronico?: string;
  /** nome fantasia; um CPF no fim é mascarado */ nome_fantasia?: string;
  /** situação especial, como recuperação judicial */ situacao_especial?: string;
  /** data da situação especial (AAAA-MM-DD) */ data_situacao_especial?: string | null;
  /** razão social ou nome empresarial; um CPF no fim é mascarado */ razao_social?: string;
  /** capital social em reais, com duas casas */ capital_social?: number | null;
  /** natureza jurídica, código de quatro dígitos */ natureza_juridica?: string;
  /** porte declarado, código de dois dígitos (00 Não informado; 01 Microempresa; 03 Empresa de Pequeno Porte; 05 Demais) */ porte_empresa?: string;
  /** qualificação da pessoa responsável pela empresa, código de dois dígitos */ qualificacao_responsavel?: string;
  /** ente federativo responsável; só em órgãos públicos */ ente_federativo_responsavel?: string;
  /** qualificação do sócio, código de dois dígitos */ qualificacao_socio?: string;
  /** data de entrada na sociedade (AAAA-MM-DD) */ data_entrada_sociedade?: string | null;
  /** CPF mascarado do representante legal; ***000000** quando não há */ representante_legal?: string;
  /** nome do representante legal */ nome_representante?: string;
  /** qualificação do representante legal, código de dois dígitos; 00: não há */ qualificacao_representante_legal?: string;
  /** faixa etária da pessoa, código de um dígito; não é a idade (0 Não se aplica; 1 0 a 12 anos; 2 13 a 20 anos; 3 21 a 30 anos; 4 31 a 40 anos; 5 41 a 50 anos; 6 51 a 60 anos; 7 61 a 70 anos; 8 71 a 80 anos; 9 Mais de 80 anos) */ faixa_etaria?: string;
  /** se a empresa é optante pelo Simples Nacional; null: não informado */ opcao_pelo_simples?: boolean | null;
  /** data da opção pelo Simples Nacional (AAAA-MM-DD) */ data_opcao_pelo_simples?: string | null;
  /** data da exclusão do Simples Nacional; pode ser futura (AAAA-MM-DD) */ data_exclusao_simples?: string | null;
  /** se o titular é optante pelo MEI (SIMEI); null: não informado */ opcao_pelo_mei?: boolean | null;
  /** data da opção pelo MEI (AAAA-MM-DD) */ data_opcao_pelo_mei?: string | null;
  /** data da exclusão do MEI; pode ser futura (AAAA-MM-DD) */ data_exclusao_mei?: string | null;
  /** registros da empresa na fonte */ registros?: number;
  /** soma dos valores que podem ser somados em reais, com duas casas */ total?: number | null;
  /** em depois, se o número de registros é o mesmo: os campos da fonte cujos valores mudaram; vazio se os mesmos valores passaram de um registro a outro, e em cargas comparadas antes de a história os guardar */ campos?: string[];
  /** Textos dos códigos. */ descricoes?: ValoresDaMudancaDescricoes;
}

/** O que uma carga mudou em uma empresa: um evento. */
export interface Mudanca {
  /** as 8 primeiras posições do CNPJ, que identificam a empresa */ cnpj_basico: string;
  /** CNPJ do estabelecimento, 14 posições; null quando o evento é da empresa */ cnpj: string | null;
  /** código estável do evento; com antes e depois dos campos entre parênteses: estabelecimento.aberto, Estabelecimento aberto (situacao_cadastral, data_inicio_atividade, identificador_matriz_filial, cnae_fiscal_principal, uf, municipio); estabelecimento.removido, Estabelecimento não é mais publicado (situacao_cadastral, data_inicio_atividade, identificador_matriz_filial, cnae_fiscal_principal, uf, municipio); estabelecimento.baixado, Baixa (situacao_cadastral, data_situacao_cadastral, motivo_situacao_cadastral); estabelecimento.reativado, Reativação (situacao_cadastral, data_situacao_cadastral, motivo_situacao_cadastral); estabelecimento.situacao, Situação cadastral (situacao_cadastral, data_situacao_cadastral, motivo_situacao_cadastral); estabelecimento.endereco, Endereço (tipo_logradouro, logradouro, numero, complemento, bairro, cep, uf, municipio, nome_cidade_exterior, pais); estabelecimento.municipio, Mudança de município (tipo_logradouro, logradouro, numero, complemento, bairro, cep, uf, municipio, nome_cidade_exterior, pais); estabelecimento.atividade, Atividade principal (cnae_fiscal_principal); estabelecimento.atividades_secundarias, Atividades secundárias (cnae_fiscal_secundaria); estabelecimento.contato, Contato (ddd_1, telefone_1, ddd_2, telefone_2, ddd_fax, fax, correio_eletronico); estabelecimento.nome_fantasia, Nome fantasia (nome_fantasia); estabelecimento.matriz_filial, Matriz ou filial (identificador_matriz_filial); estabelecimento.situacao_especial, Situação especial (situacao_especial, data_situacao_especial); estabelecimento.inicio, Data de início da atividade (data_inicio_atividade); empresa.removida, Empresa não é mais publicada (razao_social); empresa.nome, Nome empresarial (razao_social); empresa.capital, Capital social (capital_social); empresa.natureza, Natureza jurídica (natureza_juridica); empresa.porte, Porte (porte_empresa); empresa.responsavel, Qualificação do responsável (qualificacao_responsavel); empresa.ente, Ente federativo responsável (ente_federativo_responsavel); socio.entrou, Sócio entrou (qualificacao_socio, data_entrada_sociedade, pais, representante_legal, nome_representante, qualificacao_representante_legal, faixa_etaria); socio.saiu, Sócio saiu (qualificacao_socio, data_entrada_sociedade, pais, representante_legal, nome_representante, qualificacao_representante_legal, faixa_etaria); socio.alterado, Dados de sócio (qualificacao_socio, data_entrada_sociedade, pais, representante_legal, nome_representante, qualificacao_representante_legal, faixa_etaria); simples.optou, Opção pelo Simples (opcao_pelo_simples, data_opcao_pelo_simples, data_exclusao_simples); simples.saiu, Saída do Simples (opcao_pelo_simples, data_opcao_pelo_simples, data_exclusao_simples); simples.alterado, Datas do Simples (opcao_pelo_simples, data_opcao_pelo_simples, data_exclusao_simples); mei.optou, Opção pelo MEI (opcao_pelo_mei, data_opcao_pelo_mei, data_exclusao_mei); mei.saiu, Saída do MEI (opcao_pelo_mei, data_opcao_pelo_mei, data_exclusao_mei); mei.alterado, Datas do MEI (opcao_pelo_mei, data_opcao_pelo_mei, data_exclusao_mei); fonte.{fonte}.entrou, Primeiros registros (registros, total); fonte.{fonte}.saiu, Sem registros (registros, total); fonte.{fonte}.valor, Total dos registros (registros, total); fonte.{fonte}.alterado, Registros alterados (registros, total, campos) */ evento: "estabelecimento.aberto" | "estabelecimento.removido" | "estabelecimento.baixado" | "estabelecimento.reativado" | "estabelecimento.situacao" | "estabelecimento.endereco" | "estabelecimento.municipio" | "estabelecimento.atividade" | "estabelecimento.atividades_secundarias" | "estabelecimento.contato" | "estabelecimento.nome_fantasia" | "estabelecimento.matriz_filial" | "estabelecimento.situacao_especial" | "estabelecimento.inicio" | "empresa.removida" | "empresa.nome" | "empresa.capital" | "empresa.natureza" | "empresa.porte" | "empresa.responsavel" | "empresa.ente" | "socio.entrou" | "socio.saiu" | "socio.alterado" | "simples.optou" | "simples.saiu" | "simples.alterado" | "mei.optou" | "mei.saiu" | "mei.alterado" | "fonte.pgfn.entrou" | "fonte.pgfn.saiu" | "fonte.pgfn.valor" | "fonte.pgfn.alterado" | "fonte.ceis.entrou" | "fonte.ceis.saiu" | "fonte.ceis.valor" | "fonte.ceis.alterado" | "fonte.cnep.entrou" | "fonte.cnep.saiu" | "fonte.cnep.valor" | "fonte.cnep.alterado" | "fonte.cepim.entrou" | "fonte.cepim.saiu" | "fonte.cepim.valor" | "fonte.cepim.alterado" | "fonte.acordos_leniencia.entrou" | "fonte.acordos_leniencia.saiu" | "fonte.acordos_leniencia.valor" | "fonte.acordos_leniencia.alterado" | "fonte.mte_empregadores.entrou" | "fonte.mte_empregadores.saiu" | "fonte.mte_empregadores.valor" | "fonte.mte_empregadores.alterado" | "fonte.mte_ceac.entrou" | "fonte.mte_ceac.saiu" | "fonte.mte_ceac.valor" | "fonte.mte_ceac.alterado" | "fonte.habilitacao_aduaneira.entrou" | "fonte.habilitacao_aduaneira.saiu" | "fonte.habilitacao_aduaneira.valor" | "fonte.habilitacao_aduaneira.alterado" | "fonte.ibama_autos.entrou" | "fonte.ibama_autos.saiu" | "fonte.ibama_autos.valor" | "fonte.ibama_autos.alterado" | "fonte.ibama_embargos.entrou" | "fonte.ibama_embargos.saiu" | "fonte.ibama_embargos.valor" | "fonte.ibama_embargos.alterado" | "fonte.rntrc.entrou" | "fonte.rntrc.saiu" | "fonte.rntrc.valor" | "fonte.rntrc.alterado" | "fonte.pncp.entrou" | "fonte.pncp.saiu" | "fonte.pncp.valor" | "fonte.pncp.alterado" | "fonte.pncp_orgao.entrou" | "fonte.pncp_orgao.saiu" | "fonte.pncp_orgao.valor" | "fonte.pncp_orgao.alterado" | "fonte.bndes.entrou" | "fonte.bndes.saiu" | "fonte.bndes.valor" | "fonte.bndes.alterado";
  /** dia em que aconteceu, quando é publicado (AAAA-MM-DD) */ data: string | null;
  /** receita ou o identificador da fonte de registros públicos */ fonte: "receita" | "pgfn" | "ceis" | "cnep" | "cepim" | "acordos_leniencia" | "mte_empregadores" | "mte_ceac" | "habilitacao_aduaneira" | "ibama_autos" | "ibama_embargos" | "rntrc" | "pncp" | "pncp_orgao" | "bndes";
  /** período da carga em que foi vista */ competencia: string | null;
  /** período da carga com que essa foi comparada: entre as duas pode haver períodos que não foram carregados */ comparada_com: string | null;
  /** dia (UTC) em que a carga foi publicada aqui (AAAA-MM-DD) */ vista_em: string | null;
  /** número da carga */ carga: number;
  /** o sócio, nos eventos de sócios */ socio: SocioDaMudanca | null;
  antes: ValoresDaMudanca | null;
  depois: ValoresDaMudanca | null;
  /** campos que mudaram e estão ocultos, a pedido ou porque a empresa não é mais publicada; vêm vazios */ ocultos: string[];
}

/** Uma carga que foi contada e desfeita: os seus eventos não valem mais. */
export interface CargaRetirada {
  /** receita ou o identificador da fonte de registros públicos */ fonte: "receita" | "pgfn" | "ceis" | "cnep" | "cepim" | "acordos_leniencia" | "mte_empregadores" | "mte_ceac" | "habilitacao_aduaneira" | "ibama_autos" | "ibama_embargos" | "rntrc" | "pncp" | "pncp_orgao" | "bndes";
  /** período da carga */ competencia: string | null;
  /** número da carga, como nos eventos */ carga: number;
}

/** Uma carga da história. */
export interface CargaDaHistoria {
  /** período da carga */ competencia: string | null;
  /** período da carga com que foi comparada; null: com nenhuma */ comparada_com: string | null;
  /** dia (UTC) em que foi publicada aqui (AAAA-MM-DD) */ vista_em: string | null;
  /** número da carga */ carga: number;
}

/** Uma parte de uma carga que não foi comparada: dela não se conhecem mudanças. */
export interface CoberturaDaHistoriaLacunasItem {
  /** período da carga */ competencia: string | null;
  /** período da carga com que o resto foi comparado */ comparada_com: string | null;
  /** o que não foi comparado */ parte: "empresas" | "estabelecimentos" | "socios" | "simples" | "registros";
  /** por que não foi comparado, em uma palavra, como arquivo_ausente */ motivo: string;
  /** número da carga */ carga: number;
}

/** Uma carga que falhou ou foi recusada: o que ela mudaria ainda não se sabe. */
export interface CargaFalha {
  /** período da carga */ competencia: string | null;
  /** dia (UTC) em que foi tentada (AAAA-MM-DD) */ em: string | null;
}

/** De quando a quando se conhecem as mudanças de uma fonte. O que não foi possível comparar está em lacunas e falha, e não passa por ausência de mudança. */
export interface CoberturaDaHistoria {
  /** receita ou o identificador da fonte de registros públicos */ fonte: "receita" | "pgfn" | "ceis" | "cnep" | "cepim" | "acordos_leniencia" | "mte_empregadores" | "mte_ceac" | "habilitacao_aduaneira" | "ibama_autos" | "ibama_embargos" | "rntrc" | "pncp" | "pncp_orgao" | "bndes";
  /** a primeira carga da história; não foi comparada com outra quando comparada_com é null */ desde: CargaDaHistoria | null;
  /** a última carga da história */ ate: CargaDaHistoria | null;
  /** partes de cargas que não foram comparadas */ lacunas: CoberturaDaHistoriaLacunasItem[];
  /** uma carga posterior à que está em serviço e que não pôde ser publicada */ falha: CargaFalha | null;
}

/** Uma página da história do país. */
export interface Mudancas {
  itens: Mudanca[];
  /** cargas que quem lê deste cursor já viu, ao menos em parte, e que foram desfeitas */ retiradas: CargaRetirada[];
  /** de cada fonte, desde quando se conhecem as mudanças e o que não foi comparado */ cobertura: CoberturaDaHistoria[];
  /** true: pode haver mais agora; false: só depois da próxima carga */ ha_mais: boolean;
  /** cursor de onde continuar, agora ou depois da próxima carga */ proximo_cursor: string;
  /** endereço de onde continuar */ proxima_url: string;
}

/** Sobre a resposta. */
export interface MetaMudancas {
  /** versão da API */ versao: "v2";
  /** versão do produto */ release: string;
  /** o que foi consultado */ recurso: "mudancas";
  /** mês da carga da Receita Federal (AAAA-MM) */ competencia: string | null;
  /** conjunto de cargas que respondeu */ fotografia: string;
  /** o mesmo de X-Request-ID */ requisicao_id: string;
  /** parcial: alguma fonte falhou ou não tem carga, ou há lacunas */ disponibilidade: "completa" | "parcial";
  /** só quando faltou à carga algum arquivo do que esta resposta mostra: nestas partes o que não aparece pode existir, e os totais são mínimos */ lacunas?: Lacuna[];
}

/** A resposta. */
export interface RespostaMudancas {
  dados: Mudancas;
  meta: MetaMudancas;
}

/** Um arquivo publicado que foi lido. */
export interface ProvenienciaArquivosItem {
  /** nome do arquivo */ nome: string;
  /** tamanho em bytes */ bytes: number;
  /** SHA-256 do arquivo */ sha256: string;
}

/** De onde vieram os registros da carga. */
export interface Proveniencia {
  /** quem publica */ orgao: string;
  /** conjunto de dados publicado */ conjunto: string;
  /** onde é publicado */ url: string;
  /** licença dos dados */ licenca: string;
  /** citação que a licença pede */ atribuicao?: string;
  /** página que explica os vínculos inferidos */ metodologia_url?: string;
  /** os arquivos lidos */ arquivos: ProvenienciaArquivosItem[];
  /** arquivos publicados que faltaram à carga */ faltantes?: string[];
  /** o que convém saber desta carga */ observacoes?: string[];
  /** linhas lidas */ linhas_lidas: number;
  /** linhas carregadas */ linhas_carregadas: number;
  /** linhas que não puderam ser lidas */ linhas_rejeitadas: number;
  /** linhas deixadas de fora por regra */ linhas_descartadas: number;
}

/** Uma regra e as linhas que ela deixou fora da carga. */
export interface FonteDeixadasDeForaItem {
  /** nome da regra */ regra: string;
  /** a regra em palavras */ motivo: string;
  /** linhas deixadas de fora */ linhas: number;
}

/** Linhas que não puderam ser lidas, pela coluna em que parou a leitura. */
export interface FonteRejeitadasItem {
  /** coluna do arquivo; null para a linha inteira */ coluna: string | null;
  /** linhas guardadas para exame */ linhas: number;
}

/** Uma carga da fonte que está ou já esteve em serviço. */
export interface FonteCargasItem {
  /** período da carga */ competencia: string | null;
  /** quando a carga terminou (UTC) */ carregada_em: string | null;
  /** em_uso: em serviço agora; guardada: pode voltar; apagada: os registros não existem mais */ situacao: "em_uso" | "guardada" | "apagada";
  /** feita de outra carga, com os vínculos a empresas mais novas; null: não informado */ vinculos_refeitos: boolean | null;
  /** o operador a publicou apesar de verificações que a recusariam; null: não informado */ forcada: boolean | null;
  /** linhas lidas */ linhas_lidas: number;
  /** registros guardados */ registros: number;
  /** linhas que não puderam ser lidas */ linhas_rejeitadas: number;
  /** linhas deixadas de fora por regra */ linhas_descartadas: number;
}

/** Uma fonte e a carga em serviço. */
export interface Fonte {
  /** identificador usado em fontes/{fonte} */ id: "pgfn" | "ceis" | "cnep" | "cepim" | "acordos_leniencia" | "mte_empregadores" | "mte_ceac" | "habilitacao_aduaneira" | "ibama_autos" | "ibama_embargos" | "rntrc" | "pncp" | "pncp_orgao" | "bndes";
  /** grupo de registros_publicos */ tema: "dividas" | "sancoes" | "trabalho" | "comercio_exterior" | "ambiental" | "transporte" | "contratacoes_publicas" | "financiamento";
  /** título da fonte */ titulo: string;
  /** o que a fonte traz */ descricao: string;
  /** quem publica */ orgao: string;
  /** licença dos dados */ licenca: string;
  /** o que é a competência */ tipo_periodo: "mes" | "trimestre" | "dia" | "edicao" | "versao";
  /** se há carga em serviço */ disponibilidade: "disponivel" | "indisponivel" | "erro";
  /** período da carga */ competencia: string | null;
  /** quando a carga terminou (UTC) */ carregada_em: string | null;
  /** início da cobertura (AAAA-MM-DD) */ cobertura_inicio: string | null;
  /** a carga é antiga para o ritmo de publicação; null: não informado */ desatualizada: boolean | null;
  /** de onde vieram os registros */ proveniencia: Proveniencia | null;
  /** conjunto de dados publicado */ conjunto: string;
  /** onde é publicado */ url: string;
  /** de quanto em quanto tempo é publicada, até onde se sabe */ periodicidade: string | null;
  /** dias depois do fim do período em que a carga passa a contar como desatualizada; 0 quando não se sabe */ desatualizada_apos_dias: number;
  /** linhas que a carga em serviço deixou de fora, por regra */ deixadas_de_fora: FonteDeixadasDeForaItem[];
  /** linhas que a carga em serviço não pôde ler e guardou para exame, até mil, por coluna */ rejeitadas: FonteRejeitadasItem[];
  /** as cargas que já estiveram em serviço, da mais nova à mais antiga, até cinquenta */ cargas: FonteCargasItem[];
  /** CNPJs com registros na carga; null sem carga */ cnpjs: number | null;
  /** registros da carga; null sem carga */ total: number | null;
}

/** O catálogo. */
export interface RespostaFontesDados {
  fontes: Fonte[];
}

/** Sobre a resposta. */
export interface MetaFontes {
  /** versão da API */ versao: "v2";
  /** versão do produto */ release: string;
  /** o que foi consultado */ recurso: "fontes";
  /** mês da carga da Receita Federal (AAAA-MM) */ competencia: string | null;
  /** conjunto de cargas que respondeu */ fotografia: string;
  /** o mesmo de X-Request-ID */ requisicao_id: string;
  /** parcial: alguma fonte falhou ou não tem carga, ou há lacunas */ disponibilidade: "completa" | "parcial";
  /** só quando faltou à carga algum arquivo do que esta resposta mostra: nestas partes o que não aparece pode existir, e os totais são mínimos */ lacunas?: Lacuna[];
}

/** A resposta. */
export interface RespostaFontes {
  /** O catálogo. */ dados: RespostaFontesDados;
  meta: MetaFontes;
}

/** Uma carga. */
export interface CargaMedida {
  /** número da carga */ numero: number;
  /** período da carga */ competencia: string;
  /** quando a carga terminou (UTC) */ carregada_em: string | null;
  /** true: o operador a publicou apesar de verificações que a recusariam */ forcada: boolean;
  apesar_de: ("rejeitadas" | "contagens" | "regras" | "colunas" | "codigos" | "mudancas")[];
}

/** Quantas das linhas preenchidas. */
export interface ColunaMedidaComprimentosItem {
  /** bytes do valor; 96: 96 ou mais */ classe: string;
  /** linhas */ linhas: number;
}

/** Quantas das linhas preenchidas. */
export interface ColunaMedidaFormatosItem {
  /** um sinal por espécie de caractere que ocorre: 9 dígito, A maiúscula, a minúscula, é letra fora do ASCII, _ espaço, # outro do ASCII, ^ controle, Ã texto decodificado errado; os sinais * . , - / @ + ? são eles mesmos */ classe: string;
  /** linhas */ linhas: number;
}

/** Quantas das linhas preenchidas. */
export interface ColunaMedidaValoresItem {
  /** um dos 64 valores mais comuns: código, ano de uma data ou quantidade de algarismos antes da vírgula; ?: não se lê; do dono de um registro, cnpj, raiz ou inválido. Textos não aparecem, nem códigos sem tabela em menos de vinte linhas */ classe: string;
  /** linhas */ linhas: number;
}

/** O que se mediu de uma coluna. */
export interface ColunaMedida {
  /** linhas com valor */ preenchidas: number;
  /** valores distintos, estimados com erro típico de 2 %; null: só se mede de que espécie é o número do dono */ distintos: number | null;
  /** linhas com o valor mais comum; null: não se contam valores desta coluna */ mais_comum: number | null;
  /** linhas com um código que a tabela de códigos não tem; null: a coluna não tem tabela */ fora_da_tabela: number | null;
  quantis: string[];
  comprimentos: ColunaMedidaComprimentosItem[];
  formatos: ColunaMedidaFormatosItem[];
  valores: ColunaMedidaValoresItem[];
}

/** A medida que mais se moveu desde a carga anterior, de 0 a 1: em parte das linhas medidas (preenchidas) ou das preenchidas (as outras). */
export interface QualidadeDaColunaMudanca1 {
  /** o que se moveu */ medida: "preenchidas" | "comprimentos" | "formatos" | "valores" | "maior" | "fora_da_tabela";
  /** de comprimentos, formatos e valores, a classe; vazia nas outras medidas e quando o valor não aparece em valores */ classe: string;
  /** parte das linhas na carga anterior */ antes: number;
  /** parte das linhas nesta */ agora: number;
  /** true: algo nesta coluna se moveu mais do que em edições normais; sem o operador a carga não seria publicada */ alem_do_limite: boolean;
}

/** Uma das últimas doze cargas medidas, da mais velha a esta. */
export interface QualidadeDaColunaHistoricoItem {
  /** número da carga */ carga: number;
  /** período da carga */ competencia: string;
  /** linhas da tabela que se mediram; 0: a coluna não foi medida */ linhas_medidas: number;
  /** linhas com valor */ preenchidas: number;
}

/** Uma coluna publicada. */
export interface QualidadeDaColuna {
  /** nome, como no dicionário */ coluna: string;
  agora: ColunaMedida;
  antes: ColunaMedida | null;
  mudanca: QualidadeDaColunaMudanca1 | null;
  historico: QualidadeDaColunaHistoricoItem[];
}

/** Uma tabela publicada. */
export interface RespostaQualidadeDadosTabelasItem {
  /** nome do arquivo, ou identificador da fonte */ tabela: string;
  /** linhas que se leram da tabela, ou de todos os arquivos da fonte */ linhas_lidas: number;
  /** linhas que se mediram; das fontes, só entre as que se tornam registros */ linhas_medidas: number;
  /** as da carga anterior; null sem ela */ linhas_medidas_antes: number | null;
  colunas: QualidadeDaColuna[];
}

/** O que se mediu de uma carga. */
export interface RespostaQualidadeDados {
  /** identificador da fonte */ fonte: string;
  carga: CargaMedida | null;
  anterior: CargaMedida | null;
  /** vazia se a carga não foi medida: é de uma versão que ainda não media */ tabelas: RespostaQualidadeDadosTabelasItem[];
  /** as cargas da fonte que estão ou já estiveram em uso, da mais nova à mais antiga, no máximo cinquenta */ cargas: CargaMedida[];
}

/** Sobre a resposta. */
export interface RespostaQualidadeMeta {
  /** versão da API */ versao: "v2";
  /** versão do produto */ release: string;
  /** o que foi consultado */ recurso: "qualidade";
  /** mês da carga da Receita Federal (AAAA-MM) */ competencia: string | null;
  /** conjunto de cargas que respondeu */ fotografia: string;
  /** o mesmo de X-Request-ID */ requisicao_id: string;
  /** parcial: alguma fonte falhou ou não tem carga, ou há lacunas */ disponibilidade: "completa" | "parcial";
  /** só quando faltou à carga algum arquivo do que esta resposta mostra: nestas partes o que não aparece pode existir, e os totais são mínimos */ lacunas?: Lacuna[];
}

/** A resposta. */
export interface RespostaQualidade {
  /** O que se mediu de uma carga. */ dados: RespostaQualidadeDados;
  /** Sobre a resposta. */ meta: RespostaQualidadeMeta;
}

/** Textos dos códigos. */
export interface EmpresaDescricoes {
  /** texto do código natureza_juridica; null: desconhecido */ natureza_juridica: string | null;
  /** texto do código qualificacao_responsavel; null: desconhecido */ qualificacao_responsavel: string | null;
  /** texto do código porte_empresa; null: desconhecido */ porte_empresa: string | null;
}

/** Textos dos códigos. */
export interface SocioDescricoes {
  /** texto do código identificador_socio; null: desconhecido */ identificador_socio: string | null;
  /** texto do código qualificacao_socio; null: desconhecido */ qualificacao_socio: string | null;
  /** texto do código pais; null: desconhecido */ pais: string | null;
  /** texto do código qualificacao_representante_legal; null: desconhecido */ qualificacao_representante_legal: string | null;
  /** texto do código faixa_etaria; null: desconhecido */ faixa_etaria: string | null;
}

/** Um sócio ou administrador. */
export interface Socio {
  /** se é pessoa jurídica, pessoa física ou estrangeiro (1 Pessoa Jurídica; 2 Pessoa Física; 3 Estrangeiro) */ identificador_socio: string;
  /** nome do sócio, ou razão social da empresa sócia */ nome_socio: string;
  /** CNPJ da empresa sócia, ou CPF mascarado como foi publicado (***456789**); vazio em estrangeiros */ cnpj_cpf_socio: string;
  /** qualificação do sócio, código de dois dígitos */ qualificacao_socio: string;
  /** data de entrada na sociedade (AAAA-MM-DD) */ data_entrada_sociedade: string | null;
  /** país do sócio no exterior, código de três dígitos */ pais: string;
  /** CPF mascarado do representante legal; ***000000** quando não há */ representante_legal: string;
  /** nome do representante legal */ nome_representante: string;
  /** qualificação do representante legal, código de dois dígitos; 00: não há */ qualificacao_representante_legal: string;
  /** faixa etária da pessoa, código de um dígito; não é a idade (0 Não se aplica; 1 0 a 12 anos; 2 13 a 20 anos; 3 21 a 30 anos; 4 31 a 40 anos; 5 41 a 50 anos; 6 51 a 60 anos; 7 61 a 70 anos; 8 71 a 80 anos; 9 Mais de 80 anos) */ faixa_etaria: string;
  /** Textos dos códigos. */ descricoes: SocioDescricoes;
}

/** Uma página de sócios. */
export interface Socios {
  itens: Socio[];
  /** itens em todas as páginas */ total: number;
  /** cursor da próxima página; null no fim */ proximo_cursor: string | null;
  /** endereço da próxima página desta coleção; null no fim */ proxima_url: string | null;
  /** só com lacuna nesta parte: pode haver mais do que total */ total_minimo?: boolean;
}

/** Opções pelo Simples Nacional e pelo MEI. */
export interface Simples {
  /** se a empresa é optante pelo Simples Nacional; null: não informado */ opcao_pelo_simples: boolean | null;
  /** data da opção pelo Simples Nacional (AAAA-MM-DD) */ data_opcao_pelo_simples: string | null;
  /** data da exclusão do Simples Nacional; pode ser futura (AAAA-MM-DD) */ data_exclusao_simples: string | null;
  /** se o titular é optante pelo MEI (SIMEI); null: não informado */ opcao_pelo_mei: boolean | null;
  /** data da opção pelo MEI (AAAA-MM-DD) */ data_opcao_pelo_mei: string | null;
  /** data da exclusão do MEI; pode ser futura (AAAA-MM-DD) */ data_exclusao_mei: string | null;
}

/** A empresa. Sem linha própria na carga, os textos são vazios e o capital é null. */
export interface Empresa {
  /** as 8 primeiras posições do CNPJ, que identificam a empresa */ cnpj_basico: string;
  /** razão social ou nome empresarial; um CPF no fim é mascarado */ razao_social: string;
  /** natureza jurídica, código de quatro dígitos */ natureza_juridica: string;
  /** qualificação da pessoa responsável pela empresa, código de dois dígitos */ qualificacao_responsavel: string;
  /** capital social em reais, com duas casas */ capital_social: number | null;
  /** porte declarado, código de dois dígitos (00 Não informado; 01 Microempresa; 03 Empresa de Pequeno Porte; 05 Demais) */ porte_empresa: string;
  /** ente federativo responsável; só em órgãos públicos */ ente_federativo_responsavel: string;
  /** Textos dos códigos. */ descricoes: EmpresaDescricoes;
  socios: Socios;
  simples: Simples | null;
}

/** Textos dos códigos. */
export interface EstabelecimentoDescricoes {
  /** texto do código identificador_matriz_filial; null: desconhecido */ identificador_matriz_filial: string | null;
  /** texto do código situacao_cadastral; null: desconhecido */ situacao_cadastral: string | null;
  /** texto do código motivo_situacao_cadastral; null: desconhecido */ motivo_situacao_cadastral: string | null;
  /** texto do código pais; null: desconhecido */ pais: string | null;
  /** texto do código cnae_fiscal_principal; null: desconhecido */ cnae_fiscal_principal: string | null;
  /** código → texto, null quando desconhecido */ cnae_fiscal_secundaria: Record<string, string | null>;
  /** texto do código municipio; null: desconhecido */ municipio: string | null;
}

/** Um estabelecimento da empresa, matriz ou filial. */
export interface Estabelecimento {
  /** CNPJ do estabelecimento */ cnpj: string;
  /** as 8 primeiras posições do CNPJ, que identificam a empresa */ cnpj_basico: string;
  /** número do estabelecimento na empresa */ cnpj_ordem: string;
  /** dígitos verificadores do CNPJ */ cnpj_dv: string;
  /** se é matriz ou filial; não se deduz do número 0001 (1 Matriz; 2 Filial) */ identificador_matriz_filial: string;
  /** nome fantasia; um CPF no fim é mascarado */ nome_fantasia: string;
  /** situação cadastral, código de dois dígitos (01 Nula; 02 Ativa; 03 Suspensa; 04 Inapta; 05 Ativa Não Regular; 08 Baixada) */ situacao_cadastral: string;
  /** data em que passou a essa situação cadastral (AAAA-MM-DD) */ data_situacao_cadastral: string | null;
  /** motivo da situação cadastral, código de dois dígitos; 00: nenhum */ motivo_situacao_cadastral: string;
  /** cidade de quem está no exterior */ nome_cidade_exterior: string;
  /** país de quem está no exterior, código de três dígitos */ pais: string;
  /** data de início da atividade (AAAA-MM-DD) */ data_inicio_atividade: string | null;
  /** atividade principal, código CNAE de sete dígitos */ cnae_fiscal_principal: string;
  /** atividades secundárias, códigos CNAE de sete dígitos */ cnae_fiscal_secundaria: string[];
  /** tipo do logradouro, como RUA ou AVENIDA */ tipo_logradouro: string;
  /** nome do logradouro */ logradouro: string;
  /** número no logradouro, como texto; S/N: sem número */ numero: string;
  /** complemento do endereço */ complemento: string;
  /** bairro */ bairro: string;
  /** CEP, oito dígitos sem hífen */ cep: string;
  /** sigla do estado; EX: exterior */ uf: string;
  /** município, código de quatro dígitos da Receita Federal; não é o do IBGE */ municipio: string;
  /** município, código de sete dígitos do IBGE; vazio no exterior */ codigo_municipio_ibge: string;
  /** DDD do primeiro telefone */ ddd_1: string;
  /** primeiro telefone, sem DDD */ telefone_1: string;
  /** DDD do segundo telefone */ ddd_2: string;
  /** segundo telefone, sem DDD */ telefone_2: string;
  /** DDD do fax */ ddd_fax: string;
  /** fax, sem DDD */ fax: string;
  /** endereço de e-mail */ correio_eletronico: string;
  /** situação especial, como recuperação judicial */ situacao_especial: string;
  /** data da situação especial (AAAA-MM-DD) */ data_situacao_especial: string | null;
  /** Textos dos códigos. */ descricoes: EstabelecimentoDescricoes;
}

/** Uma página de estabelecimentos. */
export interface Estabelecimentos {
  itens: Estabelecimento[];
  /** itens em todas as páginas */ total: number;
  /** cursor da próxima página; null no fim */ proximo_cursor: string | null;
  /** endereço da próxima página desta coleção; null no fim */ proxima_url: string | null;
  /** só com lacuna nesta parte: pode haver mais do que total */ total_minimo?: boolean;
}

/** Cadastro da empresa. */
export interface RespostaEmpresaBasicDados {
  empresa: Empresa;
  estabelecimentos: Estabelecimentos;
}

/** Sobre a resposta. */
export interface Meta {
  /** versão da API */ versao: "v2";
  /** versão do produto */ release: string;
  /** o que foi consultado */ recurso: "empresa" | "estabelecimento";
  /** modo ou coleção */ modo: "basic" | "full" | "fonte" | "estabelecimentos" | "socios" | "mudancas" | "prova";
  /** documento consultado, normalizado */ documento: string;
  /** mês da carga da Receita Federal (AAAA-MM) */ competencia: string | null;
  /** conjunto de cargas que respondeu */ fotografia: string;
  /** o mesmo de X-Request-ID */ requisicao_id: string;
  /** parcial: alguma fonte falhou ou não tem carga, ou há lacunas */ disponibilidade: "completa" | "parcial";
  /** só quando faltou à carga algum arquivo do que esta resposta mostra: nestas partes o que não aparece pode existir, e os totais são mínimos */ lacunas?: Lacuna[];
}

/** A resposta. */
export interface RespostaEmpresaBasic {
  /** Cadastro da empresa. */ dados: RespostaEmpresaBasicDados;
  meta: Meta;
}

/** Dívida ativa da União e do FGTS: um registro, com os campos e valores da fonte. */
export interface ItemPgfn {
  /** sistema da dívida: nao_previdenciario, previdenciario ou fgts */ sistema: string | null;
  /** CNPJ do devedor, sem máscara */ cnpj: string | null;
  /** tipo de pessoa, por extenso; aqui só há pessoas jurídicas */ tipo_pessoa: string | null;
  /** papel do devedor na inscrição: principal, corresponsável ou solidário, na grafia da fonte */ tipo_devedor: string | null;
  /** nome do devedor na fonte */ nome_devedor: string | null;
  /** UF do devedor; null nas publicações até o 3º trimestre de 2022, que só dão a da unidade da PGFN */ uf_devedor: string | null;
  /** unidade da PGFN que responde pela inscrição; não é o lugar do devedor */ unidade_responsavel: string | null;
  /** quem cobra, PGFN ou CAIXA; só no FGTS */ entidade_responsavel: string | null;
  /** unidade que inscreveu o débito; só no FGTS */ unidade_inscricao: string | null;
  /** número da inscrição, como texto; a fonte às vezes omite zeros à esquerda */ numero_inscricao: string | null;
  /** grupo da situação, como “Em cobrança”, “Benefício Fiscal” ou “Garantia” */ tipo_situacao_inscricao: string | null;
  /** situação da inscrição, em texto livre da fonte */ situacao_inscricao: string | null;
  /** receita a que o débito pertence; não existe no previdenciário */ receita_principal: string | null;
  /** tipo do crédito; só no previdenciário */ tipo_credito: string | null;
  /** data da inscrição em dívida ativa; null quando a fonte não a conhece (AAAAMMDD) */ data_inscricao: string | null;
  /** SIM quando a dívida é cobrada na justiça, NAO quando não */ indicador_ajuizado: string | null;
  /** valor da inscrição no fim do trimestre; repete-se inteiro em cada corresponsável, por isso não se somam as linhas (reais) */ valor_consolidado: number | null;
}

/** Dívida ativa da União e do FGTS. Inscrições em dívida ativa da União e do FGTS, com situação, tipo de devedor e valor consolidado. É o estoque do fim do trimestre: débitos pagos ou cancelados saem da lista. */
export interface PaginaPgfn {
  /** encontrado: há registros; sem_ocorrencia: não há, nesta fotografia (não é certidão); indisponivel: a fonte não tem carga; erro: a consulta falhou */ status: "encontrado" | "sem_ocorrencia" | "indisponivel" | "erro";
  /** a que o documento foi comparado */ escopo: "empresa" | "estabelecimento";
  /** documento consultado */ documento: string;
  /** período da fonte: AAAA-MM, AAAA-MM-DD ou o rótulo de quem publica */ competencia: string | null;
  /** quando a carga terminou (UTC) */ carregada_em: string | null;
  /** início da cobertura (AAAA-MM-DD) */ cobertura_inicio: string | null;
  /** a carga é antiga para o ritmo de publicação; null: não informado */ desatualizada: boolean | null;
  /** de onde vieram os registros */ proveniencia: Proveniencia | null;
  itens: ItemPgfn[];
  /** registros em todas as páginas; null quando o status é indisponivel ou erro */ total: number | null;
  /** cursor da próxima página; null no fim */ proximo_cursor: string | null;
  /** endereço da próxima página desta coleção; null no fim */ proxima_url: string | null;
}

/** Fontes do grupo dividas. */
export interface RegistrosPublicosDividas {
  pgfn: PaginaPgfn;
}

/** Empresas inidôneas e suspensas (CEIS): um registro, com os campos e valores da fonte. */
export interface ItemCeis {
  /** cadastro da sanção: CEIS ou CNEP */ cadastro: string | null;
  /** código da sanção, único no cadastro */ codigo_sancao: string | null;
  /** J: pessoa jurídica; null quando a fonte não diz */ tipo_pessoa: string | null;
  /** CNPJ do sancionado, sem máscara */ cnpj: string | null;
  /** nome mostrado no Portal da Transparência */ nome_sancionado: string | null;
  /** nome escrito pelo órgão que aplicou a sanção */ nome_informado_orgao_sancionador: string | null;
  /** razão social na Receita Federal, segundo a CGU */ razao_social_receita: string | null;
  /** nome fantasia na Receita Federal, segundo a CGU */ nome_fantasia_receita: string | null;
  /** número do processo, em texto livre */ numero_processo: string | null;
  /** espécie da sanção, como multa, suspensão ou declaração de inidoneidade */ categoria_sancao: string | null;
  /** início da sanção (DD/MM/AAAA) */ data_inicio_sancao: string | null;
  /** fim da sanção; null quando não foi publicado (DD/MM/AAAA) */ data_final_sancao: string | null;
  /** data da publicação da sanção (DD/MM/AAAA) */ data_publicacao: string | null;
  /** onde a sanção foi publicada, com seção e página */ publicacao: string | null;
  /** pormenores do meio de publicação */ detalhamento_meio_publicacao: string | null;
  /** data do trânsito em julgado (DD/MM/AAAA) */ data_transito_julgado: string | null;
  /** diante de que poderes e esferas a sanção vale */ abrangencia_sancao: string | null;
  /** órgão que aplicou a sanção */ orgao_sancionador: string | null;
  /** UF do órgão sancionador; null em órgãos federais */ uf_orgao_sancionador: string | null;
  /** esfera do órgão sancionador: FEDERAL, ESTADUAL ou MUNICIPAL */ esfera_orgao_sancionador: string | null;
  /** lei e artigos que fundamentam a sanção; vários são separados por ;; */ fundamentacao_legal: string | null;
  /** data em que a informação foi registrada (DD/MM/AAAA) */ data_origem_informacao: string | null;
  /** órgão que registrou a informação */ origem_informacoes: string | null;
  /** observações livres; CPFs são mascarados */ observacoes: string | null;
}

/** Empresas inidôneas e suspensas (CEIS). Sanções que restringem o direito de licitar ou contratar com a administração pública, vigentes e passadas. */
export interface PaginaCeis {
  /** encontrado: há registros; sem_ocorrencia: não há, nesta fotografia (não é certidão); indisponivel: a fonte não tem carga; erro: a consulta falhou */ status: "encontrado" | "sem_ocorrencia" | "indisponivel" | "erro";
  /** a que o documento foi comparado */ escopo: "empresa" | "estabelecimento";
  /** documento consultado */ documento: string;
  /** período da fonte: AAAA-MM, AAAA-MM-DD ou o rótulo de quem publica */ competencia: string | null;
  /** quando a carga terminou (UTC) */ carregada_em: string | null;
  /** início da cobertura (AAAA-MM-DD) */ cobertura_inicio: string | null;
  /** a carga é antiga para o ritmo de publicação; null: não informado */ desatualizada: boolean | null;
  /** de onde vieram os registros */ proveniencia: Proveniencia | null;
  itens: ItemCeis[];
  /** registros em todas as páginas; null quando o status é indisponivel ou erro */ total: number | null;
  /** cursor da próxima página; null no fim */ proximo_cursor: string | null;
  /** endereço da próxima página desta coleção; null no fim */ proxima_url: string | null;
}

/** Empresas punidas (CNEP): um registro, com os campos e valores da fonte. */
export interface ItemCnep {
  /** cadastro da sanção: CEIS ou CNEP */ cadastro: string | null;
  /** código da sanção, único no cadastro */ codigo_sancao: string | null;
  /** J: pessoa jurídica; null quando a fonte não diz */ tipo_pessoa: string | null;
  /** CNPJ do sancionado, sem máscara */ cnpj: string | null;
  /** nome mostrado no Portal da Transparência */ nome_sancionado: string | null;
  /** nome escrito pelo órgão que aplicou a sanção */ nome_informado_orgao_sancionador: string | null;
  /** razão social na Receita Federal, segundo a CGU */ razao_social_receita: string | null;
  /** nome fantasia na Receita Federal, segundo a CGU */ nome_fantasia_receita: string | null;
  /** número do processo, em texto livre */ numero_processo: string | null;
  /** espécie da sanção, como multa, suspensão ou declaração de inidoneidade */ categoria_sancao: string | null;
  /** valor da multa; 0.00 quando a sanção não é multa (reais) */ valor_multa: number | null;
  /** início da sanção (DD/MM/AAAA) */ data_inicio_sancao: string | null;
  /** fim da sanção; null quando não foi publicado (DD/MM/AAAA) */ data_final_sancao: string | null;
  /** data da publicação da sanção (DD/MM/AAAA) */ data_publicacao: string | null;
  /** onde a sanção foi publicada, com seção e página */ publicacao: string | null;
  /** pormenores do meio de publicação */ detalhamento_meio_publicacao: string | null;
  /** data do trânsito em julgado (DD/MM/AAAA) */ data_transito_julgado: string | null;
  /** diante de que poderes e esferas a sanção vale */ abrangencia_sancao: string | null;
  /** órgão que aplicou a sanção */ orgao_sancionador: string | null;
  /** UF do órgão sancionador; null em órgãos federais */ uf_orgao_sancionador: string | null;
  /** esfera do órgão sancionador: FEDERAL, ESTADUAL ou MUNICIPAL */ esfera_orgao_sancionador: string | null;
  /** lei e artigos que fundamentam a sanção; vários são separados por ;; */ fundamentacao_legal: string | null;
  /** data em que a informação foi registrada (DD/MM/AAAA) */ data_origem_informacao: string | null;
  /** órgão que registrou a informação */ origem_informacoes: string | null;
  /** observações livres; CPFs são mascarados */ observacoes: string | null;
}

/** Empresas punidas (CNEP). Sanções aplicadas com base na Lei Anticorrupção (Lei 12.846/2013). */
export interface PaginaCnep {
  /** encontrado: há registros; sem_ocorrencia: não há, nesta fotografia (não é certidão); indisponivel: a fonte não tem carga; erro: a consulta falhou */ status: "encontrado" | "sem_ocorrencia" | "indisponivel" | "erro";
  /** a que o documento foi comparado */ escopo: "empresa" | "estabelecimento";
  /** documento consultado */ documento: string;
  /** período da fonte: AAAA-MM, AAAA-MM-DD ou o rótulo de quem publica */ competencia: string | null;
  /** quando a carga terminou (UTC) */ carregada_em: string | null;
  /** início da cobertura (AAAA-MM-DD) */ cobertura_inicio: string | null;
  /** a carga é antiga para o ritmo de publicação; null: não informado */ desatualizada: boolean | null;
  /** de onde vieram os registros */ proveniencia: Proveniencia | null;
  itens: ItemCnep[];
  /** registros em todas as páginas; null quando o status é indisponivel ou erro */ total: number | null;
  /** cursor da próxima página; null no fim */ proximo_cursor: string | null;
  /** endereço da próxima página desta coleção; null no fim */ proxima_url: string | null;
}

/** Entidades sem fins lucrativos impedidas (CEPIM): um registro, com os campos e valores da fonte. */
export interface ItemCepim {
  /** CNPJ da entidade, sem máscara */ cnpj: string | null;
  /** nome da entidade */ nome_entidade: string | null;
  /** número do convênio, com zeros à esquerda */ numero_convenio: string | null;
  /** órgão que concedeu o convênio */ orgao_concedente: string | null;
  /** motivo do impedimento, abreviado pela fonte */ motivo_impedimento: string | null;
}

/** Entidades sem fins lucrativos impedidas (CEPIM). Entidades privadas sem fins lucrativos impedidas de celebrar convênios com a administração federal. */
export interface PaginaCepim {
  /** encontrado: há registros; sem_ocorrencia: não há, nesta fotografia (não é certidão); indisponivel: a fonte não tem carga; erro: a consulta falhou */ status: "encontrado" | "sem_ocorrencia" | "indisponivel" | "erro";
  /** a que o documento foi comparado */ escopo: "empresa" | "estabelecimento";
  /** documento consultado */ documento: string;
  /** período da fonte: AAAA-MM, AAAA-MM-DD ou o rótulo de quem publica */ competencia: string | null;
  /** quando a carga terminou (UTC) */ carregada_em: string | null;
  /** início da cobertura (AAAA-MM-DD) */ cobertura_inicio: string | null;
  /** a carga é antiga para o ritmo de publicação; null: não informado */ desatualizada: boolean | null;
  /** de onde vieram os registros */ proveniencia: Proveniencia | null;
  itens: ItemCepim[];
  /** registros em todas as páginas; null quando o status é indisponivel ou erro */ total: number | null;
  /** cursor da próxima página; null no fim */ proximo_cursor: string | null;
  /** endereço da próxima página desta coleção; null no fim */ proxima_url: string | null;
}

/** Acordos de leniência: um registro, com os campos e valores da fonte. */
export interface ItemAcordosLeniencia {
  /** número do acordo; repete-se em cada empresa que o assinou */ id_acordo: string | null;
  /** CNPJ da empresa, sem máscara */ cnpj: string | null;
  /** razão social na Receita Federal, segundo a CGU */ razao_social_receita: string | null;
  /** nome fantasia na Receita Federal, segundo a CGU */ nome_fantasia_receita: string | null;
  /** início do acordo (DD/MM/AAAA) */ data_inicio_acordo: string | null;
  /** fim do acordo (DD/MM/AAAA) */ data_fim_acordo: string | null;
  /** situação do acordo, em texto da fonte */ situacao_acordo: string | null;
  /** data da informação (DD/MM/AAAA) */ data_informacao: string | null;
  /** número do processo */ numero_processo: string | null;
  /** termos do acordo, em texto livre */ termos_acordo: string | null;
  /** órgão que celebrou o acordo */ orgao_sancionador: string | null;
  /** efeitos do acordo: lista de objetos com efeito e complemento */ efeitos: unknown;
}

/** Acordos de leniência. Acordos de leniência celebrados com base na Lei Anticorrupção e seus efeitos. Não devem ser somados aos registros do CNEP. */
export interface PaginaAcordosLeniencia {
  /** encontrado: há registros; sem_ocorrencia: não há, nesta fotografia (não é certidão); indisponivel: a fonte não tem carga; erro: a consulta falhou */ status: "encontrado" | "sem_ocorrencia" | "indisponivel" | "erro";
  /** a que o documento foi comparado */ escopo: "empresa" | "estabelecimento";
  /** documento consultado */ documento: string;
  /** período da fonte: AAAA-MM, AAAA-MM-DD ou o rótulo de quem publica */ competencia: string | null;
  /** quando a carga terminou (UTC) */ carregada_em: string | null;
  /** início da cobertura (AAAA-MM-DD) */ cobertura_inicio: string | null;
  /** a carga é antiga para o ritmo de publicação; null: não informado */ desatualizada: boolean | null;
  /** de onde vieram os registros */ proveniencia: Proveniencia | null;
  itens: ItemAcordosLeniencia[];
  /** registros em todas as páginas; null quando o status é indisponivel ou erro */ total: number | null;
  /** cursor da próxima página; null no fim */ proximo_cursor: string | null;
  /** endereço da próxima página desta coleção; null no fim */ proxima_url: string | null;
}

/** Fontes do grupo sancoes. */
export interface RegistrosPublicosSancoes {
  ceis: PaginaCeis;
  cnep: PaginaCnep;
  cepim: PaginaCepim;
  acordos_leniencia: PaginaAcordosLeniencia;
}

/** Cadastro de Empregadores: um registro, com os campos e valores da fonte. */
export interface ItemMteEmpregadores {
  /** número da linha na edição; muda de uma edição para outra */ id_publicacao: string | null;
  /** ano da fiscalização; null em inclusões por ordem judicial (ano) */ ano_acao_fiscal: number | null;
  /** UF da fiscalização; pode não ser a do endereço */ uf: string | null;
  /** nome do empregador; CPFs são mascarados */ empregador: string | null;
  /** CNPJ do empregador, sem máscara */ cnpj: string | null;
  /** local fiscalizado, em texto livre; pode ser a residência de alguém */ estabelecimento: string | null;
  /** trabalhadores encontrados em condições análogas à de escravo (pessoas) */ trabalhadores_envolvidos: number | null;
  /** atividade econômica (CNAE), com pontuação */ cnae: string | null;
  /** data da decisão administrativa definitiva (DD/MM/AAAA) */ decisao_administrativa_procedencia: string | null;
  /** data de inclusão no cadastro, ou os períodos em que o nome constou, como publicado */ inclusao_cadastro_empregadores: string | null;
  /** os mesmos períodos: lista de objetos com inicio e fim (DD/MM/AAAA); fim é null enquanto consta */ periodos: unknown;
  /** nota de rodapé da publicação sobre a linha */ nota: string | null;
}

/** Cadastro de Empregadores. Empregadores que submeteram trabalhadores a condições análogas à de escravo, segundo decisão administrativa definitiva. O nome permanece por dois anos. */
export interface PaginaMteEmpregadores {
  /** encontrado: há registros; sem_ocorrencia: não há, nesta fotografia (não é certidão); indisponivel: a fonte não tem carga; erro: a consulta falhou */ status: "encontrado" | "sem_ocorrencia" | "indisponivel" | "erro";
  /** a que o documento foi comparado */ escopo: "empresa" | "estabelecimento";
  /** documento consultado */ documento: string;
  /** período da fonte: AAAA-MM, AAAA-MM-DD ou o rótulo de quem publica */ competencia: string | null;
  /** quando a carga terminou (UTC) */ carregada_em: string | null;
  /** início da cobertura (AAAA-MM-DD) */ cobertura_inicio: string | null;
  /** a carga é antiga para o ritmo de publicação; null: não informado */ desatualizada: boolean | null;
  /** de onde vieram os registros */ proveniencia: Proveniencia | null;
  itens: ItemMteEmpregadores[];
  /** registros em todas as páginas; null quando o status é indisponivel ou erro */ total: number | null;
  /** cursor da próxima página; null no fim */ proximo_cursor: string | null;
  /** endereço da próxima página desta coleção; null no fim */ proxima_url: string | null;
}

/** Empregadores em ajustamento de conduta (CEAC): um registro, com os campos e valores da fonte. */
export interface ItemMteCeac {
  /** número da linha na versão */ id_publicacao: string | null;
  /** versão da publicação, AAAA_NNNN */ versao: string | null;
  /** ano da fiscalização (ano) */ ano_acao_fiscal: number | null;
  /** UF da fiscalização */ uf: string | null;
  /** nome do empregador; CPFs são mascarados */ empregador: string | null;
  /** CNPJ do empregador, sem máscara */ cnpj: string | null;
  /** local fiscalizado, em texto livre; pode ser a residência de alguém */ estabelecimento: string | null;
  /** datas de inclusão no Cadastro de Empregadores, como publicadas */ inclusao_cadastro_empregadores: string | null;
  /** datas de inclusão no CEAC, como publicadas; algumas versões as trazem no campo anterior */ inclusao_ceac: string | null;
  /** os períodos no CEAC: lista de objetos com inicio e fim (DD/MM/AAAA); fim é null enquanto consta */ periodos_ceac: unknown;
  /** termo de ajustamento de conduta ou acordo, em texto livre */ termo_ajustamento_conduta_mte: string | null;
}

/** Empregadores em ajustamento de conduta (CEAC). Empregadores que firmaram termo de ajustamento de conduta ou acordo judicial com a União. É distinto do Cadastro de Empregadores. */
export interface PaginaMteCeac {
  /** encontrado: há registros; sem_ocorrencia: não há, nesta fotografia (não é certidão); indisponivel: a fonte não tem carga; erro: a consulta falhou */ status: "encontrado" | "sem_ocorrencia" | "indisponivel" | "erro";
  /** a que o documento foi comparado */ escopo: "empresa" | "estabelecimento";
  /** documento consultado */ documento: string;
  /** período da fonte: AAAA-MM, AAAA-MM-DD ou o rótulo de quem publica */ competencia: string | null;
  /** quando a carga terminou (UTC) */ carregada_em: string | null;
  /** início da cobertura (AAAA-MM-DD) */ cobertura_inicio: string | null;
  /** a carga é antiga para o ritmo de publicação; null: não informado */ desatualizada: boolean | null;
  /** de onde vieram os registros */ proveniencia: Proveniencia | null;
  itens: ItemMteCeac[];
  /** registros em todas as páginas; null quando o status é indisponivel ou erro */ total: number | null;
  /** cursor da próxima página; null no fim */ proximo_cursor: string | null;
  /** endereço da próxima página desta coleção; null no fim */ proxima_url: string | null;
}

/** Fontes do grupo trabalho. */
export interface RegistrosPublicosTrabalho {
  mte_empregadores: PaginaMteEmpregadores;
  mte_ceac: PaginaMteCeac;
}

/** Habilitação aduaneira: um registro, com os campos e valores da fonte. */
export interface ItemHabilitacaoAduaneira {
  /** raiz do CNPJ da empresa habilitada, 8 posições */ cnpj_basico: string | null;
  /** razão social na fonte */ razao_social: string | null;
  /** modalidade como publicada, às vezes com o limite */ modalidade_habilitacao: string | null;
  /** modalidade reconhecida no texto: expressa, limitada, ilimitada ou outra */ modalidade: string | null;
  /** limite escrito na modalidade, na moeda de moeda_limite; null quando ela não traz nenhum */ limite_publicado: number | null;
  /** moeda do limite em três letras, como USD */ moeda_limite: string | null;
}

/** Habilitação aduaneira. Empresas habilitadas a operar no comércio exterior e a modalidade publicada. Vale para a empresa inteira; a ausência na lista não prova que falta habilitação. */
export interface PaginaHabilitacaoAduaneira {
  /** encontrado: há registros; sem_ocorrencia: não há, nesta fotografia (não é certidão); indisponivel: a fonte não tem carga; erro: a consulta falhou */ status: "encontrado" | "sem_ocorrencia" | "indisponivel" | "erro";
  /** a que o documento foi comparado */ escopo: "empresa" | "estabelecimento";
  /** documento consultado */ documento: string;
  /** período da fonte: AAAA-MM, AAAA-MM-DD ou o rótulo de quem publica */ competencia: string | null;
  /** quando a carga terminou (UTC) */ carregada_em: string | null;
  /** início da cobertura (AAAA-MM-DD) */ cobertura_inicio: string | null;
  /** a carga é antiga para o ritmo de publicação; null: não informado */ desatualizada: boolean | null;
  /** de onde vieram os registros */ proveniencia: Proveniencia | null;
  itens: ItemHabilitacaoAduaneira[];
  /** registros em todas as páginas; null quando o status é indisponivel ou erro */ total: number | null;
  /** cursor da próxima página; null no fim */ proximo_cursor: string | null;
  /** endereço da próxima página desta coleção; null no fim */ proxima_url: string | null;
}

/** Fontes do grupo comercio_exterior. */
export interface RegistrosPublicosComercioExterior {
  habilitacao_aduaneira: PaginaHabilitacaoAduaneira;
}

/** Autos de infração do IBAMA: um registro, com os campos e valores da fonte. */
export interface ItemIbamaAutos {
  /** número interno do auto; vazio em alguns autos novos */ seq_auto_infracao: string | null;
  /** número do auto de infração; pode ter letras e zeros à esquerda */ num_auto_infracao: string | null;
  /** série do auto */ ser_auto_infracao: string | null;
  /** espécie do auto, como multa ou advertência */ tipo_auto: string | null;
  /** espécie da multa: aberta ou fechada */ tipo_multa: string | null;
  /** valor da multa (reais) */ val_auto_infracao: number | null;
  /** gravidade da infração, por extenso */ gravidade_infracao: string | null;
  /** estado do formulário, como Lavrado ou Cancelado */ des_status_formulario: string | null;
  /** estado no auto de infração eletrônico (AIE); muitas vezes vazio */ ds_sit_auto_aie: string | null;
  /** S quando o auto foi cancelado, N quando não */ sit_cancelado: string | null;
  /** quando o auto foi lavrado; nos anos antigos só a data (AAAA-MM-DD HH:MM:SS) */ dat_hora_auto_infracao: string | null;
  /** quando o autuado tomou ciência (AAAA-MM-DD HH:MM:SS) */ dat_ciencia_autuacao: string | null;
  /** quando o fato ocorreu; com frequência vazio (AAAA-MM-DD HH:MM:SS) */ dt_fato_infracional: string | null;
  /** quando o auto foi lançado no sistema do IBAMA (AAAA-MM-DD HH:MM:SS) */ dt_lancamento: string | null;
  /** última alteração do auto no sistema do IBAMA (AAAA-MM-DD HH:MM:SS) */ dt_ult_alteracao: string | null;
  /** como o auto foi entregue ao autuado */ forma_entrega: string | null;
  /** número do processo, só dígitos */ num_processo: string | null;
  /** número do processo, com pontuação */ nu_processo_formatado: string | null;
  /** código da infração na tabela do IBAMA, seis dígitos; 409999 é genérico */ cod_infracao: string | null;
  /** tema da infração, como Flora, Fauna ou Pesca */ tipo_infracao: string | null;
  /** infração que o código nomeia */ des_infracao: string | null;
  /** descrição livre da infração; CPFs são mascarados */ des_auto_infracao: string | null;
  /** normas administrativas infringidas */ ds_enquadramento_administrativo: string | null;
  /** outras normas infringidas */ ds_enquadramento_nao_administrativo: string | null;
  /** complemento do enquadramento legal */ ds_enquadramento_complementar: string | null;
  /** CNPJ do autuado, sem máscara; autos de pessoas físicas não são carregados */ cpf_cnpj_infrator: string | null;
  /** nome do autuado na fonte */ nome_infrator: string | null;
  /** PJ: pessoa jurídica; pode faltar */ tp_pessoa_infrator: string | null;
  /** código do IBGE, sete dígitos, do município onde o auto foi lavrado */ cod_municipio: string | null;
  /** município onde o auto foi lavrado, não necessariamente o do dano */ municipio: string | null;
  /** UF onde o auto foi lavrado */ uf: string | null;
  /** local da infração, em texto livre */ des_local_infracao: string | null;
  /** área da infração; o arquivo publicado não diz a unidade */ qt_area: number | null;
  /** área ligada à infração, como publicada */ infracao_area: string | null;
  /** unidade de conservação atingida */ unidade_conservacao: string | null;
  /** biomas atingidos */ ds_biomas_atingidos: string | null;
  /** unidade do IBAMA que controla o auto */ unid_controle: string | null;
  /** espécie da ação de fiscalização, como Programada */ tipo_acao: string | null;
  /** operação de fiscalização */ operacao: string | null;
  /** solicitação de recursos da fiscalização, como publicada */ solicitacao_recurso: string | null;
  /** números dos termos de embargo ligados (num_tad em ibama_embargos) */ cd_termos_embargos: string | null;
  /** números dos termos de apreensão ligados */ cd_termos_apreensao: string | null;
  /** quando o IBAMA extraiu o arquivo; igual em todos os registros (AAAA-MM-DD HH:MM:SS) */ ultima_atualizacao_relatorio: string | null;
}

/** Autos de infração do IBAMA. Autos de infração ambiental lavrados, com os cancelados assinalados. O município é o da lavratura. */
export interface PaginaIbamaAutos {
  /** encontrado: há registros; sem_ocorrencia: não há, nesta fotografia (não é certidão); indisponivel: a fonte não tem carga; erro: a consulta falhou */ status: "encontrado" | "sem_ocorrencia" | "indisponivel" | "erro";
  /** a que o documento foi comparado */ escopo: "empresa" | "estabelecimento";
  /** documento consultado */ documento: string;
  /** período da fonte: AAAA-MM, AAAA-MM-DD ou o rótulo de quem publica */ competencia: string | null;
  /** quando a carga terminou (UTC) */ carregada_em: string | null;
  /** início da cobertura (AAAA-MM-DD) */ cobertura_inicio: string | null;
  /** a carga é antiga para o ritmo de publicação; null: não informado */ desatualizada: boolean | null;
  /** de onde vieram os registros */ proveniencia: Proveniencia | null;
  itens: ItemIbamaAutos[];
  /** registros em todas as páginas; null quando o status é indisponivel ou erro */ total: number | null;
  /** cursor da próxima página; null no fim */ proximo_cursor: string | null;
  /** endereço da próxima página desta coleção; null no fim */ proxima_url: string | null;
}

/** Embargos do IBAMA: um registro, com os campos e valores da fonte. */
export interface ItemIbamaEmbargos {
  /** número interno do termo */ seq_tad: string | null;
  /** número do termo de embargo; pode ter letras e zeros à esquerda */ num_tad: string | null;
  /** série do termo */ ser_tad: string | null;
  /** quando o embargo foi imposto (AAAA-MM-DD HH:MM:SS) */ dat_embargo: string | null;
  /** estado do formulário, como Lavrado ou Cancelado */ des_status_formulario: string | null;
  /** estado no formulário eletrônico (AIE) */ des_status_formulario_aie: string | null;
  /** S quando o termo foi cancelado, N quando não */ sit_cancelado: string | null;
  /** situação do desembargo; null enquanto não houve nenhum */ sit_desembargo: string | null;
  /** espécie do desembargo */ tipo_desembargo: string | null;
  /** quando o embargo foi levantado (AAAA-MM-DD HH:MM:SS) */ dat_desembargo: string | null;
  /** descrição livre do desembargo; CPFs são mascarados */ des_desembargo: string | null;
  /** CNPJ do embargado, sem máscara; embargos de pessoas físicas não são carregados */ cpf_cnpj_embargado: string | null;
  /** nome do embargado na fonte */ nome_embargado: string | null;
  /** número do processo, só dígitos */ num_processo: string | null;
  /** descrição livre do embargo; CPFs são mascarados */ des_tad: string | null;
  /** código do IBGE, sete dígitos, do município onde o termo foi lavrado */ cod_municipio: string | null;
  /** município onde o termo foi lavrado */ municipio: string | null;
  /** UF onde o termo foi lavrado */ uf: string | null;
  /** local embargado, em texto livre */ des_localizacao: string | null;
  /** nome do imóvel embargado */ nome_imovel: string | null;
  /** tipo do que foi embargado, como Atividade */ tipo_area: string | null;
  /** área embargada; o arquivo publicado não diz a unidade */ qtd_area_embargada: number | null;
  /** como o termo foi entregue */ forma_entrega: string | null;
  /** unidade do IBAMA que controla o termo */ unid_controle: string | null;
  /** operação de fiscalização */ operacao: string | null;
  /** número interno do auto de infração ligado */ seq_auto_infracao: string | null;
  /** número do auto de infração ligado */ num_auto_infracao: string | null;
  /** última alteração do termo no sistema do IBAMA (AAAA-MM-DD HH:MM:SS) */ dat_ult_alteracao: string | null;
  /** quando o IBAMA extraiu o arquivo; igual em todos os registros (AAAA-MM-DD HH:MM:SS) */ ultima_atualizacao_relatorio: string | null;
}

/** Embargos do IBAMA. Termos de embargo de obras, atividades e áreas, em vigor ou levantados. */
export interface PaginaIbamaEmbargos {
  /** encontrado: há registros; sem_ocorrencia: não há, nesta fotografia (não é certidão); indisponivel: a fonte não tem carga; erro: a consulta falhou */ status: "encontrado" | "sem_ocorrencia" | "indisponivel" | "erro";
  /** a que o documento foi comparado */ escopo: "empresa" | "estabelecimento";
  /** documento consultado */ documento: string;
  /** período da fonte: AAAA-MM, AAAA-MM-DD ou o rótulo de quem publica */ competencia: string | null;
  /** quando a carga terminou (UTC) */ carregada_em: string | null;
  /** início da cobertura (AAAA-MM-DD) */ cobertura_inicio: string | null;
  /** a carga é antiga para o ritmo de publicação; null: não informado */ desatualizada: boolean | null;
  /** de onde vieram os registros */ proveniencia: Proveniencia | null;
  itens: ItemIbamaEmbargos[];
  /** registros em todas as páginas; null quando o status é indisponivel ou erro */ total: number | null;
  /** cursor da próxima página; null no fim */ proximo_cursor: string | null;
  /** endereço da próxima página desta coleção; null no fim */ proxima_url: string | null;
}

/** Fontes do grupo ambiental. */
export interface RegistrosPublicosAmbiental {
  ibama_autos: PaginaIbamaAutos;
  ibama_embargos: PaginaIbamaEmbargos;
}

/** Transportadores rodoviários de cargas (RNTRC): um registro, com os campos e valores da fonte. */
export interface ItemRntrc {
  /** número do registro, nove dígitos com zeros à esquerda */ numero_rntrc: string | null;
  /** nome do transportador */ nome_transportador: string | null;
  /** CNPJ do transportador, sem máscara; autônomos não são carregados */ cpfcnpjtransportador: string | null;
  /** ETC: empresa de transporte; CTC: cooperativa */ categoria_transportador: string | null;
  /** ATIVO ou PENDENTE; cancelados não são publicados */ situacao_rntrc: string | null;
  /** data do primeiro cadastro (DD/MM/AAAA) */ data_primeiro_cadastro: string | null;
  /** data da situação (DD/MM/AAAA) */ data_situacao_rntrc: string | null;
  /** CEP do transportador, com hífen */ cep: string | null;
  /** município do transportador, sem código */ municipio: string | null;
  /** UF do transportador */ uf: string | null;
  /** Sim quando é equiparado a transportador autônomo (TAC), Não quando não */ equiparado: string | null;
}

/** Transportadores rodoviários de cargas (RNTRC). Empresas e cooperativas de transporte com registro ativo ou pendente. Registros cancelados não são publicados: a ausência não prova nada. */
export interface PaginaRntrc {
  /** encontrado: há registros; sem_ocorrencia: não há, nesta fotografia (não é certidão); indisponivel: a fonte não tem carga; erro: a consulta falhou */ status: "encontrado" | "sem_ocorrencia" | "indisponivel" | "erro";
  /** a que o documento foi comparado */ escopo: "empresa" | "estabelecimento";
  /** documento consultado */ documento: string;
  /** período da fonte: AAAA-MM, AAAA-MM-DD ou o rótulo de quem publica */ competencia: string | null;
  /** quando a carga terminou (UTC) */ carregada_em: string | null;
  /** início da cobertura (AAAA-MM-DD) */ cobertura_inicio: string | null;
  /** a carga é antiga para o ritmo de publicação; null: não informado */ desatualizada: boolean | null;
  /** de onde vieram os registros */ proveniencia: Proveniencia | null;
  itens: ItemRntrc[];
  /** registros em todas as páginas; null quando o status é indisponivel ou erro */ total: number | null;
  /** cursor da próxima página; null no fim */ proximo_cursor: string | null;
  /** endereço da próxima página desta coleção; null no fim */ proxima_url: string | null;
}

/** Fontes do grupo transporte. */
export interface RegistrosPublicosTransporte {
  rntrc: PaginaRntrc;
}

/** Contratos públicos como fornecedor: um registro, com os campos e valores da fonte. */
export interface ItemPncp {
  /** número do contrato no PNCP: CNPJ-2-sequência/ano */ numero_controle_pncp: unknown;
  /** número da contratação que deu origem ao contrato: CNPJ-1-sequência/ano */ numero_controle_pncp_compra: unknown;
  /** lista com o papel do CNPJ consultado em pncp: fornecedor, subcontratado ou ambos */ participacao: unknown;
  /** ano do contrato, número */ ano_contrato: unknown;
  /** sequência do contrato no ano, número */ sequencial_contrato: unknown;
  /** número do contrato ou do empenho no órgão, texto */ numero_contrato_empenho: unknown;
  /** número do processo no órgão, texto */ processo: unknown;
  /** tipo do instrumento: objeto com id e nome, como 1 Contrato ou 7 Empenho */ tipo_contrato: unknown;
  /** categoria da contratação: objeto com id e nome, como 2 Compras, 7 Obras ou 8 Serviços */ categoria_processo: unknown;
  /** true quando o contrato gera receita para o órgão, false quando gera despesa */ receita: unknown;
  /** objeto do contrato, em texto livre */ objeto_contrato: unknown;
  /** informações complementares, em texto livre */ informacao_complementar: unknown;
  /** órgão contratante: objeto com cnpj, razao_social, poder_id e esfera_id */ orgao_entidade: unknown;
  /** unidade do órgão: objeto com codigo_unidade, nome_unidade, codigo_ibge, municipio_nome, uf_sigla e uf_nome */ unidade_orgao: unknown;
  /** órgão que assumiu o contrato, na forma de orgao_entidade, ou null */ orgao_sub_rogado: unknown;
  /** unidade que assumiu o contrato, na forma de unidade_orgao, ou null */ unidade_sub_rogada: unknown;
  /** pessoa do fornecedor: PJ jurídica, PF física ou PE estrangeira */ tipo_pessoa: unknown;
  /** CNPJ, CPF mascarado ou identificação estrangeira do fornecedor, texto */ ni_fornecedor: unknown;
  /** nome do fornecedor */ nome_razao_social_fornecedor: unknown;
  /** país do fornecedor em três letras, como BRA */ codigo_pais_fornecedor: unknown;
  /** pessoa do subcontratado: PJ, PF ou PE, ou null */ tipo_pessoa_sub_contratada: unknown;
  /** CNPJ, CPF mascarado ou identificação estrangeira do subcontratado, ou null */ ni_fornecedor_sub_contratado: unknown;
  /** nome do subcontratado, ou null */ nome_fornecedor_sub_contratado: unknown;
  /** valor inicial do contrato, número com até quatro decimais (reais) */ valor_inicial: unknown;
  /** quantas parcelas, número */ numero_parcelas: unknown;
  /** valor de cada parcela, número com até quatro decimais (reais) */ valor_parcela: unknown;
  /** valor do contrato inteiro, número com até quatro decimais; não é a parte do subcontratado (reais) */ valor_global: unknown;
  /** valor acumulado com os aditivos, número com até quatro decimais; muitas vezes null (reais) */ valor_acumulado: unknown;
  /** data da assinatura (AAAA-MM-DD) */ data_assinatura: unknown;
  /** início da vigência (AAAA-MM-DD) */ data_vigencia_inicio: unknown;
  /** fim da vigência (AAAA-MM-DD) */ data_vigencia_fim: unknown;
  /** quantas vezes o registro foi retificado, número */ numero_retificacao: unknown;
  /** quando foi publicado no PNCP, sem fuso (AAAA-MM-DDTHH:MM:SS) */ data_publicacao_pncp: unknown;
  /** última atualização do registro, sem fuso (AAAA-MM-DDTHH:MM:SS) */ data_atualizacao: unknown;
  /** última atualização do registro ou do que depende dele, sem fuso (AAAA-MM-DDTHH:MM:SS) */ data_atualizacao_global: unknown;
  /** identificador no Cadastro Integrado de Projetos de Investimento (CIPI), ou null */ identificador_cipi: unknown;
  /** endereço no CIPI, ou null */ url_cipi: unknown;
  /** sistema ou usuário que enviou o registro ao PNCP */ usuario_nome: unknown;
  /** página do contrato no PNCP */ url: unknown;
}

/** Contratos públicos como fornecedor. Contratos e empenhos em que o CNPJ é fornecedor ou subcontratado. O valor global é o do contrato, não a parte do subcontratado. */
export interface PaginaPncp {
  /** encontrado: há registros; sem_ocorrencia: não há, nesta fotografia (não é certidão); indisponivel: a fonte não tem carga; erro: a consulta falhou */ status: "encontrado" | "sem_ocorrencia" | "indisponivel" | "erro";
  /** a que o documento foi comparado */ escopo: "empresa" | "estabelecimento";
  /** documento consultado */ documento: string;
  /** período da fonte: AAAA-MM, AAAA-MM-DD ou o rótulo de quem publica */ competencia: string | null;
  /** quando a carga terminou (UTC) */ carregada_em: string | null;
  /** início da cobertura (AAAA-MM-DD) */ cobertura_inicio: string | null;
  /** a carga é antiga para o ritmo de publicação; null: não informado */ desatualizada: boolean | null;
  /** de onde vieram os registros */ proveniencia: Proveniencia | null;
  itens: ItemPncp[];
  /** registros em todas as páginas; null quando o status é indisponivel ou erro */ total: number | null;
  /** cursor da próxima página; null no fim */ proximo_cursor: string | null;
  /** endereço da próxima página desta coleção; null no fim */ proxima_url: string | null;
}

/** Contratos públicos como contratante: um registro, com os campos e valores da fonte. */
export interface ItemPncpOrgao {
  /** número do contrato no PNCP: CNPJ-2-sequência/ano */ numero_controle_pncp: unknown;
  /** número da contratação que deu origem ao contrato: CNPJ-1-sequência/ano */ numero_controle_pncp_compra: unknown;
  /** lista com o papel do CNPJ consultado em pncp: fornecedor, subcontratado ou ambos */ participacao: unknown;
  /** ano do contrato, número */ ano_contrato: unknown;
  /** sequência do contrato no ano, número */ sequencial_contrato: unknown;
  /** número do contrato ou do empenho no órgão, texto */ numero_contrato_empenho: unknown;
  /** número do processo no órgão, texto */ processo: unknown;
  /** tipo do instrumento: objeto com id e nome, como 1 Contrato ou 7 Empenho */ tipo_contrato: unknown;
  /** categoria da contratação: objeto com id e nome, como 2 Compras, 7 Obras ou 8 Serviços */ categoria_processo: unknown;
  /** true quando o contrato gera receita para o órgão, false quando gera despesa */ receita: unknown;
  /** objeto do contrato, em texto livre */ objeto_contrato: unknown;
  /** informações complementares, em texto livre */ informacao_complementar: unknown;
  /** órgão contratante: objeto com cnpj, razao_social, poder_id e esfera_id */ orgao_entidade: unknown;
  /** unidade do órgão: objeto com codigo_unidade, nome_unidade, codigo_ibge, municipio_nome, uf_sigla e uf_nome */ unidade_orgao: unknown;
  /** órgão que assumiu o contrato, na forma de orgao_entidade, ou null */ orgao_sub_rogado: unknown;
  /** unidade que assumiu o contrato, na forma de unidade_orgao, ou null */ unidade_sub_rogada: unknown;
  /** pessoa do fornecedor: PJ jurídica, PF física ou PE estrangeira */ tipo_pessoa: unknown;
  /** CNPJ, CPF mascarado ou identificação estrangeira do fornecedor, texto */ ni_fornecedor: unknown;
  /** nome do fornecedor */ nome_razao_social_fornecedor: unknown;
  /** país do fornecedor em três letras, como BRA */ codigo_pais_fornecedor: unknown;
  /** pessoa do subcontratado: PJ, PF ou PE, ou null */ tipo_pessoa_sub_contratada: unknown;
  /** CNPJ, CPF mascarado ou identificação estrangeira do subcontratado, ou null */ ni_fornecedor_sub_contratado: unknown;
  /** nome do subcontratado, ou null */ nome_fornecedor_sub_contratado: unknown;
  /** valor inicial do contrato, número com até quatro decimais (reais) */ valor_inicial: unknown;
  /** quantas parcelas, número */ numero_parcelas: unknown;
  /** valor de cada parcela, número com até quatro decimais (reais) */ valor_parcela: unknown;
  /** valor do contrato inteiro, número com até quatro decimais; não é a parte do subcontratado (reais) */ valor_global: unknown;
  /** valor acumulado com os aditivos, número com até quatro decimais; muitas vezes null (reais) */ valor_acumulado: unknown;
  /** data da assinatura (AAAA-MM-DD) */ data_assinatura: unknown;
  /** início da vigência (AAAA-MM-DD) */ data_vigencia_inicio: unknown;
  /** fim da vigência (AAAA-MM-DD) */ data_vigencia_fim: unknown;
  /** quantas vezes o registro foi retificado, número */ numero_retificacao: unknown;
  /** quando foi publicado no PNCP, sem fuso (AAAA-MM-DDTHH:MM:SS) */ data_publicacao_pncp: unknown;
  /** última atualização do registro, sem fuso (AAAA-MM-DDTHH:MM:SS) */ data_atualizacao: unknown;
  /** última atualização do registro ou do que depende dele, sem fuso (AAAA-MM-DDTHH:MM:SS) */ data_atualizacao_global: unknown;
  /** identificador no Cadastro Integrado de Projetos de Investimento (CIPI), ou null */ identificador_cipi: unknown;
  /** endereço no CIPI, ou null */ url_cipi: unknown;
  /** sistema ou usuário que enviou o registro ao PNCP */ usuario_nome: unknown;
  /** página do contrato no PNCP */ url: unknown;
}

/** Contratos públicos como contratante. Contratos e empenhos em que o CNPJ consultado é o órgão contratante. */
export interface PaginaPncpOrgao {
  /** encontrado: há registros; sem_ocorrencia: não há, nesta fotografia (não é certidão); indisponivel: a fonte não tem carga; erro: a consulta falhou */ status: "encontrado" | "sem_ocorrencia" | "indisponivel" | "erro";
  /** a que o documento foi comparado */ escopo: "empresa" | "estabelecimento";
  /** documento consultado */ documento: string;
  /** período da fonte: AAAA-MM, AAAA-MM-DD ou o rótulo de quem publica */ competencia: string | null;
  /** quando a carga terminou (UTC) */ carregada_em: string | null;
  /** início da cobertura (AAAA-MM-DD) */ cobertura_inicio: string | null;
  /** a carga é antiga para o ritmo de publicação; null: não informado */ desatualizada: boolean | null;
  /** de onde vieram os registros */ proveniencia: Proveniencia | null;
  itens: ItemPncpOrgao[];
  /** registros em todas as páginas; null quando o status é indisponivel ou erro */ total: number | null;
  /** cursor da próxima página; null no fim */ proximo_cursor: string | null;
  /** endereço da próxima página desta coleção; null no fim */ proxima_url: string | null;
}

/** Fontes do grupo contratacoes_publicas. */
export interface RegistrosPublicosContratacoesPublicas {
  pncp: PaginaPncp;
  pncp_orgao: PaginaPncpOrgao;
}

/** Financiamentos do BNDES: um registro, com os campos e valores da fonte. */
export interface ItemBndes {
  /** nao_automatica (cada registro é um subcrédito) ou indireta_automatica */ tipo_operacao: string | null;
  /** documento do cliente como o BNDES o publica: CNPJ completo ou mascarado */ documento_fonte: string | null;
  /** CNPJ ao qual a operação foi ligada, sem máscara */ cnpj_vinculado: string | null;
  /** como o CNPJ foi obtido: publicado, inferido_raiz_no_nome ou inferido_mascara_nome_municipio; veja /metodologia/bndes */ metodo_vinculo: string | null;
  /** nome do cliente, cortado pela fonte em 55 caracteres */ cliente: string | null;
  /** número do contrato; repete-se nos seus subcréditos, e não existe nas indiretas automáticas */ numero_do_contrato: string | null;
  /** descrição do projeto; só nas não automáticas */ descricao_do_projeto: string | null;
  /** UF do investimento ou do cliente */ uf: string | null;
  /** município do investimento ou do cliente */ municipio: string | null;
  /** código desse município no IBGE, sete dígitos; null quando a fonte não o conhece */ municipio_codigo: string | null;
  /** data da contratação (AAAA-MM-DD) */ data_da_contratacao: string | null;
  /** valor contratado, sem correção (reais) */ valor_contratado_reais: number | null;
  /** valor desembolsado, sem correção; pode superar o contratado (reais) */ valor_desembolsado_reais: number | null;
  /** origem dos recursos; várias são separadas por / */ fonte_de_recurso_desembolsos: string | null;
  /** índice do custo, como TLP, SELIC ou TAXA FIXA */ custo_financeiro: string | null;
  /** taxa somada ao custo financeiro; com TAXA FIXA é o custo inteiro (% ao ano) */ juros: number | null;
  /** prazo de carência (meses) */ prazo_carencia_meses: number | null;
  /** prazo de amortização (meses) */ prazo_amortizacao_meses: number | null;
  /** REEMBOLSÁVEL ou NÃO REEMBOLSÁVEL */ modalidade_de_apoio: string | null;
  /** DIRETA, pelo próprio BNDES, ou INDIRETA, por instituição credenciada */ forma_de_apoio: string | null;
  /** produto do BNDES */ produto: string | null;
  /** instrumento financeiro do BNDES */ instrumento_financeiro: string | null;
  /** SIM quando a operação é de inovação, NÃO quando não */ inovacao: string | null;
  /** área do BNDES que cuida da operação */ area_operacional: string | null;
  /** setor da economia, segundo a CNAE */ setor_cnae: string | null;
  /** subsetor da CNAE, agrupado pelo BNDES */ subsetor_cnae_agrupado: string | null;
  /** código da CNAE: letra da seção e sete dígitos, completado com zeros */ subsetor_cnae_codigo: string | null;
  /** nome da CNAE */ subsetor_cnae_nome: string | null;
  /** setor na classificação do BNDES */ setor_bndes: string | null;
  /** subsetor na classificação do BNDES */ subsetor_bndes: string | null;
  /** porte do cliente: MICRO, PEQUENA, MÉDIA ou GRANDE */ porte_do_cliente: string | null;
  /** natureza do cliente: privada ou da administração pública */ natureza_do_cliente: string | null;
  /** instituição que repassou os recursos, nas operações indiretas */ instituicao_financeira_credenciada: string | null;
  /** CNPJ da instituição, sem máscara */ cnpj_instituicao_financeira: string | null;
  /** garantia da operação */ tipo_de_garantia: string | null;
  /** excepcionalidade da operação, como publicada */ tipo_de_excepcionalidade: string | null;
  /** situação do contrato ou da operação, como ATIVA ou LIQUIDADA */ situacao: string | null;
}

/** Financiamentos do BNDES. Operações de financiamento contratadas desde 2002. Um subcrédito não é necessariamente um contrato; parte dos vínculos é inferida pela metodologia descrita. */
export interface PaginaBndes {
  /** encontrado: há registros; sem_ocorrencia: não há, nesta fotografia (não é certidão); indisponivel: a fonte não tem carga; erro: a consulta falhou */ status: "encontrado" | "sem_ocorrencia" | "indisponivel" | "erro";
  /** a que o documento foi comparado */ escopo: "empresa" | "estabelecimento";
  /** documento consultado */ documento: string;
  /** período da fonte: AAAA-MM, AAAA-MM-DD ou o rótulo de quem publica */ competencia: string | null;
  /** quando a carga terminou (UTC) */ carregada_em: string | null;
  /** início da cobertura (AAAA-MM-DD) */ cobertura_inicio: string | null;
  /** a carga é antiga para o ritmo de publicação; null: não informado */ desatualizada: boolean | null;
  /** de onde vieram os registros */ proveniencia: Proveniencia | null;
  itens: ItemBndes[];
  /** registros em todas as páginas; null quando o status é indisponivel ou erro */ total: number | null;
  /** cursor da próxima página; null no fim */ proximo_cursor: string | null;
  /** endereço da próxima página desta coleção; null no fim */ proxima_url: string | null;
}

/** Fontes do grupo financiamento. */
export interface RegistrosPublicosFinanciamento {
  bndes: PaginaBndes;
}

/** A primeira página de cada fonte, por tema. */
export interface RegistrosPublicos {
  /** Fontes do grupo dividas. */ dividas: RegistrosPublicosDividas;
  /** Fontes do grupo sancoes. */ sancoes: RegistrosPublicosSancoes;
  /** Fontes do grupo trabalho. */ trabalho: RegistrosPublicosTrabalho;
  /** Fontes do grupo comercio_exterior. */ comercio_exterior: RegistrosPublicosComercioExterior;
  /** Fontes do grupo ambiental. */ ambiental: RegistrosPublicosAmbiental;
  /** Fontes do grupo transporte. */ transporte: RegistrosPublicosTransporte;
  /** Fontes do grupo contratacoes_publicas. */ contratacoes_publicas: RegistrosPublicosContratacoesPublicas;
  /** Fontes do grupo financiamento. */ financiamento: RegistrosPublicosFinanciamento;
}

/** Cadastro da empresa e fontes. */
export interface RespostaEmpresaFullDados {
  empresa: Empresa;
  estabelecimentos: Estabelecimentos;
  registros_publicos: RegistrosPublicos;
}

/** A resposta. */
export interface RespostaEmpresaFull {
  /** Cadastro da empresa e fontes. */ dados: RespostaEmpresaFullDados;
  meta: Meta;
}

/** A resposta. */
export interface RespostaFonte {
  dados: PaginaPgfn | PaginaCeis | PaginaCnep | PaginaCepim | PaginaAcordosLeniencia | PaginaMteEmpregadores | PaginaMteCeac | PaginaHabilitacaoAduaneira | PaginaIbamaAutos | PaginaIbamaEmbargos | PaginaRntrc | PaginaPncp | PaginaPncpOrgao | PaginaBndes;
  meta: Meta;
}

/** A resposta. */
export interface RespostaEstabelecimentos {
  dados: Estabelecimentos;
  meta: Meta;
}

/** A resposta. */
export interface RespostaSocios {
  dados: Socios;
  meta: Meta;
}

/** Uma página da história de uma empresa ou estabelecimento. */
export interface MudancasDoDocumento {
  /** as 8 primeiras posições do CNPJ, que identificam a empresa */ cnpj_basico: string;
  /** de cada fonte, desde quando se conhecem as mudanças e o que não foi comparado */ cobertura: CoberturaDaHistoria[];
  itens: Mudanca[];
  /** eventos em todas as páginas */ total: number;
  /** cursor da próxima página; null no fim */ proximo_cursor: string | null;
  /** endereço da próxima página desta coleção; null no fim */ proxima_url: string | null;
}

/** A resposta. */
export interface RespostaMudancasDoDocumento {
  dados: MudancasDoDocumento;
  meta: Meta;
}

/** Cadastro do estabelecimento. */
export interface RespostaEstabelecimentoBasicDados {
  empresa: Empresa;
  estabelecimento: Estabelecimento;
}

/** A resposta. */
export interface RespostaEstabelecimentoBasic {
  /** Cadastro do estabelecimento. */ dados: RespostaEstabelecimentoBasicDados;
  meta: Meta;
}

/** Cadastro do estabelecimento e fontes. */
export interface RespostaEstabelecimentoFullDados {
  empresa: Empresa;
  estabelecimento: Estabelecimento;
  registros_publicos: RegistrosPublicos;
}

/** A resposta. */
export interface RespostaEstabelecimentoFull {
  /** Cadastro do estabelecimento e fontes. */ dados: RespostaEstabelecimentoFullDados;
  meta: Meta;
}

/** Um contato da matriz que outras empresas também publicam. Sugere um vínculo, e não o prova. */
export interface RespostaRedeDadosContatos1Item {
  /** id da empresa */ de: string;
  /** o que é */ tipo: "telefone" | "email" | "email_dominio" | "endereco";
  /** o contato */ valor: string;
  /** true: mais de vinte outras o publicam, como os de contadores, provedores de e-mail e prédios; não diz nada */ comum: boolean;
  /** CNPJ de um estabelecimento de cada outra empresa; vazia se comum */ com: string[];
}

/** Textos dos códigos. */
export interface MembroDaRedeDescricoes {
  /** texto do código pais; null: desconhecido */ pais: string | null;
  /** texto do código municipio; null: desconhecido */ municipio: string | null;
  /** texto do código situacao_cadastral; null: desconhecido */ situacao_cadastral: string | null;
}

/** Uma empresa, ou quem está em uma. Nome e seis dígitos do CPF não identificam uma pessoa: há homônimos. */
export interface MembroDaRede {
  /** identificador, o mesmo em todas as cargas: as 8 posições de uma empresa; de uma pessoa, seis dígitos do CPF e o nome; ex- de quem está no exterior */ id: string;
  /** o que é */ tipo: "empresa" | "pessoa" | "estrangeiro" | "nao_identificado";
  /** nome como foi publicado; null: a empresa não consta da carga */ nome: string | null;
  /** CNPJ da matriz de uma empresa */ cnpj: string | null;
  /** CPF mascarado de uma pessoa, como foi publicado */ documento: string | null;
  /** país de um estrangeiro */ pais: string;
  /** estado da matriz, sigla */ uf: string;
  /** município da matriz, código da Receita Federal */ municipio: string;
  /** situação cadastral, código de dois dígitos (01 Nula; 02 Ativa; 03 Suspensa; 04 Inapta; 05 Ativa Não Regular; 08 Baixada) */ situacao_cadastral: string;
  /** vínculos até o membro pedido mais próximo */ distancia: number;
  /** Textos dos códigos. */ descricoes: MembroDaRedeDescricoes;
}

/** Uma linha da tabela de sócios da empresa. */
export interface RespostaRedeDadosVinculosItemLinhasItem {
  /** posição entre os sócios da empresa, a partir de 1, como em /v2/empresas/{documento}/socios */ numero: number;
  /** true: quem tem o vínculo é o representante legal deste sócio */ representante: boolean;
  socio: Socio;
}

/** Uma empresa nomeia um sócio ou representante. */
export interface RespostaRedeDadosVinculosItem {
  /** id de quem é nomeado */ de: string;
  /** as 8 posições da empresa que nomeia */ para: string;
  linhas: RespostaRedeDadosVinculosItemLinhasItem[];
}

/** Quantos vínculos de um membro não estão na rede, pelos limites dela. */
export interface ForaDaRede {
  /** identificador do membro */ id: string;
  /** sócios da empresa que não estão na rede */ socios: number;
  /** empresas que nomeiam o membro e não estão na rede */ empresas: number;
}

/** De onde são as linhas. */
export interface RespostaRedeDadosEvidencia {
  /** a tabela publicada */ tabela: "Socios";
  /** número da carga, cuja página é /fontes/receita/cargas/{carga} */ carga: number;
  /** mês da carga da Receita Federal (AAAA-MM) */ competencia: string | null;
}

/** A rede. */
export interface RespostaRedeDados {
  /** false: algo ficou de fora, dito em fora ou porque o trabalho acabou */ completa: boolean;
  contatos: RespostaRedeDadosContatos1Item[] | null;
  membros: MembroDaRede[];
  vinculos: RespostaRedeDadosVinculosItem[];
  fora: ForaDaRede[];
  /** De onde são as linhas. */ evidencia: RespostaRedeDadosEvidencia;
  /** o que uma rede não diz */ aviso: string;
  /** chamadas como que a resposta conta, pelo trabalho */ chamadas: number;
}

/** Sobre a resposta. */
export interface RespostaRedeMeta {
  /** versão da API */ versao: "v2";
  /** versão do produto */ release: string;
  /** o que foi consultado */ recurso: "rede";
  /** mês da carga da Receita Federal (AAAA-MM) */ competencia: string | null;
  /** conjunto de cargas que respondeu */ fotografia: string;
  /** o mesmo de X-Request-ID */ requisicao_id: string;
  /** parcial: alguma fonte falhou ou não tem carga, ou há lacunas */ disponibilidade: "completa" | "parcial";
  /** só quando faltou à carga algum arquivo do que esta resposta mostra: nestas partes o que não aparece pode existir, e os totais são mínimos */ lacunas?: Lacuna[];
}

/** A resposta. */
export interface RespostaRede {
  /** A rede. */ dados: RespostaRedeDados;
  /** Sobre a resposta. */ meta: RespostaRedeMeta;
}

/** Uma linha da tabela de sócios da empresa. */
export interface RespostaSocioEmpresasDadosVinculosItemLinhasItem {
  /** posição entre os sócios da empresa, a partir de 1, como em /v2/empresas/{documento}/socios */ numero: number;
  /** true: quem tem o vínculo é o representante legal deste sócio */ representante: boolean;
  socio: Socio;
}

/** Uma empresa nomeia um sócio ou representante. */
export interface RespostaSocioEmpresasDadosVinculosItem {
  /** id de quem é nomeado */ de: string;
  /** as 8 posições da empresa que nomeia */ para: string;
  linhas: RespostaSocioEmpresasDadosVinculosItemLinhasItem[];
}

/** De onde são as linhas. */
export interface RespostaSocioEmpresasDadosEvidencia {
  /** a tabela publicada */ tabela: "Socios";
  /** número da carga, cuja página é /fontes/receita/cargas/{carga} */ carga: number;
  /** mês da carga da Receita Federal (AAAA-MM) */ competencia: string | null;
}

/** A rede. */
export interface RespostaSocioEmpresasDados {
  /** vínculos em todas as páginas */ total: number;
  /** cursor da próxima página; null no fim */ proximo_cursor: string | null;
  /** endereço da próxima página desta coleção; null no fim */ proxima_url: string | null;
  membros: MembroDaRede[];
  vinculos: RespostaSocioEmpresasDadosVinculosItem[];
  fora: ForaDaRede[];
  /** De onde são as linhas. */ evidencia: RespostaSocioEmpresasDadosEvidencia;
  /** o que uma rede não diz */ aviso: string;
  /** chamadas como que a resposta conta, pelo trabalho */ chamadas: number;
}

/** Sobre a resposta. */
export interface RespostaSocioEmpresasMeta {
  /** versão da API */ versao: "v2";
  /** versão do produto */ release: string;
  /** o que foi consultado */ recurso: "socio_empresas";
  /** mês da carga da Receita Federal (AAAA-MM) */ competencia: string | null;
  /** conjunto de cargas que respondeu */ fotografia: string;
  /** o mesmo de X-Request-ID */ requisicao_id: string;
  /** parcial: alguma fonte falhou ou não tem carga, ou há lacunas */ disponibilidade: "completa" | "parcial";
  /** só quando faltou à carga algum arquivo do que esta resposta mostra: nestas partes o que não aparece pode existir, e os totais são mínimos */ lacunas?: Lacuna[];
}

/** A resposta. */
export interface RespostaSocioEmpresas {
  /** A rede. */ dados: RespostaSocioEmpresasDados;
  /** Sobre a resposta. */ meta: RespostaSocioEmpresasMeta;
}

/** Uma empresa com registros. */
export interface RespostaGrupoDadosRegistrosItemEmpresasItem {
  /** as 8 posições da empresa */ cnpj_basico: string;
  /** encontrado: há registros; sem_ocorrencia: não há, nesta fotografia (não é certidão); indisponivel: a fonte não tem carga; erro: não foi possível consultar */ status: "encontrado" | "sem_ocorrencia" | "indisponivel" | "erro";
  /** registros das empresas */ registros: number;
  /** soma, em reais, dos valores que podem ser somados; null: a fonte não tem valores, ou nem todos puderam ser somados */ total: number | null;
  /** registros em vigor hoje; null: não se aplica à fonte, ou nem todos puderam ser lidos */ em_vigor: number | null;
}

/** O que uma fonte tem das empresas do grupo. */
export interface RespostaGrupoDadosRegistrosItem {
  /** identificador da fonte */ fonte: string;
  /** encontrado: há registros; sem_ocorrencia: não há, nesta fotografia (não é certidão); indisponivel: a fonte não tem carga; erro: não foi possível consultar */ status: "encontrado" | "sem_ocorrencia" | "indisponivel" | "erro";
  /** registros das empresas */ registros: number;
  /** soma, em reais, dos valores que podem ser somados; null: a fonte não tem valores, ou nem todos puderam ser somados */ total: number | null;
  /** registros em vigor hoje; null: não se aplica à fonte, ou nem todos puderam ser lidos */ em_vigor: number | null;
  empresas: RespostaGrupoDadosRegistrosItemEmpresasItem[];
  /** empresas de que a fonte não pôde ser lida inteira: os registros delas não estão na soma */ sem_resposta: string[];
}

/** Uma linha da tabela de sócios da empresa. */
export interface RespostaGrupoDadosVinculosItemLinhasItem {
  /** posição entre os sócios da empresa, a partir de 1, como em /v2/empresas/{documento}/socios */ numero: number;
  /** true: quem tem o vínculo é o representante legal deste sócio */ representante: boolean;
  socio: Socio;
}

/** Uma empresa nomeia um sócio ou representante. */
export interface RespostaGrupoDadosVinculosItem {
  /** id de quem é nomeado */ de: string;
  /** as 8 posições da empresa que nomeia */ para: string;
  linhas: RespostaGrupoDadosVinculosItemLinhasItem[];
}

/** De onde são as linhas. */
export interface RespostaGrupoDadosEvidencia {
  /** a tabela publicada */ tabela: "Socios";
  /** número da carga, cuja página é /fontes/receita/cargas/{carga} */ carga: number;
  /** mês da carga da Receita Federal (AAAA-MM) */ competencia: string | null;
}

/** A rede. */
export interface RespostaGrupoDados {
  /** false: algo ficou de fora, dito em fora ou porque o trabalho acabou */ completa: boolean;
  /** empresas que, de sócia em sócia, têm a si mesmas: cada lista é um círculo, o mais curto de quem está nele */ ciclos: string[][];
  registros: RespostaGrupoDadosRegistrosItem[];
  membros: MembroDaRede[];
  vinculos: RespostaGrupoDadosVinculosItem[];
  fora: ForaDaRede[];
  /** De onde são as linhas. */ evidencia: RespostaGrupoDadosEvidencia;
  /** o que uma rede não diz */ aviso: string;
  /** chamadas como que a resposta conta, pelo trabalho */ chamadas: number;
}

/** Sobre a resposta. */
export interface RespostaGrupoMeta {
  /** versão da API */ versao: "v2";
  /** versão do produto */ release: string;
  /** o que foi consultado */ recurso: "grupo";
  /** mês da carga da Receita Federal (AAAA-MM) */ competencia: string | null;
  /** conjunto de cargas que respondeu */ fotografia: string;
  /** o mesmo de X-Request-ID */ requisicao_id: string;
  /** parcial: alguma fonte falhou ou não tem carga, ou há lacunas */ disponibilidade: "completa" | "parcial";
  /** só quando faltou à carga algum arquivo do que esta resposta mostra: nestas partes o que não aparece pode existir, e os totais são mínimos */ lacunas?: Lacuna[];
}

/** A resposta. */
export interface RespostaGrupo {
  /** A rede. */ dados: RespostaGrupoDados;
  /** Sobre a resposta. */ meta: RespostaGrupoMeta;
}

/** Uma linha da tabela de sócios da empresa. */
export interface RespostaCaminhoDadosVinculosItemLinhasItem {
  /** posição entre os sócios da empresa, a partir de 1, como em /v2/empresas/{documento}/socios */ numero: number;
  /** true: quem tem o vínculo é o representante legal deste sócio */ representante: boolean;
  socio: Socio;
}

/** Uma empresa nomeia um sócio ou representante. */
export interface RespostaCaminhoDadosVinculosItem {
  /** id de quem é nomeado */ de: string;
  /** as 8 posições da empresa que nomeia */ para: string;
  linhas: RespostaCaminhoDadosVinculosItemLinhasItem[];
}

/** De onde são as linhas. */
export interface RespostaCaminhoDadosEvidencia {
  /** a tabela publicada */ tabela: "Socios";
  /** número da carga, cuja página é /fontes/receita/cargas/{carga} */ carga: number;
  /** mês da carga da Receita Federal (AAAA-MM) */ competencia: string | null;
}

/** A rede. */
export interface RespostaCaminhoDados {
  /** cada caminho é uma lista de ids de membros, de um fim ao outro */ caminhos: string[][];
  /** false: pode haver outros caminhos, ou mais curtos */ completo: boolean;
  membros: MembroDaRede[];
  vinculos: RespostaCaminhoDadosVinculosItem[];
  fora: ForaDaRede[];
  /** De onde são as linhas. */ evidencia: RespostaCaminhoDadosEvidencia;
  /** o que uma rede não diz */ aviso: string;
  /** chamadas como que a resposta conta, pelo trabalho */ chamadas: number;
}

/** Sobre a resposta. */
export interface RespostaCaminhoMeta {
  /** versão da API */ versao: "v2";
  /** versão do produto */ release: string;
  /** o que foi consultado */ recurso: "caminho";
  /** mês da carga da Receita Federal (AAAA-MM) */ competencia: string | null;
  /** conjunto de cargas que respondeu */ fotografia: string;
  /** o mesmo de X-Request-ID */ requisicao_id: string;
  /** parcial: alguma fonte falhou ou não tem carga, ou há lacunas */ disponibilidade: "completa" | "parcial";
  /** só quando faltou à carga algum arquivo do que esta resposta mostra: nestas partes o que não aparece pode existir, e os totais são mínimos */ lacunas?: Lacuna[];
}

/** A resposta. */
export interface RespostaCaminho {
  /** A rede. */ dados: RespostaCaminhoDados;
  /** Sobre a resposta. */ meta: RespostaCaminhoMeta;
}

/** Uma linha guardada. */
export interface RespostaProvaDadosLinhas1Item {
  /** 0: a empresa e os primeiros sócios e estabelecimentos; acima, mais estabelecimentos; abaixo, mais sócios */ seq: number;
  /** a linha como foi guardada, em base64 */ doc: string;
}

/** A prova. Hashes e bytes em base64 (RFC 4648, seção 4). */
export interface RespostaProvaDados {
  /** as 8 posições da empresa */ cnpj_basico: string;
  /** número da carga, cuja página é /fontes/receita/cargas/{carga} */ carga: number;
  /** posição da folha, a partir de 0, na ordem dos CNPJs */ indice: number;
  /** folhas da árvore: as empresas da carga, também as que só têm estabelecimentos */ tamanho: number;
  /** hash da folha: SHA-256 do byte 0, das 8 posições, do nonce e, de cada linha, seq e tamanho (4 bytes cada, big endian) e doc */ folha: string;
  caminho: string[];
  /** nota assinada: origem, tamanho e raiz da árvore; assinatura Ed25519 */ checkpoint: string;
  /** chave que confere a assinatura: nome, hash e chave pública */ chave: string;
  /** 16 bytes que entram na folha, para que o hash não revele o que falta; null sem linhas */ nonce: string | null;
  linhas: RespostaProvaDadosLinhas1Item[] | null;
  /** por que não há linhas; null quando há */ aviso: string | null;
}

/** A resposta. */
export interface RespostaProva {
  /** A prova. Hashes e bytes em base64 (RFC 4648, seção 4). */ dados: RespostaProvaDados;
  meta: Meta;
}

export interface LoteCorpo {
  /** CNPJs de 8 ou 14 posições, sem máscara */ cnpjs: string[];
  /** nomes de campos de Empresa, Estabelecimento ou Simples; sem campos, tudo o que o modo basic traz */ campos?: string[];
}

/** Uma empresa. */
export interface RespostaLoteDadosItensItem1Dados1 {
  empresa: Empresa;
  estabelecimentos: Estabelecimentos;
}

/** Um estabelecimento. */
export interface RespostaLoteDadosItensItem1Dados2 {
  empresa: Empresa;
  estabelecimento: Estabelecimento;
}

/** O que há. */
export interface RespostaLoteDadosItensItem1 {
  /** o número, como veio */ cnpj: string;
  dados: RespostaLoteDadosItensItem1Dados1 | RespostaLoteDadosItensItem1Dados2 | Record<string, unknown>;
}

/** Por que não há dados. */
export interface RespostaLoteDadosItensItem2Erro {
  /** o código do erro */ codigo: "cnpj_invalido" | "cnpj_nao_encontrado" | "carga_parcial";
  /** o mesmo, em palavras */ mensagem: string;
}

/** O que não há. */
export interface RespostaLoteDadosItensItem2 {
  /** o número, como veio */ cnpj: string;
  /** Por que não há dados. */ erro: RespostaLoteDadosItensItem2Erro;
}

/** As respostas, na ordem dos números. */
export interface RespostaLoteDados {
  itens: (RespostaLoteDadosItensItem1 | RespostaLoteDadosItensItem2)[];
}

/** Sobre a resposta. */
export interface RespostaLoteMeta {
  /** versão da API */ versao: "v2";
  /** versão do produto */ release: string;
  /** o que foi consultado */ recurso: "lote";
  /** mês da carga da Receita Federal (AAAA-MM) */ competencia: string | null;
  /** conjunto de cargas que respondeu */ fotografia: string;
  /** o mesmo de X-Request-ID */ requisicao_id: string;
  /** parcial: alguma fonte falhou ou não tem carga, ou há lacunas */ disponibilidade: "completa" | "parcial";
  /** só quando faltou à carga algum arquivo do que esta resposta mostra: nestas partes o que não aparece pode existir, e os totais são mínimos */ lacunas?: Lacuna[];
}

/** A resposta. */
export interface RespostaLote {
  /** As respostas, na ordem dos números. */ dados: RespostaLoteDados;
  /** Sobre a resposta. */ meta: RespostaLoteMeta;
}

/** O que mais a lista diz. */
export interface PerguntaPropertiesItem {
  /** o que é */ pid: "municipio" | "uf" | "atividade";
  /** um texto, um número ou uma lista deles, de que vale o primeiro */ v: unknown;
}

/** Uma pergunta. */
export interface Pergunta {
  /** o nome, como está na lista, ou um CNPJ */ query: string;
  /** candidatas, no máximo */ limit?: number;
  properties?: PerguntaPropertiesItem[];
}

/** Nomes. */
export interface ReconciliarCorpo {
  queries: Record<string, Pergunta>;
}

/** O tipo, sempre o mesmo. */
export interface CandidataTypeItem {
  /** empresa */ id: string;
  /** em palavras */ name: string;
}

/** Por que é candidata. */
export interface CandidataFeaturesItem {
  /** o que se comparou */ id: "cnpj" | "nome" | "municipio" | "uf" | "atividade" | "ativa";
  /** nome: de 0 a 1; os outros: se é o mesmo */ value: number | boolean;
}

/** Uma empresa que pode ser a que se quis dizer, pelo estabelecimento do lugar ou pela matriz. */
export interface Candidata {
  /** CNPJ do estabelecimento */ id: string;
  /** razão social */ name: string;
  /** nome fantasia, lugar, situação e atividade */ description: string;
  type: CandidataTypeItem[];
  /** de 0 a 100 */ score: number;
  /** só ela pode ser: o nome é quase o mesmo e nenhuma outra chega perto */ match: boolean;
  features: CandidataFeaturesItem[];
}

/** Uma resposta. */
export interface ReconciliacaoValor {
  result: Candidata[];
}

/** O tipo, sempre o mesmo. */
export interface SugestoesResultItemNotableItem {
  /** empresa */ id: string;
  /** em palavras */ name: string;
}

export interface SugestoesResultItem {
  /** identificador */ id: string;
  /** nome */ name: string;
  /** o que a distingue de outras */ description: string;
  notable?: SugestoesResultItemNotableItem[];
}

/** Sugestões. */
export interface Sugestoes {
  result: SugestoesResultItem[];
}

/** Um campo. */
export interface CamposPropostosPropertiesItem {
  /** nome do campo */ id: string;
  /** o mesmo */ name: string;
  /** o que é */ description: string;
}

/** Os campos. */
export interface CamposPropostos {
  properties: CamposPropostosPropertiesItem[];
}

/** Um cartão. */
export interface Cartao {
  /** o que foi perguntado */ id: string;
  /** o que há sobre ele */ html: string;
}

export interface BuscarParametros {
  /** o que se procura */ q?: string;
  /** onde procurar as palavras; em tudo se ausente */ em?: "nomes" | "socios";
  /** sim: um resultado por empresa; nao: um por estabelecimento */ agrupar?: "sim" | "nao";
  /** 1: palavras que são um lugar, uma condição ou um contato não viram filtro */ literal?: "0" | "1";
  /** ordem dos resultados */ ordem?: "antigas" | "capital" | "nome" | "recentes" | "relevancia";
  /** sim: conta os valores de cada filtro */ facetas?: "sim" | "nao";
  /** itens por página de cada coleção */ limite?: number;
  /** cursor de proxima_url, com a mesma pergunta e o mesmo limite */ cursor?: string;
  /** Filtro. Município: o código de um município na Receita Federal (4 dígitos) ou no IBGE (7), ou seu nome, como Campinas/SP. Pode repetir-se; “-” antes do valor o exclui. */ municipio?: string[];
  /** Filtro. Estado: a sigla de um estado, ou EX para o exterior. Pode repetir-se; “-” antes do valor o exclui. */ uf?: string[];
  /** Filtro. Região: norte, nordeste, centro-oeste, sudeste, sul. Pode repetir-se; “-” antes do valor o exclui. */ regiao?: string[];
  /** Filtro. Bairro: o nome inteiro de um bairro, como publicado. Pode repetir-se; “-” antes do valor o exclui. */ bairro?: string[];
  /** Filtro. Logradouro: o tipo e o nome, como Rua Sete de Setembro. Pode repetir-se; “-” antes do valor o exclui. */ logradouro?: string[];
  /** Filtro. Número: o do endereço, de até 5 dígitos. Pode repetir-se; “-” antes do valor o exclui. */ numero?: string[];
  /** Filtro. CEP: um CEP ou o começo de um, de 3 a 8 dígitos. Pode repetir-se; “-” antes do valor o exclui. */ cep?: string[];
  /** Filtro. DDD: um DDD, com dois dígitos. Pode repetir-se; “-” antes do valor o exclui. */ ddd?: string[];
  /** Filtro. País: o código de um país na Receita Federal, de estabelecimentos no exterior. Pode repetir-se; “-” antes do valor o exclui. */ pais?: string[];
  /** Filtro. Atividade principal: a letra de uma seção ou os 2, 3, 5 ou 7 primeiros dígitos de uma subclasse. Pode repetir-se; “-” antes do valor o exclui. */ cnae?: string[];
  /** Filtro. Atividade secundária: a letra de uma seção ou os 2, 3, 5 ou 7 primeiros dígitos de uma subclasse. Pode repetir-se; “-” antes do valor o exclui. */ cnae_secundario?: string[];
  /** Filtro. Atividade principal ou secundária: a letra de uma seção ou os 2, 3, 5 ou 7 primeiros dígitos de uma subclasse. Pode repetir-se; “-” antes do valor o exclui. */ cnae_todos?: string[];
  /** Filtro. Situação: o código de uma situação cadastral: 01 nula, 02 ativa, 03 suspensa, 04 inapta ou 08 baixada. Pode repetir-se; “-” antes do valor o exclui. */ situacao?: string[];
  /** Filtro. Nesta situação: uma data, AAAA-MM-DD: a primeira da situação cadastral. Incluído. */ situacao_de?: string;
  /** Filtro. Nesta situação: uma data, AAAA-MM-DD: a última da situação cadastral. Incluído. */ situacao_ate?: string;
  /** Filtro. Motivo da situação: um código de dois dígitos. Pode repetir-se; “-” antes do valor o exclui. */ motivo?: string[];
  /** Filtro. Abertura: uma data, AAAA-MM-DD: a primeira de abertura. Incluído. */ abertura_de?: string;
  /** Filtro. Abertura: uma data, AAAA-MM-DD: a última de abertura. Incluído. */ abertura_ate?: string;
  /** Filtro. Ano de abertura: um ano de quatro dígitos: o primeiro de abertura. Incluído. */ ano_de?: string;
  /** Filtro. Ano de abertura: um ano de quatro dígitos: o último de abertura. Incluído. */ ano_ate?: string;
  /** Filtro. Matriz ou filial: matriz ou filial. Pode repetir-se; “-” antes do valor o exclui. */ tipo?: string[];
  /** Filtro. Natureza jurídica: um código de quatro dígitos. Pode repetir-se; “-” antes do valor o exclui. */ natureza?: string[];
  /** Filtro. Porte: o código de um porte: 00 não informado, 01 micro, 03 pequeno ou 05 demais. Pode repetir-se; “-” antes do valor o exclui. */ porte?: string[];
  /** Filtro. Faixa de capital social: uma faixa de capital social em reais: 0, 1-10k, 10k-100k, 100k-1m, 1m-10m, 10m-100m, 100m. Pode repetir-se; “-” antes do valor o exclui. */ capital?: string[];
  /** Filtro. Capital social: um valor em reais, como 1500.50: o menor capital social. Incluído. */ capital_de?: string;
  /** Filtro. Capital social: um valor em reais, como 1500.50: o maior capital social. Incluído. */ capital_ate?: string;
  /** Filtro. Estabelecimentos: um número: o menor de estabelecimentos da empresa. Incluído. */ estabelecimentos_de?: string;
  /** Filtro. Estabelecimentos: um número: o maior de estabelecimentos da empresa. Incluído. */ estabelecimentos_ate?: string;
  /** Filtro. Simples Nacional: sim ou nao. Pode repetir-se; “-” antes do valor o exclui. */ simples?: string[];
  /** Filtro. Optante pelo Simples: uma data, AAAA-MM-DD: a primeira da opção, que ainda vale. Incluído. */ simples_de?: string;
  /** Filtro. Optante pelo Simples: uma data, AAAA-MM-DD: a última da opção, que ainda vale. Incluído. */ simples_ate?: string;
  /** Filtro. MEI: sim ou nao. Pode repetir-se; “-” antes do valor o exclui. */ mei?: string[];
  /** Filtro. Optante pelo MEI: uma data, AAAA-MM-DD: a primeira da opção, que ainda vale. Incluído. */ mei_de?: string;
  /** Filtro. Optante pelo MEI: uma data, AAAA-MM-DD: a última da opção, que ainda vale. Incluído. */ mei_ate?: string;
  /** Filtro. Número de sócios: um número: o menor de sócios da empresa. Incluído. */ socios_de?: string;
  /** Filtro. Número de sócios: um número: o maior de sócios da empresa. Incluído. */ socios_ate?: string;
  /** Filtro. Entre os sócios: pessoa, empresa ou estrangeiro: quem está entre os sócios; vale para a matriz. Pode repetir-se; “-” antes do valor o exclui. */ socio_tipo?: string[];
  /** Filtro. Qualificação de um sócio: um código de dois dígitos; vale para a matriz. Pode repetir-se; “-” antes do valor o exclui. */ socio_qualificacao?: string[];
  /** Filtro. Faixa etária de um sócio: um código de 1 a 9; vale para a matriz. Pode repetir-se; “-” antes do valor o exclui. */ socio_faixa?: string[];
  /** Filtro. Telefone publicado: sim ou nao; o de uma pessoa física conta como nenhum. Pode repetir-se; “-” antes do valor o exclui. */ telefone?: string[];
  /** Filtro. E-mail publicado: sim ou nao; o de uma pessoa física conta como nenhum. Pode repetir-se; “-” antes do valor o exclui. */ email?: string[];
  /** Filtro. Telefone: um número com DDD, como (19) 3233-4455. Pode repetir-se; “-” antes do valor o exclui. */ telefone_numero?: string[];
  /** Filtro. E-mail: um endereço inteiro. Pode repetir-se; “-” antes do valor o exclui. */ email_endereco?: string[];
  /** Filtro. Domínio do e-mail: o domínio do e-mail, como exemplo.com.br. Pode repetir-se; “-” antes do valor o exclui. */ email_dominio?: string[];
  /** Filtro. Registros públicos: o identificador de uma fonte: quem tem registros em alguma delas (pgfn, ceis, cnep, cepim, acordos_leniencia, mte_empregadores, mte_ceac, habilitacao_aduaneira, ibama_autos, ibama_embargos, rntrc, pncp, pncp_orgao, bndes). Pode repetir-se; “-” antes do valor o exclui. */ fonte?: string[];
  /** Filtro. Em todas estas fontes: o identificador de uma fonte: quem tem registros em todas elas. Pode repetir-se. */ fonte_todas?: string[];
  /** Filtro. Dívida ativa: um valor em reais, como 1500.50: a menor dívida ativa da União, somada. Incluído. */ divida_de?: string;
  /** Filtro. Dívida ativa: um valor em reais, como 1500.50: a maior dívida ativa da União, somada. Incluído. */ divida_ate?: string;
  /** Filtro. Sanção em vigor: sim ou nao: uma sanção do CEIS ou do CNEP está em vigor. Pode repetir-se; “-” antes do valor o exclui. */ sancao?: string[];
  /** Filtro. Contratos públicos: um valor em reais, como 1500.50: o menor dos contratos como fornecedor, somados. Incluído. */ contratos_de?: string;
  /** Filtro. Contratos públicos: um valor em reais, como 1500.50: o maior dos contratos como fornecedor, somados. Incluído. */ contratos_ate?: string;
  /** Filtro. Ano de um contrato público: um ano de quatro dígitos: o de um contrato como fornecedor. Pode repetir-se; “-” antes do valor o exclui. */ contratos_ano?: string[];
  /** Filtro. Financiamentos do BNDES: um valor em reais, como 1500.50: o menor dos contratados, somados. Incluído. */ emprestimos_de?: string;
  /** Filtro. Financiamentos do BNDES: um valor em reais, como 1500.50: o maior dos contratados, somados. Incluído. */ emprestimos_ate?: string;
  /** Filtro. Ano de um financiamento do BNDES: um ano de quatro dígitos: o de um financiamento. Pode repetir-se; “-” antes do valor o exclui. */ emprestimos_ano?: string[];
}

export interface ListarMudancasParametros {
  /** só cargas publicadas aqui neste dia (UTC) ou depois */ desde?: string;
  /** código de evento, ou o começo de vários; pode repetir-se */ evento?: ("estabelecimento" | "empresa" | "socio" | "simples" | "mei" | "fonte" | "fonte.pgfn" | "fonte.ceis" | "fonte.cnep" | "fonte.cepim" | "fonte.acordos_leniencia" | "fonte.mte_empregadores" | "fonte.mte_ceac" | "fonte.habilitacao_aduaneira" | "fonte.ibama_autos" | "fonte.ibama_embargos" | "fonte.rntrc" | "fonte.pncp" | "fonte.pncp_orgao" | "fonte.bndes" | "estabelecimento.aberto" | "estabelecimento.removido" | "estabelecimento.baixado" | "estabelecimento.reativado" | "estabelecimento.situacao" | "estabelecimento.endereco" | "estabelecimento.municipio" | "estabelecimento.atividade" | "estabelecimento.atividades_secundarias" | "estabelecimento.contato" | "estabelecimento.nome_fantasia" | "estabelecimento.matriz_filial" | "estabelecimento.situacao_especial" | "estabelecimento.inicio" | "empresa.removida" | "empresa.nome" | "empresa.capital" | "empresa.natureza" | "empresa.porte" | "empresa.responsavel" | "empresa.ente" | "socio.entrou" | "socio.saiu" | "socio.alterado" | "simples.optou" | "simples.saiu" | "simples.alterado" | "mei.optou" | "mei.saiu" | "mei.alterado" | "fonte.pgfn.entrou" | "fonte.pgfn.saiu" | "fonte.pgfn.valor" | "fonte.pgfn.alterado" | "fonte.ceis.entrou" | "fonte.ceis.saiu" | "fonte.ceis.valor" | "fonte.ceis.alterado" | "fonte.cnep.entrou" | "fonte.cnep.saiu" | "fonte.cnep.valor" | "fonte.cnep.alterado" | "fonte.cepim.entrou" | "fonte.cepim.saiu" | "fonte.cepim.valor" | "fonte.cepim.alterado" | "fonte.acordos_leniencia.entrou" | "fonte.acordos_leniencia.saiu" | "fonte.acordos_leniencia.valor" | "fonte.acordos_leniencia.alterado" | "fonte.mte_empregadores.entrou" | "fonte.mte_empregadores.saiu" | "fonte.mte_empregadores.valor" | "fonte.mte_empregadores.alterado" | "fonte.mte_ceac.entrou" | "fonte.mte_ceac.saiu" | "fonte.mte_ceac.valor" | "fonte.mte_ceac.alterado" | "fonte.habilitacao_aduaneira.entrou" | "fonte.habilitacao_aduaneira.saiu" | "fonte.habilitacao_aduaneira.valor" | "fonte.habilitacao_aduaneira.alterado" | "fonte.ibama_autos.entrou" | "fonte.ibama_autos.saiu" | "fonte.ibama_autos.valor" | "fonte.ibama_autos.alterado" | "fonte.ibama_embargos.entrou" | "fonte.ibama_embargos.saiu" | "fonte.ibama_embargos.valor" | "fonte.ibama_embargos.alterado" | "fonte.rntrc.entrou" | "fonte.rntrc.saiu" | "fonte.rntrc.valor" | "fonte.rntrc.alterado" | "fonte.pncp.entrou" | "fonte.pncp.saiu" | "fonte.pncp.valor" | "fonte.pncp.alterado" | "fonte.pncp_orgao.entrou" | "fonte.pncp_orgao.saiu" | "fonte.pncp_orgao.valor" | "fonte.pncp_orgao.alterado" | "fonte.bndes.entrou" | "fonte.bndes.saiu" | "fonte.bndes.valor" | "fonte.bndes.alterado")[];
  /** qual dos dois estados deve passar pelos filtros: o de antes da carga ou o de depois; sem ele, um ou outro */ lado?: "antes" | "depois";
  /** eventos por página */ limite?: number;
  /** proximo_cursor da resposta anterior, com a mesma pergunta */ cursor?: string;
  /** Filtro. Município: o código de um município na Receita Federal (4 dígitos) ou no IBGE (7), ou seu nome, como Campinas/SP. Pode repetir-se; “-” antes do valor o exclui. */ municipio?: string[];
  /** Filtro. Estado: a sigla de um estado, ou EX para o exterior. Pode repetir-se; “-” antes do valor o exclui. */ uf?: string[];
  /** Filtro. Região: norte, nordeste, centro-oeste, sudeste, sul. Pode repetir-se; “-” antes do valor o exclui. */ regiao?: string[];
  /** Filtro. Bairro: o nome inteiro de um bairro, como publicado. Pode repetir-se; “-” antes do valor o exclui. */ bairro?: string[];
  /** Filtro. Logradouro: o tipo e o nome, como Rua Sete de Setembro. Pode repetir-se; “-” antes do valor o exclui. */ logradouro?: string[];
  /** Filtro. Número: o do endereço, de até 5 dígitos. Pode repetir-se; “-” antes do valor o exclui. */ numero?: string[];
  /** Filtro. CEP: um CEP ou o começo de um, de 3 a 8 dígitos. Pode repetir-se; “-” antes do valor o exclui. */ cep?: string[];
  /** Filtro. DDD: um DDD, com dois dígitos. Pode repetir-se; “-” antes do valor o exclui. */ ddd?: string[];
  /** Filtro. País: o código de um país na Receita Federal, de estabelecimentos no exterior. Pode repetir-se; “-” antes do valor o exclui. */ pais?: string[];
  /** Filtro. Atividade principal: a letra de uma seção ou os 2, 3, 5 ou 7 primeiros dígitos de uma subclasse. Pode repetir-se; “-” antes do valor o exclui. */ cnae?: string[];
  /** Filtro. Atividade secundária: a letra de uma seção ou os 2, 3, 5 ou 7 primeiros dígitos de uma subclasse. Pode repetir-se; “-” antes do valor o exclui. */ cnae_secundario?: string[];
  /** Filtro. Atividade principal ou secundária: a letra de uma seção ou os 2, 3, 5 ou 7 primeiros dígitos de uma subclasse. Pode repetir-se; “-” antes do valor o exclui. */ cnae_todos?: string[];
  /** Filtro. Situação: o código de uma situação cadastral: 01 nula, 02 ativa, 03 suspensa, 04 inapta ou 08 baixada. Pode repetir-se; “-” antes do valor o exclui. */ situacao?: string[];
  /** Filtro. Nesta situação: uma data, AAAA-MM-DD: a primeira da situação cadastral. Incluído. */ situacao_de?: string;
  /** Filtro. Nesta situação: uma data, AAAA-MM-DD: a última da situação cadastral. Incluído. */ situacao_ate?: string;
  /** Filtro. Motivo da situação: um código de dois dígitos. Pode repetir-se; “-” antes do valor o exclui. */ motivo?: string[];
  /** Filtro. Abertura: uma data, AAAA-MM-DD: a primeira de abertura. Incluído. */ abertura_de?: string;
  /** Filtro. Abertura: uma data, AAAA-MM-DD: a última de abertura. Incluído. */ abertura_ate?: string;
  /** Filtro. Ano de abertura: um ano de quatro dígitos: o primeiro de abertura. Incluído. */ ano_de?: string;
  /** Filtro. Ano de abertura: um ano de quatro dígitos: o último de abertura. Incluído. */ ano_ate?: string;
  /** Filtro. Matriz ou filial: matriz ou filial. Pode repetir-se; “-” antes do valor o exclui. */ tipo?: string[];
  /** Filtro. Natureza jurídica: um código de quatro dígitos. Pode repetir-se; “-” antes do valor o exclui. */ natureza?: string[];
  /** Filtro. Porte: o código de um porte: 00 não informado, 01 micro, 03 pequeno ou 05 demais. Pode repetir-se; “-” antes do valor o exclui. */ porte?: string[];
  /** Filtro. Faixa de capital social: uma faixa de capital social em reais: 0, 1-10k, 10k-100k, 100k-1m, 1m-10m, 10m-100m, 100m. Pode repetir-se; “-” antes do valor o exclui. */ capital?: string[];
  /** Filtro. Capital social: um valor em reais, como 1500.50: o menor capital social. Incluído. */ capital_de?: string;
  /** Filtro. Capital social: um valor em reais, como 1500.50: o maior capital social. Incluído. */ capital_ate?: string;
  /** Filtro. Estabelecimentos: um número: o menor de estabelecimentos da empresa. Incluído. */ estabelecimentos_de?: string;
  /** Filtro. Estabelecimentos: um número: o maior de estabelecimentos da empresa. Incluído. */ estabelecimentos_ate?: string;
  /** Filtro. Simples Nacional: sim ou nao. Pode repetir-se; “-” antes do valor o exclui. */ simples?: string[];
  /** Filtro. Optante pelo Simples: uma data, AAAA-MM-DD: a primeira da opção, que ainda vale. Incluído. */ simples_de?: string;
  /** Filtro. Optante pelo Simples: uma data, AAAA-MM-DD: a última da opção, que ainda vale. Incluído. */ simples_ate?: string;
  /** Filtro. MEI: sim ou nao. Pode repetir-se; “-” antes do valor o exclui. */ mei?: string[];
  /** Filtro. Optante pelo MEI: uma data, AAAA-MM-DD: a primeira da opção, que ainda vale. Incluído. */ mei_de?: string;
  /** Filtro. Optante pelo MEI: uma data, AAAA-MM-DD: a última da opção, que ainda vale. Incluído. */ mei_ate?: string;
  /** Filtro. Número de sócios: um número: o menor de sócios da empresa. Incluído. */ socios_de?: string;
  /** Filtro. Número de sócios: um número: o maior de sócios da empresa. Incluído. */ socios_ate?: string;
  /** Filtro. Entre os sócios: pessoa, empresa ou estrangeiro: quem está entre os sócios; vale para a matriz. Pode repetir-se; “-” antes do valor o exclui. */ socio_tipo?: string[];
  /** Filtro. Qualificação de um sócio: um código de dois dígitos; vale para a matriz. Pode repetir-se; “-” antes do valor o exclui. */ socio_qualificacao?: string[];
  /** Filtro. Faixa etária de um sócio: um código de 1 a 9; vale para a matriz. Pode repetir-se; “-” antes do valor o exclui. */ socio_faixa?: string[];
  /** Filtro. Telefone publicado: sim ou nao; o de uma pessoa física conta como nenhum. Pode repetir-se; “-” antes do valor o exclui. */ telefone?: string[];
  /** Filtro. E-mail publicado: sim ou nao; o de uma pessoa física conta como nenhum. Pode repetir-se; “-” antes do valor o exclui. */ email?: string[];
  /** Filtro. Telefone: um número com DDD, como (19) 3233-4455. Pode repetir-se; “-” antes do valor o exclui. */ telefone_numero?: string[];
  /** Filtro. E-mail: um endereço inteiro. Pode repetir-se; “-” antes do valor o exclui. */ email_endereco?: string[];
  /** Filtro. Domínio do e-mail: o domínio do e-mail, como exemplo.com.br. Pode repetir-se; “-” antes do valor o exclui. */ email_dominio?: string[];
  /** Filtro. Registros públicos: o identificador de uma fonte: quem tem registros em alguma delas (pgfn, ceis, cnep, cepim, acordos_leniencia, mte_empregadores, mte_ceac, habilitacao_aduaneira, ibama_autos, ibama_embargos, rntrc, pncp, pncp_orgao, bndes). Pode repetir-se; “-” antes do valor o exclui. */ fonte?: string[];
  /** Filtro. Em todas estas fontes: o identificador de uma fonte: quem tem registros em todas elas. Pode repetir-se. */ fonte_todas?: string[];
  /** Filtro. Dívida ativa: um valor em reais, como 1500.50: a menor dívida ativa da União, somada. Incluído. */ divida_de?: string;
  /** Filtro. Dívida ativa: um valor em reais, como 1500.50: a maior dívida ativa da União, somada. Incluído. */ divida_ate?: string;
  /** Filtro. Sanção em vigor: sim ou nao: uma sanção do CEIS ou do CNEP está em vigor. Pode repetir-se; “-” antes do valor o exclui. */ sancao?: string[];
  /** Filtro. Contratos públicos: um valor em reais, como 1500.50: o menor dos contratos como fornecedor, somados. Incluído. */ contratos_de?: string;
  /** Filtro. Contratos públicos: um valor em reais, como 1500.50: o maior dos contratos como fornecedor, somados. Incluído. */ contratos_ate?: string;
  /** Filtro. Ano de um contrato público: um ano de quatro dígitos: o de um contrato como fornecedor. Pode repetir-se; “-” antes do valor o exclui. */ contratos_ano?: string[];
  /** Filtro. Financiamentos do BNDES: um valor em reais, como 1500.50: o menor dos contratados, somados. Incluído. */ emprestimos_de?: string;
  /** Filtro. Financiamentos do BNDES: um valor em reais, como 1500.50: o maior dos contratados, somados. Incluído. */ emprestimos_ate?: string;
  /** Filtro. Ano de um financiamento do BNDES: um ano de quatro dígitos: o de um financiamento. Pode repetir-se; “-” antes do valor o exclui. */ emprestimos_ano?: string[];
}

export interface FonteQualidadeParametros {
  /** número de uma das cargas de dados.cargas; sem ele, a que está em uso */ carga?: number;
}

export interface EmpresaBasicParametros {
  /** itens por página de cada coleção */ limite?: number;
}

export interface EmpresaFullParametros {
  /** itens por página de cada coleção */ limite?: number;
}

export interface EmpresaFonteParametros {
  /** itens por página de cada coleção */ limite?: number;
  /** cursor de proxima_url, com o mesmo limite */ cursor?: string;
}

export interface EmpresaEstabelecimentosParametros {
  /** itens por página de cada coleção */ limite?: number;
  /** cursor de proxima_url, com o mesmo limite */ cursor?: string;
}

export interface EmpresaSociosParametros {
  /** itens por página de cada coleção */ limite?: number;
  /** cursor de proxima_url, com o mesmo limite */ cursor?: string;
}

export interface EmpresaMudancasParametros {
  /** itens por página de cada coleção */ limite?: number;
  /** cursor de proxima_url, com o mesmo limite */ cursor?: string;
}

export interface EstabelecimentoBasicParametros {
  /** itens por página de cada coleção */ limite?: number;
}

export interface EstabelecimentoFullParametros {
  /** itens por página de cada coleção */ limite?: number;
}

export interface EstabelecimentoFonteParametros {
  /** itens por página de cada coleção */ limite?: number;
  /** cursor de proxima_url, com o mesmo limite */ cursor?: string;
}

export interface EstabelecimentoMudancasParametros {
  /** itens por página de cada coleção */ limite?: number;
  /** cursor de proxima_url, com o mesmo limite */ cursor?: string;
}

export interface EmpresaRedeParametros {
  /** vínculos entre a empresa e qualquer membro */ profundidade?: number;
  /** acima: sócios; abaixo: empresas em que é sócia; ambos */ sentido?: "acima" | "abaixo" | "ambos";
  /** sim: a rede continua através de pessoas e estrangeiros */ pessoas?: "sim" | "nao";
  /** sim: representantes legais também são vínculos */ representantes?: "sim" | "nao";
  /** sim: quem publica um telefone, e-mail, domínio de e-mail ou endereço da matriz também é membro; só em json. Pessoas físicas e contatos ocultos ficam de fora */ contatos?: "sim" | "nao";
  /** membros, sem os que só têm um contato em comum */ limite?: number;
}

export interface SocioEmpresasParametros {
  /** vínculos por página */ limite?: number;
  /** proximo_cursor da página anterior */ cursor?: string;
}

export interface CaminhoParametros {
  /** 8 ou 14 posições de um CNPJ, ou o id de um membro de uma rede, como 456789-maria-ficticia */ de: string;
  /** 8 ou 14 posições de um CNPJ, ou o id de um membro de uma rede, como 456789-maria-ficticia */ para: string;
  /** vínculos de um caminho, no máximo */ passos?: number;
  /** sim: representantes legais também são vínculos */ representantes?: "sim" | "nao";
}

export interface SugerirEmpresasParametros {
  /** o que foi digitado */ prefix?: string;
  /** quantas sugestões pular */ cursor?: number;
}

export interface SugerirPropriedadesParametros {
  /** o que foi digitado */ prefix?: string;
  /** quantas sugestões pular */ cursor?: number;
}

export interface CamposReconciliacaoParametros {
  /** empresa; não muda a resposta */ type?: string;
  /** quantos, no máximo */ limit?: number;
}

export interface CartaoParametros {
  /** CNPJ de 14 posições, ou 8 da empresa, ou o nome de uma propriedade */ id?: string;
}

export class Razao extends Client {
  /** Busca de empresas e estabelecimentos: GET /v2/busca */
  buscar(parametros: BuscarParametros = {}): Promise<RespostaBusca> {
    return this.get(`/v2/busca`, { ...parametros });
  }

  /** As páginas de buscar. */
  buscarPaginas(parametros: BuscarParametros = {}): AsyncGenerator<RespostaBusca> {
    return this.pages(`/v2/busca`, { ...parametros });
  }

  /** Os itens de todas as páginas de buscar. */
  buscarItens(parametros: BuscarParametros = {}): AsyncGenerator<Resultado> {
    return this.items(`/v2/busca`, { ...parametros });
  }

  /** O que mudou no país: GET /v2/mudancas */
  listarMudancas(parametros: ListarMudancasParametros = {}): Promise<RespostaMudancas> {
    return this.get(`/v2/mudancas`, { ...parametros });
  }

  /** As páginas de listarMudancas. */
  listarMudancasPaginas(parametros: ListarMudancasParametros = {}): AsyncGenerator<RespostaMudancas> {
    return this.pages(`/v2/mudancas`, { ...parametros });
  }

  /** Os itens de todas as páginas de listarMudancas. */
  listarMudancasItens(parametros: ListarMudancasParametros = {}): AsyncGenerator<Mudanca> {
    return this.items(`/v2/mudancas`, { ...parametros });
  }

  /** Catálogo das fontes: GET /v2/fontes */
  listarFontes(): Promise<RespostaFontes> {
    return this.get(`/v2/fontes`);
  }

  /** Qualidade de cada coluna de uma carga: GET /v2/fontes/{fonte}/qualidade */
  fonteQualidade(fonte: string, parametros: FonteQualidadeParametros = {}): Promise<RespostaQualidade> {
    return this.get(`/v2/fontes/${encodeURIComponent(fonte)}/qualidade`, { ...parametros });
  }

  /** Empresa, sócios, Simples e estabelecimentos: GET /v2/empresas/{documento}/basic */
  empresaBasic(documento: string, parametros: EmpresaBasicParametros = {}): Promise<RespostaEmpresaBasic> {
    return this.get(`/v2/empresas/${encodeURIComponent(documento)}/basic`, { ...parametros });
  }

  /** Cadastro e a primeira página de cada fonte: GET /v2/empresas/{documento}/full */
  empresaFull(documento: string, parametros: EmpresaFullParametros = {}): Promise<RespostaEmpresaFull> {
    return this.get(`/v2/empresas/${encodeURIComponent(documento)}/full`, { ...parametros });
  }

  /** Registros de uma fonte sobre a empresa: GET /v2/empresas/{documento}/fontes/{fonte} */
  empresaFonte(documento: string, fonte: string, parametros: EmpresaFonteParametros = {}): Promise<RespostaFonte> {
    return this.get(`/v2/empresas/${encodeURIComponent(documento)}/fontes/${encodeURIComponent(fonte)}`, { ...parametros });
  }

  /** As páginas de empresaFonte. */
  empresaFontePaginas(documento: string, fonte: string, parametros: EmpresaFonteParametros = {}): AsyncGenerator<RespostaFonte> {
    return this.pages(`/v2/empresas/${encodeURIComponent(documento)}/fontes/${encodeURIComponent(fonte)}`, { ...parametros });
  }

  /** Os itens de todas as páginas de empresaFonte. */
  empresaFonteItens(documento: string, fonte: string, parametros: EmpresaFonteParametros = {}): AsyncGenerator<ItemPgfn | ItemCeis | ItemCnep | ItemCepim | ItemAcordosLeniencia | ItemMteEmpregadores | ItemMteCeac | ItemHabilitacaoAduaneira | ItemIbamaAutos | ItemIbamaEmbargos | ItemRntrc | ItemPncp | ItemPncpOrgao | ItemBndes> {
    return this.items(`/v2/empresas/${encodeURIComponent(documento)}/fontes/${encodeURIComponent(fonte)}`, { ...parametros });
  }

  /** Estabelecimentos da empresa: GET /v2/empresas/{documento}/estabelecimentos */
  empresaEstabelecimentos(documento: string, parametros: EmpresaEstabelecimentosParametros = {}): Promise<RespostaEstabelecimentos> {
    return this.get(`/v2/empresas/${encodeURIComponent(documento)}/estabelecimentos`, { ...parametros });
  }

  /** As páginas de empresaEstabelecimentos. */
  empresaEstabelecimentosPaginas(documento: string, parametros: EmpresaEstabelecimentosParametros = {}): AsyncGenerator<RespostaEstabelecimentos> {
    return this.pages(`/v2/empresas/${encodeURIComponent(documento)}/estabelecimentos`, { ...parametros });
  }

  /** Os itens de todas as páginas de empresaEstabelecimentos. */
  empresaEstabelecimentosItens(documento: string, parametros: EmpresaEstabelecimentosParametros = {}): AsyncGenerator<Estabelecimento> {
    return this.items(`/v2/empresas/${encodeURIComponent(documento)}/estabelecimentos`, { ...parametros });
  }

  /** Sócios da empresa: GET /v2/empresas/{documento}/socios */
  empresaSocios(documento: string, parametros: EmpresaSociosParametros = {}): Promise<RespostaSocios> {
    return this.get(`/v2/empresas/${encodeURIComponent(documento)}/socios`, { ...parametros });
  }

  /** As páginas de empresaSocios. */
  empresaSociosPaginas(documento: string, parametros: EmpresaSociosParametros = {}): AsyncGenerator<RespostaSocios> {
    return this.pages(`/v2/empresas/${encodeURIComponent(documento)}/socios`, { ...parametros });
  }

  /** Os itens de todas as páginas de empresaSocios. */
  empresaSociosItens(documento: string, parametros: EmpresaSociosParametros = {}): AsyncGenerator<Socio> {
    return this.items(`/v2/empresas/${encodeURIComponent(documento)}/socios`, { ...parametros });
  }

  /** O que mudou na empresa: GET /v2/empresas/{documento}/mudancas */
  empresaMudancas(documento: string, parametros: EmpresaMudancasParametros = {}): Promise<RespostaMudancasDoDocumento> {
    return this.get(`/v2/empresas/${encodeURIComponent(documento)}/mudancas`, { ...parametros });
  }

  /** As páginas de empresaMudancas. */
  empresaMudancasPaginas(documento: string, parametros: EmpresaMudancasParametros = {}): AsyncGenerator<RespostaMudancasDoDocumento> {
    return this.pages(`/v2/empresas/${encodeURIComponent(documento)}/mudancas`, { ...parametros });
  }

  /** Os itens de todas as páginas de empresaMudancas. */
  empresaMudancasItens(documento: string, parametros: EmpresaMudancasParametros = {}): AsyncGenerator<Mudanca> {
    return this.items(`/v2/empresas/${encodeURIComponent(documento)}/mudancas`, { ...parametros });
  }

  /** Estabelecimento e sua empresa: GET /v2/estabelecimentos/{documento}/basic */
  estabelecimentoBasic(documento: string, parametros: EstabelecimentoBasicParametros = {}): Promise<RespostaEstabelecimentoBasic> {
    return this.get(`/v2/estabelecimentos/${encodeURIComponent(documento)}/basic`, { ...parametros });
  }

  /** Cadastro e a primeira página de cada fonte: GET /v2/estabelecimentos/{documento}/full */
  estabelecimentoFull(documento: string, parametros: EstabelecimentoFullParametros = {}): Promise<RespostaEstabelecimentoFull> {
    return this.get(`/v2/estabelecimentos/${encodeURIComponent(documento)}/full`, { ...parametros });
  }

  /** Registros de uma fonte sobre o estabelecimento: GET /v2/estabelecimentos/{documento}/fontes/{fonte} */
  estabelecimentoFonte(documento: string, fonte: string, parametros: EstabelecimentoFonteParametros = {}): Promise<RespostaFonte> {
    return this.get(`/v2/estabelecimentos/${encodeURIComponent(documento)}/fontes/${encodeURIComponent(fonte)}`, { ...parametros });
  }

  /** As páginas de estabelecimentoFonte. */
  estabelecimentoFontePaginas(documento: string, fonte: string, parametros: EstabelecimentoFonteParametros = {}): AsyncGenerator<RespostaFonte> {
    return this.pages(`/v2/estabelecimentos/${encodeURIComponent(documento)}/fontes/${encodeURIComponent(fonte)}`, { ...parametros });
  }

  /** Os itens de todas as páginas de estabelecimentoFonte. */
  estabelecimentoFonteItens(documento: string, fonte: string, parametros: EstabelecimentoFonteParametros = {}): AsyncGenerator<ItemPgfn | ItemCeis | ItemCnep | ItemCepim | ItemAcordosLeniencia | ItemMteEmpregadores | ItemMteCeac | ItemHabilitacaoAduaneira | ItemIbamaAutos | ItemIbamaEmbargos | ItemRntrc | ItemPncp | ItemPncpOrgao | ItemBndes> {
    return this.items(`/v2/estabelecimentos/${encodeURIComponent(documento)}/fontes/${encodeURIComponent(fonte)}`, { ...parametros });
  }

  /** O que mudou no estabelecimento e na sua empresa: GET /v2/estabelecimentos/{documento}/mudancas */
  estabelecimentoMudancas(documento: string, parametros: EstabelecimentoMudancasParametros = {}): Promise<RespostaMudancasDoDocumento> {
    return this.get(`/v2/estabelecimentos/${encodeURIComponent(documento)}/mudancas`, { ...parametros });
  }

  /** As páginas de estabelecimentoMudancas. */
  estabelecimentoMudancasPaginas(documento: string, parametros: EstabelecimentoMudancasParametros = {}): AsyncGenerator<RespostaMudancasDoDocumento> {
    return this.pages(`/v2/estabelecimentos/${encodeURIComponent(documento)}/mudancas`, { ...parametros });
  }

  /** Os itens de todas as páginas de estabelecimentoMudancas. */
  estabelecimentoMudancasItens(documento: string, parametros: EstabelecimentoMudancasParametros = {}): AsyncGenerator<Mudanca> {
    return this.items(`/v2/estabelecimentos/${encodeURIComponent(documento)}/mudancas`, { ...parametros });
  }

  /** A rede em volta de uma empresa: GET /v2/empresas/{documento}/rede */
  empresaRede(documento: string, parametros: EmpresaRedeParametros = {}): Promise<RespostaRede> {
    return this.get(`/v2/empresas/${encodeURIComponent(documento)}/rede`, { ...parametros });
  }

  /** As empresas que nomeiam um sócio: GET /v2/socios/{id}/empresas */
  socioEmpresas(id: string, parametros: SocioEmpresasParametros = {}): Promise<RespostaSocioEmpresas> {
    return this.get(`/v2/socios/${encodeURIComponent(id)}/empresas`, { ...parametros });
  }

  /** As páginas de socioEmpresas. */
  socioEmpresasPaginas(id: string, parametros: SocioEmpresasParametros = {}): AsyncGenerator<RespostaSocioEmpresas> {
    return this.pages(`/v2/socios/${encodeURIComponent(id)}/empresas`, { ...parametros });
  }

  /** O grupo de uma empresa: GET /v2/grupos/{documento} */
  grupo(documento: string): Promise<RespostaGrupo> {
    return this.get(`/v2/grupos/${encodeURIComponent(documento)}`);
  }

  /** Os caminhos mais curtos entre dois sócios ou empresas: GET /v2/caminho */
  caminho(parametros: CaminhoParametros): Promise<RespostaCaminho> {
    return this.get(`/v2/caminho`, { ...parametros });
  }

  /** Prova de que a empresa está na carga: GET /v2/empresas/{documento}/prova */
  empresaProva(documento: string): Promise<RespostaProva> {
    return this.get(`/v2/empresas/${encodeURIComponent(documento)}/prova`);
  }

  /** Muitos números de uma vez: POST /v2/lote */
  lote(corpo: LoteCorpo): Promise<RespostaLote> {
    return this.post(`/v2/lote`, corpo);
  }

  /** O mesmo, em um formulário: POST /v2/reconciliar */
  reconciliar(corpo: ReconciliarCorpo): Promise<Record<string, ReconciliacaoValor>> {
    return this.postForm(`/v2/reconciliar`, corpo);
  }

  /** Completa um nome ou um número: GET /v2/reconciliar/sugestoes */
  sugerirEmpresas(parametros: SugerirEmpresasParametros = {}): Promise<Sugestoes> {
    return this.get(`/v2/reconciliar/sugestoes`, { ...parametros });
  }

  /** O que uma pergunta pode dizer além do nome: GET /v2/reconciliar/propriedades */
  sugerirPropriedades(parametros: SugerirPropriedadesParametros = {}): Promise<Sugestoes> {
    return this.get(`/v2/reconciliar/propriedades`, { ...parametros });
  }

  /** Os campos que extend pode pedir: GET /v2/reconciliar/campos */
  camposReconciliacao(parametros: CamposReconciliacaoParametros = {}): Promise<CamposPropostos> {
    return this.get(`/v2/reconciliar/campos`, { ...parametros });
  }

  /** O cartão de um candidato ou de uma propriedade: GET /v2/reconciliar/cartao */
  cartao(parametros: CartaoParametros = {}): Promise<Cartao> {
    return this.get(`/v2/reconciliar/cartao`, { ...parametros });
  }
}
