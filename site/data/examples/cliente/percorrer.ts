// O que falta ao cliente que o openapi-typescript e o openapi-fetch fazem: a chave, a espera quando o limite acaba e as páginas.
import createClient from "openapi-fetch";
import type { paths } from "./razao.js";

// Envia; espera e tenta de novo, no máximo três vezes, depois de 429 ou 503.
async function enviar(pedido: Request): Promise<Response> {
  for (let tentativa = 0; ; tentativa++) {
    const resposta = await fetch(pedido.clone());
    if (![429, 503].includes(resposta.status) || tentativa === 3) return resposta;
    await new Promise((pronto) => setTimeout(pronto, 1000 * Number(resposta.headers.get("Retry-After"))));
  }
}

// Não segue redirecionamentos, que levariam a chave a outra porta ou de https a http.
export const conectar = (url: string, chave: string) =>
  createClient<paths>({ baseUrl: url, headers: { Authorization: `Bearer ${chave}` }, redirect: "error", fetch: enviar });

type Pagina<T> = { data?: { dados: { itens: T[]; proximo_cursor: string | null } }; error?: { erro: { mensagem: string } }; response: Response };

// Devolve os itens de todas as páginas. Se os dados mudam entre duas (409), recomeça: nenhum item falta nem se repete.
export async function percorrer<T>(pagina: (cursor?: string) => Promise<Pagina<T>>): Promise<T[]> {
  let todos: T[] = [];
  let cursor: string | undefined;
  for (let recomecos = 0; ; ) {
    const { data, error, response } = await pagina(cursor);
    if (response.status === 409 && recomecos++ < 5) {
      todos = [];
      cursor = undefined;
      continue;
    }
    if (!data) throw new Error(`${response.status} ${error?.erro.mensagem}`);
    todos.push(...data.dados.itens);
    if (data.dados.proximo_cursor === null) return todos;
    cursor = data.dados.proximo_cursor;
  }
}
