import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { api } from '#app/contract.ts'
import { setupLink } from '#app/local.ts'
import { buildPanel, type Panel, type PanelOptions } from '#app/panel.ts'
import { createKey } from '#features/panel/index.ts'
import { type Config, readConfig } from '#platform/config/config.ts'
import { type Client, client } from '#platform/contract/client.ts'
import type { Access } from '#platform/contract/level.ts'
import { Problem, ProblemBody } from '#platform/contract/problem.ts'
import type { AnswerCheck } from '#platform/http/answer.ts'
import { newPostgresDatabase } from './postgres.ts'
import { SOAK } from './soak.ts'

export type Engine = 'sqlite' | 'postgres'
/** `./fleetpress test quick` takes only the one that needs no server. */
export const ENGINES: readonly Engine[] = process.env.FLEETPRESS_QUICK === '1' ? ['sqlite'] : ['sqlite', 'postgres']
/** For what happens before any database is asked; the long run takes both anyway. */
export const ANY_ENGINE: readonly Engine[] = SOAK ? ENGINES : ['sqlite']

export const OWNER = { email: 'owner@example.com', name: 'Olga Owner', password: 'correct horse battery' }

export interface Answer {
  status: number
  headers: Record<string, string | string[] | number | undefined>
  text: string
  json(): unknown
}

export interface Ask {
  method?: string
  headers?: Record<string, string>
  body?: unknown
  /** Sent as it is, with the content type in `headers`. */
  raw?: string | Buffer
  from?: string
}

export interface Browser {
  cookie: string
  csrfToken: string
}

export interface TestPanel extends Panel {
  config: Config
  token: Record<Access, string>
  ask(path: string, options?: Ask): Promise<Answer>
  /** The typed client with a key of this access. */
  as(access: Access): Client<typeof api>
  /** A signed-in owner; made on first use. */
  owner(): Promise<Browser>
  signIn(email: string, password: string): Promise<Browser>
  askAs(browser: Browser, path: string, options?: Ask): Promise<Answer>
  stop(): Promise<void>
}

/** Every answer of every test is held against its schema, field for field; a wrong one fails the request with 500. */
const holdAgainstSchema: AnswerCheck = (route, status, reply) => {
  if (!route.endpoint.reply) return
  const parsed = route.endpoint.reply.safeParse(reply)
  assert.ok(
    parsed.success,
    `${route.id} answered ${status} with what its contract does not say: ${parsed.error?.message ?? ''}`,
  )
  assert.deepEqual(reply, parsed.data, `${route.id} answered with fields its contract does not have`)
}

export const newConfig = async (engine: Engine, env: Record<string, string> = {}): Promise<Config> => {
  const databaseUrl = engine === 'postgres' ? { DATABASE_URL: await newPostgresDatabase() } : {}
  const dataDir = env.FLEETPRESS_DATA ?? mkdtempSync(join(tmpdir(), 'fleetpress-test-'))
  // No one answers there: no test sends its look-ups to strangers.
  const own = { FLEETPRESS_DATA: dataDir, FLEETPRESS_PORT: '18080', LOG_LEVEL: 'silent', DNS_SERVERS: '127.0.0.1:9' }
  return readConfig({ ...own, ...databaseUrl, ...env })
}

export interface TestPanelOptions extends PanelOptions {
  engineName?: Engine
  env?: Record<string, string>
  config?: Config
}

/** A whole panel on its own database, asked through `inject`: all of HTTP but the socket. */
export const testPanel = async (options: TestPanelOptions = {}): Promise<TestPanel> => {
  const { engineName = 'sqlite', env = {}, config: given, ...panelOptions } = options
  const config = given ?? (await newConfig(engineName, env))
  const panel = await buildPanel(config, { check: holdAgainstSchema, log: pino({ level: 'silent' }), ...panelOptions })
  await panel.server.ready()
  const ask = asker(panel, config)
  const token = await makeKeys(panel)
  let owner: Promise<Browser> | undefined
  return {
    ...panel,
    config,
    token,
    ask,
    as: access => client(api, sender(ask, { authorization: `Bearer ${token[access]}` })),
    owner: () => (owner ??= makeOwner(config, ask)),
    signIn: (email, password) => signIn(ask, '/api/auth/login', { email, password }),
    askAs: (browser, path, asked = {}) =>
      ask(path, { ...asked, headers: { cookie: browser.cookie, 'x-csrf-token': browser.csrfToken, ...asked.headers } }),
    stop: async () => {
      await panel.close()
      rmSync(config.dataDir, { recursive: true, force: true })
    },
  }
}

const asker =
  (panel: Panel, config: Config) =>
  async (path: string, { method = 'GET', headers = {}, body, raw, from }: Ask = {}): Promise<Answer> => {
    const json = body === undefined ? {} : { 'content-type': 'application/json' }
    const response = await panel.server.inject({
      method: method as 'GET',
      url: path,
      headers: { host: `localhost:${config.port}`, ...json, ...headers },
      ...(raw !== undefined ? { payload: raw } : body === undefined ? {} : { payload: JSON.stringify(body) }),
      ...(from === undefined ? {} : { remoteAddress: from }),
    })
    return {
      status: response.statusCode,
      headers: response.headers,
      text: response.body,
      json: () => JSON.parse(response.body) as unknown,
    }
  }

const sender =
  (ask: TestPanel['ask'], headers: Record<string, string>) =>
  async ({ method, url, body }: { method: string; url: string; body: unknown }) => {
    const answer = await ask(url, { method, headers, body })
    if (answer.status < 300) return answer.json()
    const { error } = ProblemBody.parse(answer.json())
    throw new Problem(error.code, error.message, error.details)
  }

const makeKeys = async (panel: Panel): Promise<Record<Access, string>> => {
  const make = async (access: Access) =>
    (
      await createKey(panel.foundation.database.db, {
        name: `test ${access}`,
        access,
        createdBy: 'test',
        now: Date.now(),
      })
    ).token
  return { 'read-only': await make('read-only'), manage: await make('manage'), full: await make('full') }
}

const signIn = async (ask: TestPanel['ask'], path: string, body: unknown): Promise<Browser> => {
  const answer = await ask(path, { method: 'POST', body })
  assert.ok(answer.status < 300, `signing in failed: ${answer.text}`)
  const cookie = [answer.headers['set-cookie']]
    .flat()
    .map(String)
    .map(text => text.split(';')[0])
    .join('; ')
  return { cookie, csrfToken: (answer.json() as { csrfToken: string }).csrfToken }
}

const makeOwner = async (config: Config, ask: TestPanel['ask']): Promise<Browser> => {
  const link = await setupLink(config)
  const token = link?.split('#token=')[1]
  return signIn(ask, '/setup', { ...OWNER, token })
}
