export type ClientResponse<Body = unknown> = { status: number; body: Body; headers: Headers }

const MOST_TRIES = 20

/**
 * Asks again while the server answers 503. It was too busy and did nothing, so that is no verdict. Returns the last
 * answer if the server stays busy.
 */
export async function untilAvailable<T extends { status: number }>(
  ask: () => Promise<T>,
): Promise<T> {
  for (let left = MOST_TRIES; ; left--) {
    const response = await ask()
    if (response.status !== 503 || left === 0) return response
  }
}

/** An HTTP client of the product that keeps its cookies. */
export class Client {
  readonly #base: string
  readonly #fetch: typeof fetch
  #cookies = new Map<string, string>()

  /** `send` replaces Node's fetch. */
  constructor(base: string, send: typeof fetch = fetch) {
    this.#base = base
    this.#fetch = send
  }

  get cookieHeader(): string {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  }

  cookies(): { name: string; value: string }[] {
    return [...this.#cookies].map(([name, value]) => ({ name, value }))
  }

  /** Returns the response without following redirects. */
  async send(method: string, path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers)
    if (this.#cookies.size > 0) headers.set('cookie', this.cookieHeader)
    // Compressing every page takes a tenth of the tests' time. Browsers ask for it.
    if (!headers.has('accept-encoding')) headers.set('accept-encoding', 'identity')
    const response = await this.#fetch(new URL(path, this.#base), {
      redirect: 'manual',
      ...init,
      method,
      headers,
    })
    for (const line of response.headers.getSetCookie()) this.keep(line)
    return response
  }

  /** Stores the cookie of a Set-Cookie line. */
  keep(line: string): void {
    const [pair = ''] = line.split(';')
    const at = pair.indexOf('=')
    const name = pair.slice(0, at)
    if (/max-age=0/i.test(line)) this.#cookies.delete(name)
    else this.#cookies.set(name, pair.slice(at + 1))
  }

  async call<Body = Record<string, unknown>>(
    method: string,
    path: string,
    json?: unknown,
    headers: Record<string, string> = {},
  ): Promise<ClientResponse<Body>> {
    const init: RequestInit =
      json === undefined
        ? { headers: { 'sec-fetch-site': 'none', ...headers } }
        : {
            body: JSON.stringify(json),
            headers: { 'content-type': 'application/json', ...headers },
          }
    const response = await this.send(method, path, init)
    const text = await response.text()
    return {
      status: response.status,
      body: (text === '' ? null : JSON.parse(text)) as Body,
      headers: response.headers,
    }
  }

  get<Body = Record<string, unknown>>(path: string, headers?: Record<string, string>) {
    return this.call<Body>('GET', path, undefined, headers)
  }

  async post<Body = Record<string, unknown>>(
    path: string,
    json: unknown = {},
    headers?: Record<string, string>,
  ): Promise<ClientResponse<Body>> {
    return untilAvailable(() => this.call<Body>('POST', path, json, headers))
  }

  /** Posts a form the way a browser without scripts does. */
  async submit(path: string, fields: Record<string, string>): Promise<Response> {
    return untilAvailable(() =>
      this.send('POST', path, {
        body: new URLSearchParams(fields),
        headers: { 'sec-fetch-site': 'same-origin' },
      }),
    )
  }
}
