// Lê uma empresa com todas as páginas de sócios, de estabelecimentos e de cada fonte.
// Uso, com Node 18 ou mais novo: RAZAO_URL=… RAZAO_CHAVE=rz_… node empresa.mjs 12345678
const { RAZAO_URL, RAZAO_CHAVE } = process.env;

// Devolve dados; espera e tenta de novo, no máximo três vezes, depois de 429 ou 503.
async function consultar(caminho) {
  for (let tentativa = 0; ; tentativa++) {
    const resposta = await fetch(RAZAO_URL + caminho, { headers: { Authorization: `Bearer ${RAZAO_CHAVE}` }, redirect: "error" });
    const corpo = await resposta.json();
    if (resposta.ok) return corpo.dados;
    if (![429, 503].includes(resposta.status) || tentativa === 3) {
      throw new Error(`${resposta.status} ${corpo.erro.mensagem}`);
    }
    await new Promise((pronto) => setTimeout(pronto, 1000 * resposta.headers.get("Retry-After")));
  }
}

// Produz os itens de uma coleção, desta página até a última.
async function* percorrer(pagina) {
  yield* pagina.itens;
  while (pagina.proxima_url) {
    pagina = await consultar(pagina.proxima_url);
    yield* pagina.itens;
  }
}

async function contar(pagina) {
  let itens = 0;
  for await (const _ of percorrer(pagina)) itens++;
  return itens;
}

const dados = await consultar(`/v2/empresas/${process.argv[2]}/full?limite=100`);
console.log(dados.empresa.razao_social);
console.log("socios", await contar(dados.empresa.socios));
console.log("estabelecimentos", await contar(dados.estabelecimentos));
for (const grupo of Object.values(dados.registros_publicos)) {
  for (const [fonte, pagina] of Object.entries(grupo)) {
    const sabido = ["encontrado", "sem_ocorrencia"].includes(pagina.status);
    console.log(fonte, sabido ? await contar(pagina) : pagina.status); // não se sabe: não é o mesmo que não haver
  }
}
