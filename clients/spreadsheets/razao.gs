// Google Sheets: fills in what Razão knows of the CNPJs of a selected column, in the columns beside it.
//
// Extensions → Apps Script, paste this file, save, reload the spreadsheet; then the menu Razão → Chave…, once, and
// Razão → Preencher. The script runs on Google's servers, and the key is kept in the properties of the person who entered it
// (PropertiesService.getUserProperties): others who open or copy the spreadsheet, or read this script, do not get it. A custom
// function (=RAZAO(A2)) could not do that: it may only read the properties of the spreadsheet's owner.

const ADDRESS = "https://razao.exemplo"; // of the site
const FIELDS = ["razao_social", "situacao_cadastral", "cnae_fiscal_principal", "municipio", "uf"];
const MOST = 1000; // numbers in a call

function onOpen() {
  SpreadsheetApp.getUi().createMenu("Razão").addItem("Preencher", "fill").addItem("Chave…", "askForKey").addToUi();
}

/** Asks for the key and keeps it for this person. */
function askForKey() {
  const ui = SpreadsheetApp.getUi();
  const answer = ui.prompt("Chave de API do Razão", "Crie uma em " + ADDRESS + "/conta. Só você a usa.", ui.ButtonSet.OK_CANCEL);
  if (answer.getSelectedButton() === ui.Button.OK) {
    PropertiesService.getUserProperties().setProperty("RAZAO_CHAVE", answer.getResponseText().trim());
  }
}

/** Fills the columns right of the selected numbers: why there is no company, or its fields. */
function fill() {
  const range = SpreadsheetApp.getActiveRange();
  const numbers = range.getDisplayValues().map((row) => padded(row[0]));
  const rows = [];
  for (let from = 0; from < numbers.length; from += MOST) rows.push(...ask(numbers.slice(from, from + MOST)));
  range.getSheet().getRange(range.getRow(), range.getColumn() + 1, rows.length, FIELDS.length).setValues(rows);
}

/** A number without its mask, with the zeros that the spreadsheet has dropped. */
function padded(cell) {
  const number = cell.toUpperCase().replace(/[^0-9A-Z]/g, "");
  return /^[0-9]{9,13}$/.test(number) ? number.padStart(14, "0") : number;
}

/** Asks for numbers and returns a row of cells for each. */
function ask(numbers) {
  const key = PropertiesService.getUserProperties().getProperty("RAZAO_CHAVE");
  if (!key) throw new Error("Informe a chave no menu Razão → Chave…");
  for (let attempt = 1; ; attempt++) {
    const response = UrlFetchApp.fetch(ADDRESS + "/v2/lote", {
      method: "post",
      contentType: "application/json",
      headers: { Authorization: "Bearer " + key },
      payload: JSON.stringify({ cnpjs: numbers, campos: FIELDS }),
      muteHttpExceptions: true,
      followRedirects: false, // the key would go along
    });
    const status = response.getResponseCode();
    const [to] = /^[a-z]+:\/\/[^/?#]+/i.exec(response.getHeaders()["Location"] || "") || [];
    if (to) throw new Error("O servidor redireciona para " + to + ", que não recebe a chave. Confira ADDRESS no script.");
    const body = JSON.parse(response.getContentText());
    if (status === 200) return body.dados.itens.map(cells);
    if ((status !== 429 && status !== 503) || attempt === 5) throw new Error(body.erro.mensagem);
    Utilities.sleep(1000 * Number(response.getHeaders()["Retry-After"] || attempt));
  }
}

/** The cells of an answer: the meaning of a code where it has one. */
function cells(item) {
  if (item.erro) return [item.erro.mensagem, ...FIELDS.slice(1).map(() => "")];
  return FIELDS.map((field) => text(item.dados.descricoes[field] || item.dados[field] || ""));
}

/** A text that the spreadsheet does not take for a formula. */
function text(value) {
  return /^[=+\-@]/.test(value) ? "'" + value : value;
}
