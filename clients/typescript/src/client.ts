// HTTP for the API of Razão: keys, waiting, pages. Types and methods are in api.ts, which is generated.

const tries = 8; // of one call
const restarts = 5; // of todos
const longestWait = 120; // seconds

/** An answer other than 200. */
export class RazaoError extends Error {
  constructor(
    readonly status: number,
    /** erro.codigo: stable */ readonly code: string,
    /** erro.mensagem: for people */ message: string,
    readonly requestId: string,
    /** Retry-After, in seconds */ readonly after: number,
  ) {
    super(`${status} ${code}: ${message}`);
  }

  /** Whether the same call may succeed soon: what a load lacks comes with another load. */
  get temporary(): boolean {
    return (this.status === 429 || this.status === 503) && this.code !== "carga_parcial";
  }
}

interface Content {
  type: string;
  body: string;
}

interface Page {
  dados: { proxima_url: string | null; itens?: unknown[] };
}

/**
 * Calls the API at an address, that of the site without a path, with a key: from a server, since keys do not belong
 * in browsers.
 *
 * A call waits and tries again when the API asks for it (429, 503) or the network fails. Iterators follow the pages;
 * when the data were replaced between two of them, they end with a RazaoError of status 409, and todos begins again.
 */
export class Client {
  readonly #address: string;
  readonly #key: string;

  constructor(address: string, key: string) {
    this.#address = address.replace(/\/$/, "");
    this.#key = key;
  }

  protected get<T>(path: string, parameters: object = {}): Promise<T> {
    return this.#call<T>("GET", target(path, parameters));
  }

  protected post<T>(path: string, body: object): Promise<T> {
    return this.#call<T>("POST", path, { type: "application/json", body: JSON.stringify(body) });
  }

  protected postForm<T>(path: string, fields: object): Promise<T> {
    const form = new URLSearchParams();
    for (const [name, value] of Object.entries(fields)) form.set(name, JSON.stringify(value));
    return this.#call<T>("POST", path, { type: "application/x-www-form-urlencoded", body: form.toString() });
  }

  protected async *pages<T>(path: string, parameters: object = {}): AsyncGenerator<T> {
    let at: string | null = target(path, parameters);
    while (at) {
      const page: Page = await this.#call<Page>("GET", at);
      yield page as T;
      const next = page.dados.proxima_url;
      at = next === at ? null : next; // a feed waits for the next load
    }
  }

  protected async *items<T>(path: string, parameters: object = {}): AsyncGenerator<T> {
    for await (const page of this.pages<Page>(path, parameters)) {
      for (const item of page.dados.itens ?? []) yield item as T;
    }
  }

  /** Makes a call. It waits as the API asks, and for longer and longer when it cannot be reached. */
  async #call<T>(method: string, at: string, content?: Content): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      let wait = Math.min(2 ** (attempt - 1), longestWait);
      try {
        return await this.#once<T>(method, at, content);
      } catch (error) {
        if (error instanceof RazaoError) {
          if (!error.temporary) throw error;
          wait = Math.min(Math.max(error.after, wait / 4), longestWait);
        }
        if (attempt === tries) throw error;
      }
      await new Promise((done) => setTimeout(done, wait * 1000));
    }
  }

  async #once<T>(method: string, at: string, content?: Content): Promise<T> {
    const headers: Record<string, string> = { Authorization: `Bearer ${this.#key}` };
    if (content) headers["Content-Type"] = content.type;
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), 60_000);
    try {
      // No redirect is followed: older versions of fetch take the key along to another port.
      return await answerOf<T>(await fetch(this.#address + at, { method, headers, body: content?.body, signal: late.signal, redirect: "manual" }));
    } finally {
      clearTimeout(timer);
    }
  }
}

async function answerOf<T>(response: Response): Promise<T> {
  if (response.status === 200) return (await response.json()) as T;
  const location = response.headers.get("Location");
  if (location) {
    const to = new URL(location, response.url).origin;
    throw new RazaoError(response.status, "redirecionado", `the server redirects to ${to}, which does not get the key: is this the address?`, "", 0);
  }
  // A proxy in between may answer something else than our errors.
  const body = (await response.json().catch(() => ({}))) as { erro?: { codigo: string; mensagem: string }; requisicao_id?: string };
  throw new RazaoError(
    response.status,
    body.erro?.codigo ?? "",
    body.erro?.mensagem ?? response.statusText,
    body.requisicao_id ?? "",
    Number(response.headers.get("Retry-After") ?? 0) || 0,
  );
}

function target(path: string, parameters: object): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined) query.append(name, String(one));
    }
  }
  const text = query.toString();
  return text ? `${path}?${text}` : path;
}

/**
 * All items that an iterator has: todos(() => razao.buscarItens({ q: "padaria" })). If the data are replaced
 * meanwhile, it begins again, so that none is missing or there twice.
 */
export async function todos<T>(items: () => AsyncIterable<T>): Promise<T[]> {
  for (let again = 0; ; again++) {
    const all: T[] = [];
    try {
      for await (const item of items()) all.push(item);
      return all;
    } catch (error) {
      if (!(error instanceof RazaoError) || error.status !== 409 || again === restarts) throw error;
    }
  }
}
