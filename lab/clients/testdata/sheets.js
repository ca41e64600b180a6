// Runs ../../../site/data/examples/planilha/razao.gs on what it uses of Google's services: a sheet of one column, HTTP by curl.
const { execFileSync } = require("node:child_process");
const { readFileSync } = require("node:fs");
const vm = require("node:vm");

const [script, address, key, ...column] = process.argv.slice(2);
const properties = new Map();
const written = [];

const ui = {
  ButtonSet: { OK_CANCEL: 1 },
  Button: { OK: 1 },
  prompt: () => ({ getSelectedButton: () => 1, getResponseText: () => ` ${key} ` }),
};
const sheet = { getRange: (row, at, rows, columns) => ({ setValues: (values) => written.push({ row, at, rows, columns, values }) }) };
const globals = {
  SpreadsheetApp: {
    getUi: () => ui,
    getActiveRange: () => ({ getDisplayValues: () => column.map((cell) => [cell]), getSheet: () => sheet, getRow: () => 2, getColumn: () => 1 }),
  },
  PropertiesService: { getUserProperties: () => ({ getProperty: (name) => properties.get(name) ?? null, setProperty: (name, value) => properties.set(name, value) }) },
  Utilities: { sleep: (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms) },
  UrlFetchApp: {
    fetch(url, o) {
      const headers = Object.entries({ ...o.headers, "Content-Type": o.contentType }).flatMap(([name, value]) => ["-H", `${name}: ${value}`]);
      const out = execFileSync("curl", ["-s", "-i", "--http1.1", ...(o.followRedirects === false ? [] : ["--location-trusted"]), "-X", o.method.toUpperCase(), ...headers, "-d", o.payload, url]).toString();
      const end = out.indexOf("\r\n\r\n");
      const lines = out.slice(0, end).split("\r\n");
      return {
        getResponseCode: () => Number(lines[0].split(" ")[1]),
        getContentText: () => out.slice(end + 4),
        getHeaders: () => Object.fromEntries(lines.slice(1).map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 2)])),
      };
    },
  },
  console,
};
const text = readFileSync(script, "utf8").replace("https://razao.exemplo", address);
vm.createContext(globals);
vm.runInContext(text, globals);
try {
  vm.runInContext("preencher()", globals);
} catch (error) {
  console.log(error.message);
}
vm.runInContext("pedirChave(); preencher()", globals);
for (const { row, at, rows, columns, values } of written) {
  console.log(row, at, rows, columns);
  for (const line of values) console.log(line.join("|"));
}
