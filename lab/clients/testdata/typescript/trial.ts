// Uses what openapi-typescript makes of the documents, with the lines that /api shows; the test compares what it prints.
import createClient from "openapi-fetch";
import { conectar, percorrer } from "./percorrer.js";
import type { paths as V1 } from "./v1.js";

declare const process: { argv: string[] };
const [, , url = "", key = ""] = process.argv;
const bakery = "12345678";
const absent = "00000001";
const razao = conectar(url, key);

const company = await razao.GET("/v2/empresas/{documento}/basic", { params: { path: { documento: bakery } } });
console.log(company.data?.dados.empresa.razao_social, company.data?.dados.empresa.capital_social?.toFixed(2));

const branches = await percorrer((cursor) =>
  razao.GET("/v2/empresas/{documento}/estabelecimentos", { params: { path: { documento: "11222333" }, query: { limite: 50, ...(cursor && { cursor }) } } }),
);
console.log(branches.length, new Set(branches.map((b) => b.cnpj)).size, branches[119]?.nome_fantasia);

const hits = await percorrer((cursor) =>
  razao.GET("/v2/busca", { params: { query: { q: "estrela do sul", uf: ["SP", "RJ"], agrupar: "nao", limite: 2, ...(cursor && { cursor }) } } }),
);
console.log(hits.length, hits[0]?.cnpj);

const batch = await razao.POST("/v2/lote", { body: { cnpjs: [bakery, absent], campos: ["razao_social"] } });
for (const item of batch.data?.dados.itens ?? []) console.log(item.cnpj, "erro" in item ? item.erro.codigo : "dados");

const questions = { a: { query: "PADARIA ESTRELLA DO SUL", properties: [{ pid: "uf" as const, v: "SP" }] } };
const names = await razao.POST("/v2/reconciliar", {
  body: { queries: questions },
  bodySerializer: () => new URLSearchParams({ queries: JSON.stringify(questions) }),
  headers: { "Content-Type": "application/x-www-form-urlencoded" },
});
if (names.data && "a" in names.data && "result" in names.data["a"]) console.log(names.data["a"].result[0]?.id);

const missing = await razao.GET("/v2/empresas/{documento}/full", { params: { path: { documento: absent } } });
console.log(missing.response.status, missing.error?.erro.codigo, missing.error?.requisicao_id.length);

const old = createClient<V1>({ baseUrl: url, headers: { Authorization: `Bearer ${key}` } });
const record = await old.GET("/v1/cnpj/{cnpj}", { params: { path: { cnpj: bakery } } });
console.log(record.data?.dados.empresa?.razao_social);

for (let call = 0; call <= 120; call++) { // two minutes may share them
  const limited = await old.GET("/v1/cnpj/{cnpj}", { params: { path: { cnpj: absent } } });
  if (limited.response.status === 404) continue;
  console.log(limited.response.status, limited.error?.erro.codigo, Number(limited.response.headers.get("Retry-After")) > 0);
  break;
}
