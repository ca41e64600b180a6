// Google Planilhas: preenche o que o Razão sabe dos CNPJs de uma coluna selecionada, nas colunas ao lado.
//
// Extensões → Apps Script, cole este arquivo, salve e recarregue a planilha; depois, o menu Razão → Chave…, uma vez, e
// Razão → Preencher. O programa roda nos servidores do Google, e a chave fica nas propriedades de quem a informou
// (PropertiesService.getUserProperties): quem mais abre ou copia a planilha, ou lê este programa, não a recebe. Uma função
// (=RAZAO(A2)) não poderia fazer isso: ela só lê as propriedades do dono da planilha.

const ENDERECO = "https://razao.exemplo"; // do site
const CAMPOS = ["razao_social", "situacao_cadastral", "cnae_fiscal_principal", "municipio", "uf"];
const POR_CHAMADA = 1000; // números

function onOpen() {
  SpreadsheetApp.getUi().createMenu("Razão").addItem("Preencher", "preencher").addItem("Chave…", "pedirChave").addToUi();
}

/** Pede a chave e a guarda para esta pessoa. */
function pedirChave() {
  const ui = SpreadsheetApp.getUi();
  const resposta = ui.prompt("Chave de API do Razão", "Crie uma em " + ENDERECO + "/conta. Só você a usa.", ui.ButtonSet.OK_CANCEL);
  if (resposta.getSelectedButton() === ui.Button.OK) {
    PropertiesService.getUserProperties().setProperty("RAZAO_CHAVE", resposta.getResponseText().trim());
  }
}

/** Preenche as colunas à direita dos números: os campos da empresa, ou por que não há nenhuma. */
function preencher() {
  const selecao = SpreadsheetApp.getActiveRange();
  const numeros = selecao.getDisplayValues().map((linha) => completar(linha[0]));
  const linhas = [];
  for (let inicio = 0; inicio < numeros.length; inicio += POR_CHAMADA) linhas.push(...consultar(numeros.slice(inicio, inicio + POR_CHAMADA)));
  selecao.getSheet().getRange(selecao.getRow(), selecao.getColumn() + 1, linhas.length, CAMPOS.length).setValues(linhas);
}

/** Devolve um número sem máscara, com os zeros que a planilha tirou. */
function completar(celula) {
  const numero = celula.toUpperCase().replace(/[^0-9A-Z]/g, "");
  return /^[0-9]{9,13}$/.test(numero) ? numero.padStart(14, "0") : numero;
}

/** Consulta números e devolve uma linha de células para cada um; espera e tenta de novo depois de 429 ou 503. */
function consultar(numeros) {
  const chave = PropertiesService.getUserProperties().getProperty("RAZAO_CHAVE");
  if (!chave) throw new Error("Informe a chave no menu Razão → Chave…");
  for (let tentativa = 1; ; tentativa++) {
    const resposta = UrlFetchApp.fetch(ENDERECO + "/v2/lote", {
      method: "post",
      contentType: "application/json",
      headers: { Authorization: "Bearer " + chave },
      payload: JSON.stringify({ cnpjs: numeros, campos: CAMPOS }),
      muteHttpExceptions: true,
      followRedirects: false, // a chave iria junto
    });
    const status = resposta.getResponseCode();
    const [para] = /^[a-z]+:\/\/[^/?#]+/i.exec(resposta.getHeaders()["Location"] || "") || [];
    if (para) throw new Error("O servidor redireciona para " + para + ", que não recebe a chave. Confira ENDERECO no programa.");
    const corpo = JSON.parse(resposta.getContentText());
    if (status === 200) return corpo.dados.itens.map(celulas);
    if ((status !== 429 && status !== 503) || tentativa === 5) throw new Error(corpo.erro.mensagem);
    Utilities.sleep(1000 * Number(resposta.getHeaders()["Retry-After"] || tentativa));
  }
}

/** Devolve as células de uma resposta: de um código, o que ele quer dizer. */
function celulas(item) {
  if (item.erro) return [item.erro.mensagem, ...CAMPOS.slice(1).map(() => "")];
  return CAMPOS.map((campo) => texto(item.dados.descricoes[campo] || item.dados[campo] || ""));
}

/** Devolve um texto que a planilha não toma por fórmula. */
function texto(valor) {
  return /^[=+\-@]/.test(valor) ? "'" + valor : valor;
}
