import assert from 'node:assert/strict'
import { after, before, describe, type TestContext, test } from 'node:test'
import { newReleaseKey } from '#features/system/index.ts'
import { type FreshMachine, freshMachine } from './fresh-machine.ts'
import { until } from './until.ts'
import { type Fleet, vps } from './vps.ts'

const UP_LIMIT_MS = 10 * 60_000
const LIMIT_MS = 4 * 60_000
const AWAY_LIMIT_MS = 10_000
const INSTALL = '/opt/panel'
const SOURCE = '/opt/fleetpress'
const FEED = '/opt/feed'
const KEYS = 'src/features/system/feed/trusted-keys.json'
const FEED_URL = 'http://127.0.0.1:8099/releases.json'

/** Any web server can offer a feed. */
const SERVE = `const { createReadStream } = require('node:fs')
require('node:http').createServer((request, response) => createReadStream('${FEED}' + request.url)
  .on('error', () => response.writeHead(404).end()).pipe(response)).listen(8099, '127.0.0.1')`

/** Asks again and again; each line has the time in milliseconds and the status, 000 for no answer. */
const visitor = (name: string, url: string): string =>
  `systemd-run --quiet --unit=${name} bash -c 'while :; do
    echo "$(date +%s%3N) $(curl -s -o /dev/null -m 10 -w "%{http_code}" ${url})" >> /var/tmp/${name}; sleep 0.05; done'`

interface Visit {
  at: number
  status: string
}

interface Update {
  current: string
  update: { status: string; to: string; steps: { id: string; status: string }[] } | null
}

let fleet: Fleet
let machine: FreshMachine
let token = ''

const fleetpress = async (...words: string[]): Promise<string> => {
  const { exitCode, stdout, stderr } = await machine.vps.exec([`${INSTALL}/current/fleetpress`, ...words], {
    timeoutMs: UP_LIMIT_MS,
  })
  assert.equal(exitCode, 0, `${words.join(' ')}: ${stdout}${stderr}`)
  return stdout
}

/** This repository as a version that trusts the key of the test. */
const nameVersion = (root: string, version: string) =>
  machine.shell(`sed -i '0,/"version": "[^"]*"/s//"version": "${version}"/' ${root}/package.json`)

const release = async (version: string): Promise<void> => {
  await nameVersion(SOURCE, version)
  await machine.shell(`${SOURCE}/fleetpress release build ${FEED} --key /etc/release.key`)
}

const ask = async (method: string, path: string, body?: unknown): Promise<unknown> => {
  const words = ['-sS', '-X', method, '-H', `authorization: Bearer ${token}`, `http://localhost:8080${path}`]
  const sent = body === undefined ? [] : ['-H', 'content-type: application/json', '-d', JSON.stringify(body)]
  const { stdout } = await machine.vps.exec(['curl', ...words, ...sent])
  return stdout === '' ? undefined : (JSON.parse(stdout) as unknown)
}

const shown = async () => (await ask('GET', '/api/system/update')) as Update | undefined

const ended = async (version: string): Promise<Update> => {
  let last: Update | undefined
  const isOver = async () => {
    last = await shown()
    return last?.update?.to === version && last.update.status !== 'running'
  }
  await until(`The update to ${version}`, isOver, LIMIT_MS)
  return last ?? assert.fail()
}

const reaches = (step: string) =>
  until(
    `The step ${step}`,
    async () => (await shown())?.update?.steps.some(({ id, status }) => id === step && status === 'running') === true,
    LIMIT_MS,
  )

const unitFolder = () => machine.shell('systemctl show fleetpress --property=WorkingDirectory --value')

const visits = async (name: string): Promise<Visit[]> => {
  const lines = (await machine.shell(`cat /var/tmp/${name}`)).split('\n')
  return lines.map(line => ({ at: Number(line.split(' ')[0]), status: line.split(' ')[1] ?? '' }))
}

/** The longest time without an answer. */
const awayMs = (all: readonly Visit[]): number => {
  const answered = all.filter(({ status }) => status !== '000').map(({ at }) => at)
  return Math.max(...answered.slice(1).map((at, before) => at - (answered[before] ?? at)))
}

before(async () => {
  fleet = await vps(1)
  machine = await freshMachine(fleet.servers[0] ?? assert.fail())
  const { privateKeyPem, publicKey } = newReleaseKey()
  await machine.shell('cat > /etc/release.key', privateKeyPem)
  await machine.shell(`cat > ${SOURCE}/${KEYS}`, JSON.stringify([publicKey]))
  await nameVersion(SOURCE, '0.2.0')
  await machine.shell(`${SOURCE}/fleetpress --version && mkdir -p ${INSTALL}/releases ${FEED}`)
  await machine.shell(`cp -al ${SOURCE} ${INSTALL}/releases/0.2.0 && ln -s releases/0.2.0 ${INSTALL}/current`)
  await machine.shell(`cp --remove-destination ${SOURCE}/package.json ${INSTALL}/releases/0.2.0/package.json`)
  await fleetpress('up')
  token = (await fleetpress('key', 'create', 'test', '--access', 'full')).trim()
  await machine.shell('cat > /etc/serve.cjs', SERVE)
  await machine.shell(`systemd-run --quiet --unit=feed ${SOURCE}/node_modules/.bin/node /etc/serve.cjs`)
  await fleetpress('settings', 'update', '--yes', '--body', JSON.stringify({ updates: { feedUrl: FEED_URL } }))
  const account = ['--admin-user', 'you', '--admin-email', 'you@example.com']
  await fleetpress('sites', 'create', '--slug', 'hello', '--title', 'Hello', '--domain-mode', 'dev', ...account)
})

after(() => fleet?.[Symbol.asyncDispose]())

void describe('an update of a panel under systemd', { concurrency: false }, () => {
  void test('sites answer throughout, their jobs end right, and the panel is away for seconds', {
    timeout: LIMIT_MS * 3,
  }, async (t: TestContext) => {
    await release('0.3.0')
    await machine.shell(visitor('site', 'http://hello.localhost/'))
    await machine.shell(visitor('panel', 'http://localhost:8080/api/health'))
    const command = 'for at in $(seq 60); do sleep 1; done; echo "6 times 7 is $((6 * 7))"'
    const { job } = (await ask('POST', '/api/sites/hello/shell', { command })) as { job: { id: string } }
    await ask('POST', '/api/system/update', {})
    const { current, update } = await ended('0.3.0')
    assert.deepEqual([current, update?.status], ['0.3.0', 'succeeded'], JSON.stringify(update))
    assert.equal(await unitFolder(), `${INSTALL}/releases/0.3.0`)
    const jobOf = async () =>
      (await ask('GET', `/api/jobs/${job.id}`)) as { job: { status: string }; logs: { text: string }[] }
    await until('The job of the site', async () => (await jobOf()).job.status !== 'running', LIMIT_MS)
    const { job: over, logs } = await jobOf()
    const told = logs.map(({ text }) => text).join('\n')
    assert.equal(over.status, 'succeeded', told)
    assert.match(told, /The panel was restarted[^]*6 times 7 is 42/)
    const after = (await ask('GET', '/api/jobs?type=system.postUpdate')) as { items: { id: string }[] }
    assert.equal(after.items.length, 1)
    const isIdle = async () => ((await ask('GET', '/api/jobs?status=queued,running')) as { total: number }).total === 0
    await until('Servers and sites to be up to date', isIdle, LIMIT_MS)
    await machine.shell('systemctl stop site panel')
    const ofSite = await visits('site')
    assert.deepEqual(
      ofSite.filter(({ status }) => status !== '200'),
      [],
    )
    const away = awayMs(await visits('panel'))
    t.diagnostic(`the panel was away for ${away} ms; ${ofSite.length} visitors of the site`)
    assert.ok(away <= AWAY_LIMIT_MS, `${away} ms`)
  })

  for (const step of ['stop', 'start', 'watch']) {
    void test(`killed in the step ${step}, the old version comes back by itself`, {
      timeout: LIMIT_MS * 2,
    }, async () => {
      if (step === 'stop') await release('0.4.0')
      await ask('POST', '/api/system/update', {})
      // The panel may not answer any more, so its file is asked.
      const reached = `until grep -q '"id":"${step}","label":"[^"]*","status":"running"' /var/lib/fleetpress/update/state.json; do sleep 0.01; done`
      await machine.shell(
        `${reached}; kill -9 "$(grep -o '"pid":[0-9]*' /var/lib/fleetpress/update.lock | cut -d: -f2)"`,
      )
      const { current, update } = await ended('0.4.0')
      assert.deepEqual([current, update?.status], ['0.3.0', 'rolled_back'])
      assert.equal(await unitFolder(), `${INSTALL}/releases/0.3.0`)
    })
  }

  void test('cut off by a reboot, the old version comes back by itself', { timeout: LIMIT_MS * 2 }, async () => {
    await ask('POST', '/api/system/update', {})
    await reaches('watch')
    await machine.vps.reboot()
    await until('The panel to be back', async () => (await shown().catch(() => undefined)) !== undefined, LIMIT_MS)
    const { current, update } = await ended('0.4.0')
    assert.deepEqual([current, update?.status], ['0.3.0', 'rolled_back'])
  })
})
