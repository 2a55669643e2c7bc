import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'

const LIMIT_MS = 60_000

interface Asked {
  readonly body?: string | Buffer
  readonly headers?: Record<string, string>
}

export interface Page {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

/** Someone with a browser, whose name server points the site's address to this server. */
export class WordpressPerson {
  readonly #address: string
  readonly #ca: string
  readonly #cookies = new Map<string, string>()
  #home: URL

  constructor(address: string, home: string, ca = '') {
    this.#address = address
    this.#ca = ca
    this.#home = new URL(home)
  }

  /** The same person, after the site has got another address or another server. */
  at(address: string, home: string): WordpressPerson {
    return new WordpressPerson(address, home, this.#ca)
  }

  async ask(path: string, { body, headers = {} }: Asked = {}): Promise<Page> {
    const isSecure = this.#home.protocol === 'https:'
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const sent = (isSecure ? httpsRequest : httpRequest)({
      host: this.#address,
      servername: this.#home.hostname,
      ca: this.#ca,
      path,
      method: body === undefined ? 'GET' : 'POST',
      headers: { host: this.#home.host, cookie, ...headers },
      agent: false,
      signal: AbortSignal.timeout(LIMIT_MS),
    })
    sent.end(body)
    const [answer] = (await once(sent, 'response')) as [IncomingMessage]
    for (const line of answer.headers['set-cookie'] ?? []) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (name !== undefined && value !== undefined) this.#cookies.set(name, value)
    }
    const text = Buffer.concat(await answer.toArray()).toString()
    return { status: answer.statusCode ?? 0, headers: answer.headers, text }
  }

  signIn(user: string, password: string): Promise<Page> {
    this.#cookies.set('wordpress_test_cookie', 'WP%20Cookie%20check')
    const body = new URLSearchParams({ log: user, pwd: password, testcookie: '1' }).toString()
    return this.ask('/wp-login.php', { body, headers: { 'content-type': 'application/x-www-form-urlencoded' } })
  }

  /** As the editor does it; where it can be seen. */
  async upload(name: string, bytes: Buffer): Promise<string> {
    const headers = { 'content-type': 'image/png', 'content-disposition': `attachment; filename="${name}"` }
    return (await this.#make<{ source_url: string }>('media', bytes, headers)).source_url
  }

  async publish(title: string, content: string): Promise<string> {
    const body = JSON.stringify({ title, content, status: 'publish' })
    return (await this.#make<{ link: string }>('pages', body, { 'content-type': 'application/json' })).link
  }

  async #make<T>(kind: string, body: string | Buffer, headers: Record<string, string>): Promise<T> {
    const nonce = (await this.ask('/wp-admin/admin-ajax.php?action=rest-nonce')).text.trim()
    const made = await this.ask(`/wp-json/wp/v2/${kind}`, { body, headers: { ...headers, 'x-wp-nonce': nonce } })
    assert.equal(made.status, 201, made.text.slice(0, 500))
    return JSON.parse(made.text) as T
  }
}
