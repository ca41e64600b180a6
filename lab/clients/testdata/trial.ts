// Uses the client; the test compares what it prints.
import { Razao, RazaoError, todos } from "./index.js";

declare const process: { argv: string[] };

const razao = new Razao(process.argv[2] ?? "", process.argv[3] ?? "");
const bakery = "12345678";
const chain = "11222333";

async function count(items: AsyncIterable<unknown>): Promise<number> {
  let n = 0;
  for await (const _ of items) n++;
  return n;
}

const company = (await razao.empresaBasic(bakery)).dados.empresa;
console.log(company.razao_social, company.capital_social?.toFixed(2));

const establishments = await todos(() => razao.empresaEstabelecimentosItens(chain, { limite: 50 }));
console.log(establishments.length, new Set(establishments.map((e) => e.cnpj)).size, establishments[119]?.nome_fantasia);
console.log(await count(razao.empresaEstabelecimentosPaginas(chain, { limite: 50 })));

const hits: string[] = [];
for await (const hit of razao.buscarItens({ q: "estrela do sul", uf: ["SP", "RJ"], agrupar: "nao", limite: 2 })) hits.push(hit.cnpj);
console.log(hits.length, hits[0]);
console.log(await count(razao.empresaFonteItens(bakery, "pgfn", { limite: 1 })));
console.log(await count(razao.listarMudancasPaginas({ uf: ["SP"] })));

for (const item of (await razao.lote({ cnpjs: [bakery, "00000001"], campos: ["razao_social"] })).dados.itens) {
  console.log(item.cnpj, "erro" in item ? "erro" : "dados");
}

const answer = await razao.reconciliar({ queries: { a: { query: "PADARIA ESTRELLA DO SUL", properties: [{ pid: "uf", v: "SP" }] } } });
const first = answer["a"]?.result[0];
console.log(first?.id, first?.match ? "True" : "False");

console.log((await razao.caminho({ de: bakery, para: "98765432" })).dados.caminhos.length);
try {
  await razao.empresaFull("00000001");
} catch (error) {
  if (!(error instanceof RazaoError)) throw error;
  console.log(error.status, error.code, error.requestId ? "True" : "False");
}
