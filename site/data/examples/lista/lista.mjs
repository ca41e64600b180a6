// Lê uma lista de CNPJs de 14 posições, um por linha, e grava uma linha de JSON para cada um.
// Uso, com Node 18 ou mais novo: RAZAO_URL=… RAZAO_CHAVE=rz_… node lista.mjs < cnpjs.txt > respostas.jsonl
import { readFileSync } from "node:fs";

const { RAZAO_URL, RAZAO_CHAVE } = process.env;

// Devolve a resposta; espera e tenta de novo, no máximo três vezes, depois de 429 ou 503.
async function consultar(cnpj) {
  for (let tentativa = 0; ; tentativa++) {
    const resposta = await fetch(`${RAZAO_URL}/v2/estabelecimentos/${cnpj}/basic`, { headers: { Authorization: `Bearer ${RAZAO_CHAVE}` }, redirect: "error" });
    const corpo = await resposta.text();
    if (resposta.ok) return corpo.trim();
    if (![429, 503].includes(resposta.status) || tentativa === 3) throw new Error(resposta.status);
    await new Promise((pronto) => setTimeout(pronto, 1000 * resposta.headers.get("Retry-After")));
  }
}

for (const cnpj of readFileSync(0, "utf8").split(/\s+/).filter(Boolean)) {
  try {
    console.log(await consultar(cnpj));
  } catch (erro) {
    console.error(`${cnpj} não foi lido: ${erro.message}`);
  }
}
