import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Job } from '#platform/contract/job.ts'
import { progressLine } from '../../src/cli/generated/progress-line.ts'
import { show } from '../../src/cli/generated/show.ts'
import { transport } from '../../src/cli/generated/transport.ts'
import { NODE, NODE_FLAGS } from '../../src/cli/repository.ts'
import { freePort, runCli, runProgram, temporaryFolder } from './run-cli.ts'
import { problem, stubPanel } from './stub-panel.ts'

const ID = '01a1dd16-f29d-7000-ac2f-8d9a3b6b953a'

const exitCodes: [number, string, number][] = [
  [400, 'validation_error', 2],
  [401, 'unauthorized', 4],
  [403, 'forbidden', 4],
  [404, 'not_found', 3],
  [409, 'conflict', 5],
  [409, 'job_conflict', 5],
  [412, 'precondition_failed', 5],
  [429, 'rate_limited', 1],
  [500, 'internal', 1],
  [502, 'bad_gateway', 1],
  [503, 'maintenance', 1],
  [504, 'timeout', 6],
]

void describe('an answer that is not a success', () => {
  for (const [status, code, exitCode] of exitCodes) {
    void test(`${code} ends with ${exitCode} and the panel's own words`, async t => {
      const { env } = await stubPanel(t, () => problem(status, code, 'Do this next.'))
      const target = { url: new URL(env.FLEETPRESS_URL), key: undefined, hostHeader: undefined, advice: '' }
      const sent = transport(target, 5000)({ method: 'GET', url: '/api/jobs', body: undefined })
      await assert.rejects(sent, { name: 'Failure', message: 'Do this next.', exitCode })
    })
  }

  void test('is shown without what a terminal would act on', async t => {
    const { env } = await stubPanel(t, () => problem(404, 'not_found', 'Do this \u001b[31mnext\u0007.'))
    const ended = await runCli(['jobs', 'get', ID], { env })
    assert.deepEqual(ended, { code: 3, stdout: '', stderr: 'Do this next.\n' })
  })

  void test('no one there ends with 1 and says what to do', async () => {
    const env = { FLEETPRESS_URL: `http://127.0.0.1:${await freePort()}`, FLEETPRESS_KEY: 'k' }
    const { code, stderr } = await runCli(['jobs', 'list'], { env })
    assert.equal(code, 1)
    assert.match(stderr, /^Can't reach a panel at http:\/\/127\.0\.0\.1:\d+ \(ECONNREFUSED\): check the address/)
  })

  void test('no answer in time ends with 6', async t => {
    const { env } = await stubPanel(t, () => ({ status: 200, body: {}, never: true }))
    const { code, stderr } = await runCli(['jobs', 'list', '--timeout', '0.3'], { env })
    assert.equal(code, 6)
    assert.match(stderr, /did not respond in time/)
  })

  void test('a missing key ends with 4, a key over plain HTTP to elsewhere with 2', async () => {
    const without = await runCli(['jobs', 'list', '--url', 'https://panel.invalid'])
    assert.equal(without.code, 4)
    assert.match(without.stderr, /Set FLEETPRESS_KEY to an API key/)
    const plain = await runCli(['jobs', 'list', '--url', 'http://panel.invalid'], { env: { FLEETPRESS_KEY: 'k' } })
    assert.equal(plain.code, 2)
    assert.match(plain.stderr, /use an https address/)
  })

  void test('a wrong word, option or value ends with 2', async () => {
    const wrong = [
      ['nonsense'],
      ['jobs', 'list', '--nonsense'],
      ['jobs', 'get'],
      ['jobs', 'list', '--limit', 'x'],
      ['jobs', 'get', '..'],
    ]
    for (const { code, stdout, stderr } of await Promise.all(wrong.map(words => runCli(words)))) {
      assert.equal(code, 2, stderr)
      assert.equal(stdout, '')
      assert.notEqual(stderr, '')
    }
  })
})

void describe('what is sent', () => {
  void test('words, options and the key find their places', async t => {
    const answer = { items: [], total: 0, counts: {}, retentionDays: 30 }
    const { env, seen } = await stubPanel(t, () => ({ status: 200, body: answer }))
    const words = ['jobs', 'list', '--q', 'a b&c', '--status', 'queued,running', '--server-id', '3', '--json']
    const { code, stdout } = await runCli(words, { env })
    assert.equal(code, 0)
    assert.deepEqual(JSON.parse(stdout), answer)
    const url = '/api/jobs?q=a+b%26c&status=queued%2Crunning&serverId=3'
    assert.deepEqual(seen, [{ method: 'GET', url, body: undefined, authorization: 'Bearer fp_fu_test' }])
  })

  void test('a body is typed, and a whole body comes from a file or standard input', async t => {
    const { env, seen } = await stubPanel(t, () => ({ status: 200, body: { ok: true } }))
    const preferences = '{"theme":"dark"}'
    await runCli(['account', 'update', '--name', 'Ada', '--preferences', preferences], { env })
    const file = join(temporaryFolder(t), 'settings.json')
    writeFileSync(file, '{"mail":{"port":25}}')
    await runCli(['settings', 'update', '--yes', '--body', `@${file}`], { env })
    await runCli(['settings', 'update', '--yes', '--body', '-'], { env, input: '{"mail":{"password":"p"}}' })
    assert.deepEqual(
      seen.map(({ body }) => body),
      [{ name: 'Ada', preferences: { theme: 'dark' } }, { mail: { port: 25 } }, { mail: { password: 'p' } }],
    )
  })

  void test('passwords come from standard input, one per line, and are refused as words', async t => {
    const { env, seen } = await stubPanel(t, () => ({ status: 200, body: { ok: true } }))
    const words = ['account', 'password', '--yes']
    const ended = await runCli(words, { env, input: 'the old one\nthe new one\n' })
    assert.equal(ended.code, 0, ended.stderr)
    assert.deepEqual(seen[0]?.body, { password: 'the old one', newPassword: 'the new one' })
    for (const refused of ['--password=x', '--new-password=x', '--token=x', '--code=x']) {
      assert.equal((await runCli([...words, refused], { env })).code, 2, refused)
    }
    const missing = await runCli(words, { env, input: 'only one\n' })
    assert.equal(missing.code, 2)
    assert.match(missing.stderr, /standard input, one per line: password, newPassword/)
    assert.equal(seen.length, 1)
  })

  void test('what destroys needs --yes where no one can be asked', async t => {
    const { env, seen } = await stubPanel(t, () => ({ status: 200, body: { ok: true } }))
    const refused = await runCli(['keys', 'revoke', ID], { env })
    assert.equal(refused.code, 2)
    assert.match(refused.stderr, /Revoke an API key immediately\. Add --yes/)
    assert.equal(seen.length, 0)
    const done = await runCli(['keys', 'revoke', ID, '--yes'], { env })
    assert.equal(done.code, 0)
    assert.equal(seen[0]?.method, 'DELETE')
  })
})

const job = (status: Job['status'], more: Partial<Job> = {}): Job => ({
  id: ID,
  type: 'a.job',
  label: 'Do it',
  category: 'panel',
  status,
  origin: 'api',
  siteSlug: null,
  serverId: null,
  scheduleId: null,
  batchId: null,
  lanes: [],
  startedBy: null,
  step: 'first',
  stepsDone: 0,
  stepsTotal: 2,
  progress: null,
  undoing: false,
  retryAt: null,
  cancelRequested: false,
  error: null,
  result: null,
  createdAt: 1,
  startedAt: 1,
  finishedAt: 1001,
  ...more,
})

const line = (seq: number, text: string) => ({ seq, at: 1, stream: 'stdout', text })

const NO_COUNTS = { queued: 0, running: 0, succeeded: 0, failed: 0, canceled: 0 }

/** Answers as a panel whose job goes through these states, one for each time it is asked. */
const panelWith = (states: { job: Job; logs: ReturnType<typeof line>[] }[], ahead: Job[] = []) => {
  let asked = 0
  return ({ method, url }: { method: string; url: string }) => {
    const list = { items: ahead, total: ahead.length, counts: NO_COUNTS, retentionDays: 30 }
    if (url.startsWith('/api/jobs?')) return { status: 200, body: list }
    if (method === 'POST') return { status: 202, body: { job: job('queued') } }
    const { job: now, logs } = states[Math.min(asked, states.length - 1)] ?? { job: job('queued'), logs: [] }
    asked += 1
    return {
      status: 200,
      body: { job: now, logs, lastSeq: Math.max(0, ...logs.map(({ seq }) => seq), asked > 2 ? 2 : 0) },
    }
  }
}

const startJob = (words: string[], env: Record<string, string>) =>
  runProgram(
    NODE,
    [...NODE_FLAGS, fileURLToPath(new URL('start-job.ts', import.meta.url)), 'things', 'start', ...words],
    { env },
  )

const running = { job: job('running'), logs: [line(1, 'hello \u001b[31mworld')] }
const second = { job: job('running', { step: 'second', stepsDone: 1 }), logs: [line(2, 'more')] }
const ended = (status: Job['status'], more: Partial<Job>) => ({ job: job(status, { step: null, ...more }), logs: [] })

void describe('an endpoint that starts a job', () => {
  void test('shows its steps and log, then its result, and ends with 0', async t => {
    const { env } = await stubPanel(t, panelWith([running, second, ended('succeeded', { result: { file: 'a.tar' } })]))
    const { code, stdout, stderr } = await startJob([], env)
    assert.equal(stderr, '→ first (1/2)\n  hello world\n→ second (2/2)\n  more\n✓ Do it 1.0 s\n')
    assert.equal(stdout, 'a.tar\n')
    assert.equal(code, 0)
  })

  void test('says what it waits for before it begins', async t => {
    const waiting = { job: job('queued', { step: null, lanes: ['server:1'] }), logs: [] }
    const before = job('running', { id: '0', lanes: ['server:1'], label: 'Create site', siteSlug: 'harbor' })
    const { env } = await stubPanel(t, panelWith([waiting, running, second, ended('succeeded', {})], [before]))
    assert.match((await startJob([], env)).stderr, /^→ Waiting for Create site on harbor\n→ first \(1\/2\)\n/)
  })

  void test('shows how far a step is, at every tenth where no one watches', async t => {
    const at = (done: number) => ({
      job: job('running', { progress: { done, total: 4 * 1024 ** 3, unit: 'bytes' } }),
      logs: [],
    })
    const states = [at(0), at(1024 ** 3), at(1024 ** 3 + 1), at(3 * 1024 ** 3)]
    const { env } = await stubPanel(t, panelWith([...states, ended('succeeded', {})]))
    const { stderr } = await startJob([], env)
    const lines = ['0 B of 4.0 GiB, 0 %', '1.0 GiB of 4.0 GiB, 25 %', '3.0 GiB of 4.0 GiB, 75 %']
    assert.equal(stderr, `→ first (1/2)\n${lines.map(text => `  ${text}\n`).join('')}✓ Do it 1.0 s\n`)
  })

  void test('rewrites the line of its progress at a terminal, and clears it', () => {
    const written: string[] = []
    const screen = { isTTY: true, write: (text: string) => written.push(text) }
    const line = progressLine(screen)
    line.show(job('running', { progress: { done: 3, total: 12, unit: 'items' } }))
    line.show(job('running'))
    line.clear()
    assert.deepEqual(written, ['\r\u001b[K  3 of 12 items, 25 %', '\r\u001b[K'])
  })

  void test('lists how far each job is', () => {
    const items = [job('running', { progress: { done: 1536, total: 3072, unit: 'bytes' } }), job('queued')]
    const [headings = '', first = '', second = ''] = show({ items }, { width: undefined })
    const column = headings.indexOf('PROGRESS')
    assert.ok(first.slice(column).startsWith('1.5 KiB of 3.0 KiB, 50 %  '), first)
    assert.ok(second.slice(column).startsWith('-  '), second)
  })

  void test('ends a new site with its address, user and password, one a line', async t => {
    const result = { url: 'http://hello.localhost', adminUser: 'ada', adminPassword: 'x-Y_z0' }
    const { env } = await stubPanel(t, panelWith([running, second, ended('succeeded', { result })]))
    const words = ['--slug', 'hello', '--title', 'Hello', '--domain-mode', 'dev', '--admin-user', 'ada']
    const create = ['sites', 'create', ...words, '--admin-email', 'ada@example.com']
    const { code, stdout, stderr } = await runCli(create, { env })
    assert.deepEqual(
      stdout.split('\n').map(text => text.split(/\s+/)),
      [['url', result.url], ['adminUser', 'ada'], ['adminPassword', 'x-Y_z0'], ['']],
    )
    assert.match(stderr, /^→ first \(1\/2\)\n[^]*→ second \(2\/2\)\n[^]*✓ Do it/)
    assert.equal(code, 0)
    const { env: again } = await stubPanel(t, panelWith([ended('succeeded', { result })]))
    const asJson: { job: Job } = JSON.parse((await runCli([...create, '--json'], { env: again })).stdout)
    assert.deepEqual(asJson.job.result, result)
  })

  void test('ends with 1 and the reason when the job fails', async t => {
    const error = { code: 'boom', message: 'The disk is full.', output: null }
    const { env } = await stubPanel(t, panelWith([running, second, ended('failed', { error })]))
    const { code, stdout, stderr } = await startJob(['--json'], env)
    assert.match(stderr, /✗ Do it: The disk is full\. 1\.0 s\n$/)
    const answer: { job: Job } = JSON.parse(stdout)
    assert.equal(answer.job.status, 'failed')
    assert.equal(code, 1)
  })

  void test('returns at once with --no-wait', async t => {
    const { env, seen } = await stubPanel(t, panelWith([running]))
    const { code, stdout } = await startJob(['--no-wait', '--json'], env)
    const answer: { job: Job } = JSON.parse(stdout)
    assert.equal(answer.job.id, ID)
    assert.equal(code, 0)
    assert.equal(seen.length, 1)
  })
})
