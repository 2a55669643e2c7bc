import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { hash } from '@node-rs/argon2'
import { updateAdmin } from '#features/admins/admin-store.ts'
import type { Admin } from '#features/admins/contract.ts'
import { listTables, streamRows } from '#platform/db/whole.ts'
import { type Browser, OWNER, type TestPanel } from './panel.ts'

export interface ReadLetter {
  to: string
  subject: string
  text: string
}

const WAIT_MS = 10_000

const outboxOf = (panel: TestPanel) => join(panel.config.dataDir, 'outbox')

export const letterFiles = (panel: TestPanel): string[] => {
  const folder = outboxOf(panel)
  return existsSync(folder)
    ? readdirSync(folder)
        .filter(name => name.endsWith('.txt'))
        .toSorted()
        .map(name => join(folder, name))
    : []
}

export const readLetter = (file: string): ReadLetter => {
  const [, to = '', subject = '', text = ''] =
    /^To: (.*)\nSubject: (.*)\n\n([^]*)\n$/.exec(readFileSync(file, 'utf8')) ?? []
  return { to, subject, text }
}

/** The oldest letter to this address that was not taken yet; waits for it, since letters follow the answer. */
export const nextLetter = async (panel: TestPanel, to: string): Promise<ReadLetter> => {
  for (const until = Date.now() + WAIT_MS; Date.now() < until; await sleep(10)) {
    const file = letterFiles(panel).find(candidate => readLetter(candidate).to === to)
    if (file === undefined) continue
    const letter = readLetter(file)
    rmSync(file)
    return letter
  }
  throw new Error(`no letter to ${to} within ${WAIT_MS} ms`)
}

/** Every letter that is under way has arrived by then. */
export const untilLettersSettled = (): Promise<void> => sleep(300)

/** The token of the one link in a letter. */
export const tokenIn = ({ text }: Pick<ReadLetter, 'text'>): string => {
  const tokens = [...text.matchAll(/#token=([A-Za-z0-9_-]+)/g)].map(match => match[1] ?? '')
  assert.equal(tokens.length, 1, 'a letter holds exactly one link')
  return tokens[0] ?? ''
}

export const linkToken = async (panel: TestPanel, to: string): Promise<string> => tokenIn(await nextLetter(panel, to))

export interface Person extends Browser {
  id: string
  email: string
  password: string
}

/** The owner as a person with an id. */
export const ownerOf = async (panel: TestPanel): Promise<Person> => {
  const browser = await panel.owner()
  const session = (await panel.askAs(browser, '/api/auth/session')).json() as { admin: Admin }
  return { ...browser, id: session.admin.id, email: OWNER.email, password: OWNER.password }
}

/** What inviting answers where the panel has no mail server. */
export interface Invited {
  admin: Admin
  link: string | null
}

/** Invites someone, lets them choose a password with the link they got, and signs them in. */
export const addPerson = async (
  panel: TestPanel,
  email: string,
  password = `password of ${email}`,
): Promise<Person> => {
  const owner = await panel.owner()
  const body = { email, name: email.split('@')[0], password: OWNER.password }
  const invited = await panel.askAs(owner, '/api/admins', { method: 'POST', body })
  assert.equal(invited.status, 201, invited.text)
  const { admin, link } = invited.json() as Invited
  const token = tokenIn({ text: link ?? '' })
  const chosen = await panel.ask('/api/auth/reset-password', { method: 'POST', body: { token, password } })
  assert.equal(chosen.status, 200, chosen.text)
  return { ...(await panel.signIn(email, password)), id: admin.id, email, password }
}

/** For tests that guess hundreds of times: the passwords people have now take no time to check. */
export const makeGuessesCheap = async (panel: TestPanel, people: readonly Person[]): Promise<void> => {
  const { db } = panel.foundation.database
  const cost = { memoryCost: 8, timeCost: 1, parallelism: 1 }
  for (const { id, password } of people) await updateAdmin(db, id, { password_hash: await hash(password, cost) })
}

/** Whether this browser is still signed in. */
export const isSignedIn = async (panel: TestPanel, browser: Browser): Promise<boolean> => {
  const { status } = await panel.askAs(browser, '/api/auth/session')
  assert.ok(status === 200 || status === 401, `GET /api/auth/session answered ${status}`)
  return status === 200
}

/** Everything the database holds, or some tables of it, as one line of text per row. */
export const dumpTables = async (panel: TestPanel, only?: readonly string[]): Promise<string> => {
  const { db } = panel.foundation.database
  const lines: string[] = []
  for (const table of only ?? (await listTables(db)))
    for await (const row of streamRows(db, table)) lines.push(`${table} ${JSON.stringify(row)}`)
  return lines.toSorted().join('\n')
}

/** When a key or a session was last used, and until when the session is good because of it. */
const MOVES_BY_ITSELF = /,"last_(?:used_at|used_from|seen_at)":(?:null|\d+|"[^"]*")|,"expires_at":\d+(?=,"address")/g

/** Does the work and holds the rows of these tables against what they were before it. */
export const changesNothing = async <T>(
  panel: TestPanel,
  tables: readonly string[],
  work: () => Promise<T>,
): Promise<T> => {
  const rows = async () => (await dumpTables(panel, tables)).replace(MOVES_BY_ITSELF, '').split('\n')
  const before = new Set(await rows())
  const result = await work()
  const after = new Set(await rows())
  assert.deepEqual({ gone: [...before.difference(after)], new: [...after.difference(before)] }, { gone: [], new: [] })
  return result
}

/** The bytes of every file in the data folder, by name; some left out. */
export const filesIn = (panel: TestPanel, leaveOut: readonly string[] = []): [string, Buffer][] =>
  readdirSync(panel.config.dataDir, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name))
    .filter(file => !leaveOut.some(name => file.startsWith(join(panel.config.dataDir, name))))
    .map(file => [file, readFileSync(file)])

/** An answer as it left the panel, and who got it. */
export interface Seen {
  who: string
  request: string
  status: number
  text: string
}

/** Keeps every answer with everything in it. */
export const watchAnswers = (panel: TestPanel, seen: Seen[]): void => {
  const names = new Map(Object.entries(panel.token).map(([level, token]) => [`Bearer ${token}`, level]))
  const { server } = panel
  const inject = server.inject.bind(server) as (
    asked: object,
  ) => Promise<{ statusCode: number; headers: object; body: string }>
  const watched = async (asked: { method: string; url: string; headers: Record<string, string> }) => {
    const answer = await inject(asked)
    const { authorization, cookie } = asked.headers
    const who = names.get(authorization ?? '') ?? (authorization ? 'another key' : cookie ? 'person' : 'nobody')
    const request = `${asked.method} ${asked.url.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/, ':id')}`
    seen.push({ who, request, status: answer.statusCode, text: JSON.stringify(answer.headers) + answer.body })
    return answer
  }
  Object.assign(server, { inject: watched })
}

/** A text as it is, and in the ways that people take for hiding it. */
export const spellings = (value: string): Buffer[] => {
  const bytes = Buffer.from(value)
  const texts = [value, bytes.toString('base64').replace(/=+$/, ''), bytes.toString('base64url'), bytes.toString('hex')]
  return texts.map(text => Buffer.from(text))
}
