import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import pino from 'pino'
import { z } from 'zod'
import { api } from '#app/contract.ts'
import { features } from '#app/features.ts'
import { setupLink } from '#app/local.ts'
import { panelSnapshot } from '#features/panel/index.ts'
import { sshPrivateKey } from '#features/servers/ssh-key.ts'
import { contract } from '#platform/contract/endpoint.ts'
import { type Job, JobAccepted, TERMINAL } from '#platform/contract/job.ts'
import { onlyFor } from '#platform/contract/withhold.ts'
import { defineFeature, type Feature } from '#platform/feature.ts'
import { defineJob } from '#platform/jobs/job-type.ts'
import { namedLane } from '#platform/jobs/lane.ts'
import {
  dumpTables,
  filesIn,
  type Invited,
  linkToken,
  type Seen,
  spellings,
  tokenIn,
  watchAnswers,
} from './support/outbox.ts'
import { type Ask, type Browser, ENGINES, type TestPanel, testPanel } from './support/panel.ts'
import { startSmtp } from './support/smtp.ts'
import { codeAt, movableClock, STEP_MS, wrongCode } from './support/totp.ts'

/** Every kind of secret the panel knows, with a value that occurs nowhere else. */
const SECRET = {
  ownerPassword: 'Sentinel0ownerPassword',
  newPassword: 'Sentinel1newPassword',
  annaPassword: 'Sentinel2annaPassword',
  resetPassword: 'Sentinel3resetPassword',
  mistyped: 'Sentinel4mistypedPassword',
  smtpPassword: 'Sentinel5smtpPassword',
  jobInput: 'Sentinel6jobInput',
  jobResult: 'Sentinel7jobResult',
  jobOutput: 'Sentinel8jobOutput',
  jobFailure: 'Sentinel9jobFailureInput',
}

const Input = z.strictObject({ password: onlyFor('manage', z.string()), fail: z.boolean() })
type Input = z.output<typeof Input>
const Result = z.strictObject({ password: onlyFor('manage', z.string()), plain: z.string() })
type Result = z.output<typeof Result>

const secretJob = defineJob<Input, { made: string }, Result>({
  type: 'test.secret',
  label: 'A job with secrets',
  description: 'Takes a password and makes one.',
  category: 'test',
  timeoutMs: 60_000,
  input: Input,
  result: Result,
  target: () => ({}),
  lanes: () => [namedLane('secret')],
  steps: [
    {
      id: 'make-password',
      label: 'Making a password',
      async run({ state, input, output, say }) {
        state.made = SECRET.jobResult
        say('A word for everyone.')
        output('stdout', SECRET.jobOutput)
        output('stderr', SECRET.jobOutput)
        if (input.fail) throw Object.assign(new Error('It did not work.'), { code: 'told' })
      },
    },
  ],
  finish: ({ made }) => ({ password: made ?? '', plain: 'seen by all' }),
})

const secretFeature = defineFeature({
  name: 'secret',
  uses: [],
  contract: contract({
    secretStart: {
      method: 'POST',
      path: '/api/test/secret',
      level: 'manage',
      job: true,
      summary: 'Start it',
      body: z.strictObject({ password: z.string(), fail: z.boolean() }),
      reply: JobAccepted,
    },
  }),
  routes: { secretStart: async ({ body }, scope) => ({ job: await scope.jobs.enqueue(secretJob, body) }) },
  jobs: [secretJob as never],
}) as unknown as Feature

/** Where a secret may be seen: the one answer that shows it, and only as the right caller. */
const MAY_SHOW: Record<string, RegExp> = {
  sessionToken: /^200 POST \/api\/auth\/login(?:\/totp)? |^201 POST \/setup /,
  csrfToken: /^200 POST \/api\/auth\/login(?:\/totp)? |^201 POST \/setup |^200 GET \/api\/auth\/session person$/,
  challenge: /^200 POST \/api\/auth\/login nobody$/,
  totpSecret: /^200 POST \/api\/account\/totp person$/,
  recoveryCode: /^200 PUT \/api\/account\/totp person$/,
  invitationToken: /^201 POST \/api\/admins person$/,
  keyToken: /^201 POST \/api\/keys person$/,
  jobResult: /^200 GET \/api\/jobs\/:id (?:manage|full|person)$/,
  jobOutput: /^200 GET \/api\/jobs\/:id (?:manage|full|person)$/,
}

for (const engineName of ENGINES) {
  describe(`secrets on ${engineName}`, { timeout: 300_000 }, () => {
    let panel: TestPanel
    const clock = movableClock()
    const seen: Seen[] = []
    const log: string[] = []
    const secrets: [string, string][] = Object.entries(SECRET)
    const learn = (kind: string, value: string) => {
      assert.ok(value.length >= 16, `${kind} is long enough to be searched for`)
      secrets.push([kind, value])
    }
    const post = (path: string, body: unknown, asked: Ask = {}) => {
      clock.forward(20_000)
      return panel.ask(path, { method: 'POST', body, ...asked })
    }
    const as = (browser: Browser, method: string, path: string, body?: unknown) => {
      clock.forward(20_000)
      return panel.askAs(browser, path, { method, ...(body === undefined ? {} : { body }) })
    }
    const withKey = (level: keyof TestPanel['token'], path: string, asked: Ask = {}) =>
      panel.ask(path, { ...asked, headers: { authorization: `Bearer ${panel.token[level]}` } })
    const enter = async (path: string, body: unknown): Promise<Browser> => {
      const answer = await post(path, body)
      assert.ok(answer.status < 300, answer.text)
      const cookie = String(answer.headers['set-cookie']).split(';')[0] ?? ''
      const { csrfToken } = answer.json() as { csrfToken: string }
      learn('sessionToken', cookie.split('=')[1] ?? '')
      learn('csrfToken', csrfToken)
      return { cookie, csrfToken }
    }
    const finished = async (id: string): Promise<Job> => {
      for (let tries = 0; tries < 1_500; tries += 1) {
        clock.forward(1_000)
        const { job } = (await withKey('full', `/api/jobs/${id}`)).json() as { job: Job }
        if (TERMINAL.includes(job.status)) return job
        await sleep(20)
      }
      throw new Error('the job did not end')
    }
    const jobIds: string[] = []

    const setUp = async () => {
      const setup = (await setupLink(panel.config))?.split('#token=')[1] ?? ''
      learn('setupToken', setup)
      const owner = { email: 'owner@example.com', name: 'Owner', password: SECRET.ownerPassword }
      await post('/setup', { ...owner, token: 'x'.repeat(43) })
      await post('/setup', { ...owner, token: setup, more: SECRET.mistyped })
      return enter('/setup', { ...owner, token: setup })
    }

    const inviteAnna = async (owner: Browser) => {
      const anna = { email: 'anna@example.com', name: 'Anna' }
      await as(owner, 'POST', '/api/admins', { ...anna, password: SECRET.mistyped })
      const invited = await as(owner, 'POST', '/api/admins', { ...anna, password: SECRET.ownerPassword })
      const token = tokenIn({ text: (invited.json() as Invited).link ?? '' })
      learn('invitationToken', token)
      await post('/api/auth/reset-password', { token, password: SECRET.annaPassword })
      return enter('/api/auth/login', { email: anna.email, password: SECRET.annaPassword })
    }

    const secondFactor = async (anna: Browser) => {
      const begun = await as(anna, 'POST', '/api/account/totp', { password: SECRET.annaPassword })
      const { secret } = begun.json() as { secret: string }
      learn('totpSecret', secret)
      await as(anna, 'PUT', '/api/account/totp', { code: wrongCode(secret, clock.now()) })
      const enabled = await as(anna, 'PUT', '/api/account/totp', { code: codeAt(secret, clock.now() + 20_000) })
      const { recoveryCodes } = enabled.json() as { recoveryCodes: string[] }
      for (const code of recoveryCodes) learn('recoveryCode', code)
      for (const code of [() => recoveryCodes[0], () => codeAt(secret, clock.now() + 20_000)]) {
        clock.forward(2 * STEP_MS)
        const login = await post('/api/auth/login', { email: 'anna@example.com', password: SECRET.annaPassword })
        const { challenge } = login.json() as { challenge: string }
        learn('challenge', challenge)
        await post('/api/auth/login/totp', { challenge, code: SECRET.mistyped })
        await enter('/api/auth/login/totp', { challenge, code: code() })
      }
    }

    const links = async (anna: Browser) => {
      await post('/api/auth/forgot-password', { email: 'anna@example.com' })
      const reset = await linkToken(panel, 'anna@example.com')
      learn('resetToken', reset)
      await post('/api/auth/confirm-email', { token: reset })
      await as(anna, 'PUT', '/api/account/email', { password: SECRET.annaPassword, email: 'anna2@example.com' })
      const email = await linkToken(panel, 'anna2@example.com')
      learn('emailToken', email)
      await post('/api/auth/reset-password', { token: email, password: SECRET.resetPassword })
      await post('/api/auth/confirm-email', { token: email })
      await post('/api/auth/reset-password', { token: reset, password: SECRET.resetPassword })
    }

    /** What people get wrong, with what they meant to keep to themselves in it. */
    const mistakes = async (owner: Browser) => {
      const json = { 'content-type': 'application/json' }
      const email = 'owner@example.com'
      await post('/api/auth/login', { email, password: SECRET.mistyped })
      await post('/api/auth/login', { email, password: SECRET.mistyped + 'x'.repeat(1024) })
      await post('/api/auth/login', { email, password: { value: SECRET.mistyped } })
      await post('/api/auth/login', { email: SECRET.mistyped, password: 'x' })
      for (const raw of [
        `{"email":"${email}","password":"${SECRET.mistyped}"`,
        `"${SECRET.mistyped}"`,
        SECRET.mistyped,
      ])
        await panel.ask('/api/auth/login', { method: 'POST', raw, headers: json })
      await panel.ask('/api/auth/login', { method: 'POST', raw: `password=${SECRET.mistyped}` })
      await as(owner, 'PUT', '/api/account/password', { password: SECRET.mistyped, newPassword: SECRET.newPassword })
      await as(owner, 'PUT', '/api/account/password', {
        password: SECRET.ownerPassword,
        newPassword: SECRET.newPassword,
      })
      await as(owner, 'PUT', '/api/settings', { mail: { password: [SECRET.smtpPassword] } })
      await as(owner, 'PUT', '/api/settings', { mail: { password: SECRET.smtpPassword, port: 0 } })
    }

    const keysAndMail = async (owner: Browser) => {
      const made = await as(owner, 'POST', '/api/keys', { name: 'a key', access: 'full' })
      const { key, token } = made.json() as { key: { id: string }; token: string }
      learn('keyToken', token)
      for (const path of ['/api/keys', '/api/nowhere'])
        await panel.ask(path, { headers: { authorization: `Bearer ${token}` } })
      await as(owner, 'DELETE', `/api/keys/${key.id}`)
      await panel.ask('/api/keys', { headers: { authorization: `Bearer ${token}` } })
      const smtp = await startSmtp({ login: { user: 'panel', password: SECRET.smtpPassword } })
      const mail = {
        host: '127.0.0.1',
        port: smtp.port,
        security: 'none',
        user: 'panel',
        notifyAddress: 'a@example.com',
      }
      await as(owner, 'PUT', '/api/settings', { mail: { ...mail, password: SECRET.smtpPassword } })
      assert.match((await as(owner, 'POST', '/api/settings/test-email')).text, /"accepted":true/)
      await as(owner, 'PUT', '/api/settings', { mail: { password: SECRET.mistyped } })
      assert.match((await as(owner, 'POST', '/api/settings/test-email')).text, /"accepted":false/)
      await as(owner, 'PUT', '/api/settings', { mail: { password: SECRET.smtpPassword } })
      await smtp.stop()
    }

    const jobs = async () => {
      await panel.engine.start()
      const start = async (body: object) => {
        const answer = await withKey('manage', '/api/test/secret', { method: 'POST', body })
        jobIds.push((answer.json() as { job: Job }).job.id)
      }
      await start({ password: SECRET.jobInput, fail: false })
      await start({ password: SECRET.jobFailure, fail: true })
      await withKey('read-only', '/api/test/secret', {
        method: 'POST',
        body: { password: SECRET.jobInput, fail: false },
      })
      await withKey('manage', '/api/test/secret', { method: 'POST', body: { password: [SECRET.jobInput] } })
      const ended = await Promise.all(jobIds.map(finished))
      assert.deepEqual(
        ended.map(({ status }) => status),
        ['succeeded', 'failed'],
      )
      const { id } = await panel.world
        .scope({ kind: 'system', name: 'test', level: 'full' })
        .jobs.enqueue(panelSnapshot, {})
      assert.equal((await finished(id)).status, 'succeeded')
    }

    /** Everything that can be read, by everyone who can. */
    const readEverything = async (owner: Browser) => {
      const paths = Object.values(api).filter(({ method, path }) => method === 'GET' && !path.includes(':'))
      const all = [...paths.map(({ path }) => path), ...jobIds.map(id => `/api/jobs/${id}`), '/metrics', '/docs']
      for (const path of [...all, '/api/openapi.json', '/api/keys/activity?limit=200', '/api/nowhere']) {
        for (const level of ['read-only', 'manage', 'full'] as const) await withKey(level, path)
        await panel.askAs(owner, path)
        await panel.ask(path)
      }
    }

    before(async () => {
      const stream = { write: (line: string) => void log.push(line) }
      panel = await testPanel({
        engineName,
        now: clock.now,
        features: [...features, secretFeature],
        log: pino({ level: 'trace' }, stream),
      })
      watchAnswers(panel, seen)
      const key = readFileSync(join(panel.config.dataDir, 'master.key'), 'utf8').trim()
      learn('masterKey', key)
      for (const encoding of ['base64', 'base64url', 'latin1'] as const)
        learn('masterKey', Buffer.from(key, 'hex').toString(encoding).replace(/=+$/, ''))
      for (const token of Object.values(panel.token)) learn('keyToken', token)
      const sshKey = await sshPrivateKey(panel.world.scope({ kind: 'system', name: 'test', level: 'full' }))
      const lines = sshKey.reveal().match(/^[A-Za-z0-9+/=]{60,}$/gm) ?? []
      // The first one says what kind of key it is, the same for all.
      for (const line of lines.slice(1)) learn('sshPrivateKey', line)
      const owner = await setUp()
      const anna = await inviteAnna(owner)
      await secondFactor(anna)
      await links(anna)
      await mistakes(owner)
      await keysAndMail(owner)
      await jobs()
      await readEverything(owner)
      await as(owner, 'POST', '/api/auth/logout')
      await sleep(400)
    })
    after(() => panel.stop())

    const found = (where: string, bytes: Buffer) =>
      secrets
        .filter(([, value]) => spellings(value).some(spelling => bytes.includes(spelling)))
        .map(([kind]) => `${kind} in ${where}`)

    it('are all there: every kind has its value, and the flows went through', () => {
      const kinds = new Set(secrets.map(([kind]) => kind))
      for (const kind of [...Object.keys(SECRET), ...Object.keys(MAY_SHOW), 'masterKey', 'setupToken', 'resetToken'])
        assert.ok(kinds.has(kind), kind)
      for (const status of [200, 201, 202, 400, 401, 403, 404])
        assert.ok(
          seen.some(answer => answer.status === status),
          `some answer was ${status}`,
        )
      for (const kind of Object.keys(MAY_SHOW)) {
        const value = secrets.findLast(([name]) => name === kind)?.[1] ?? ''
        if (value !== panel.token.full)
          assert.ok(
            seen.some(answer => answer.text.includes(value)),
            `${kind} was shown`,
          )
      }
    })

    it('are found where they are: plain, and in the spellings people take for hiding', () => {
      for (const spelling of spellings(SECRET.smtpPassword))
        assert.deepEqual(found('here', Buffer.concat([Buffer.from('{"a":"'), spelling])), ['smtpPassword in here'])
      assert.deepEqual(found('here', Buffer.from('{"a":"Sentinel"}')), [])
    })

    it('are in no answer but the one that shows them once', () => {
      const leaks = seen.flatMap(({ who, request, status, text }) =>
        found(`${status} ${request} ${who}`, Buffer.from(text)),
      )
      const forbidden = leaks.filter(leak => {
        const [kind = '', where = ''] = leak.split(/ in (.*)/s)
        return !MAY_SHOW[kind]?.test(where)
      })
      assert.deepEqual(forbidden, [])
    })

    it('are in no line of the log, however much is logged', () => {
      assert.ok(log.length > 100, `${log.length} lines were logged`)
      assert.deepEqual(found('the log', Buffer.from(log.join(''))), [])
    })

    it('are in no row of any table: jobs, job logs, activity, settings, people', async () => {
      const rows = await dumpTables(panel)
      assert.ok(rows.includes('anna2@example.com') && rows.includes('A word for everyone.'))
      assert.deepEqual(
        found('the database', Buffer.from(rows)).filter(leak => leak !== 'jobOutput in the database'),
        [],
      )
    })

    it('are in no file of the data folder, copies of the database included', () => {
      const files = filesIn(panel, ['master.key', 'outbox'])
      assert.ok(files.some(([name]) => name.endsWith('.fpsnap')))
      const leaks = files.flatMap(([name, bytes]) => found(name, name.endsWith('.fpsnap') ? gunzipSync(bytes) : bytes))
      assert.deepEqual(
        leaks.filter(leak => !leak.startsWith('jobOutput in ')),
        [],
      )
    })

    it('in a job are for Manage and up: its result by field, its output by line, its input for no one', () => {
      const answers = (who: string) =>
        seen.filter(answer => answer.who === who && answer.request === 'GET /api/jobs/:id')
      for (const [who, may] of [
        ['read-only', false],
        ['manage', true],
        ['full', true],
        ['person', true],
      ] as const) {
        const text = answers(who)
          .map(answer => answer.text)
          .join('\n')
        assert.equal(text.includes(SECRET.jobResult), may, who)
        assert.equal(text.includes(SECRET.jobOutput), may, who)
        assert.ok(text.includes('seen by all') && text.includes('A word for everyone.'), who)
        if (!may) assert.match(text, /"password":null[^]*output withheld: needs Manage access/)
      }
      for (const { text } of seen) assert.ok(!text.includes(SECRET.jobInput) && !text.includes(SECRET.jobFailure))
    })
  })
}
