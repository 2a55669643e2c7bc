import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { Problem } from '#platform/contract/problem.ts'
import { until } from '#test/fleet/until.ts'
import { PAYLOADS } from '#test/generated/payloads.ts'
import { assertNoCanary } from '#test/support/canary.ts'
import { endedOn, logOn } from '#test/support/drive-panel.ts'
import { RAW_CONTROLS } from '#test/support/hostile-host.ts'
import { exerciseJob, variantsOf } from '#test/support/job-kit.ts'
import { type WarmServer, warmServer } from '#test/support/warm-server.ts'
import { WordpressPerson } from '#test/support/wordpress-person.ts'
import { CliArgs } from './console/contract.ts'
import { siteShell } from './console/site.shell.ts'
import { wpCli } from './console/wp.cli.ts'
import { RestAnswer, RestCall } from './rest/contract.ts'
import { wpRest } from './rest/wp.rest.ts'

const SLUG = 'first'
const SECRET = 'correct-horse-battery'
const JOB_MS = 60_000

/** Routes as no plugin should have them, and a command that says what it was called with. */
const ODD_ROUTES = `<?php
add_action("rest_api_init", function () {
  $route = fn ($name, $answer) => register_rest_route("odd", $name, ["callback" => $answer, "permission_callback" => "__return_true"]);
  $route("slow", fn () => sleep(80));
  $route("long", fn () => str_repeat("x", 4 * 1024 ** 2));
});
if (defined("WP_CLI")) WP_CLI::add_command("words", function () {
  echo json_encode(array_slice($_SERVER["argv"], 1 + array_search("words", $_SERVER["argv"], true)));
});`

const isProblem = (code: string, about: RegExp) => (error: unknown) =>
  error instanceof Problem && error.code === code && about.test(error.message)

describe('work inside a WordPress', { timeout: 20 * 60_000 }, () => {
  let house: WarmServer
  const params = { slug: SLUG }
  const api = () => house.panel.as('manage')
  const inSite = (script: string) => house.shell(`docker exec fleetpress-site-${SLUG} sh -euc '${script}'`)
  const address = () => house.servers[0]?.address ?? assert.fail()
  const person = () => new WordpressPerson(address(), `http://${SLUG}.vps1.localhost`)
  const cli = (args: string[], more: { stdin?: string } = {}) => api().wpCli({ params, body: { args, ...more } })
  const ended = async ({ job }: { job: Parameters<typeof endedOn>[1] | null }) => {
    assert.ok(job)
    const done = await endedOn(house.panel, job, JOB_MS)
    return { ...done, log: await logOn(house.panel, job) }
  }
  const putMuPlugin = (name: string, code: string) =>
    inSite(`echo ${Buffer.from(code).toString('base64')} | base64 -d > wp-content/mu-plugins/${name}.php`)
  const processes = async (like = /sleep 5\d\d/g) =>
    (await inSite('cat /proc/[0-9]*/cmdline | tr "\\0" " "')).match(like) ?? []

  /** What takes too long is asked for first, and looked at once everything else was tried. */
  let slow: Promise<[PromiseSettledResult<unknown>, RestAnswer]>

  before(async () => {
    house = await warmServer({
      extraJobs: [wpCli, siteShell, wpRest].flatMap(type => variantsOf(type as typeof wpCli)),
    })
    await putMuPlugin('odd-routes', ODD_ROUTES)
    const waited = Promise.allSettled([cli(['eval', 'sleep(599);'])])
    const called = api().wpRest({ params, body: { route: '/odd/slow' } })
    slow = Promise.all([waited.then(([settled]) => settled), called.then(answer => RestAnswer.parse(answer))])
  })
  after(() => house?.[Symbol.asyncDispose]())

  it('wpCli: answers what the command says, with what it reads', async () => {
    const version = await cli(['core', 'version'])
    assert.deepEqual([version.exitCode, version.job], [0, null])
    assert.match(version.stdout ?? '', /^\d+\.\d+/)
    const odd = `; touch /tmp/planted $(id) "'\\ \n --x`
    assert.equal((await cli(['option', 'update', 'odd', odd])).exitCode, 0)
    assert.equal((await cli(['option', 'get', 'odd'])).stdout, `${odd}\n`)
    const failed = await cli(['option', 'get', 'nothing-is-called-so'])
    assert.deepEqual([failed.exitCode, failed.stdout], [1, ''])
    await cli(['user', 'update', 'ada', '--prompt=user_pass'], { stdin: `${SECRET}\n` })
    assert.equal((await person().signIn('ada', SECRET)).status, 302)
  })

  it('wpCli: hands every word on as it is, while the caller waits and as a job', async () => {
    const words = PAYLOADS.filter(word => CliArgs.safeParse([word]).success && !word.startsWith('-'))
    const body = (file: string) => ({
      args: ['eval-file', '-', ...words],
      stdin: `<?php file_put_contents('/tmp/${file}', json_encode($args));`,
    })
    const { exitCode, stderr } = await api().wpCli({ params, body: body('waited') })
    assert.equal(exitCode, 0, stderr ?? '')
    const { status, log } = await ended(await api().wpCli({ params, body: { ...body('job'), async: true } }))
    assert.equal(status, 'succeeded', log)
    for (const file of ['waited', 'job']) assert.deepEqual(JSON.parse(await inSite(`cat /tmp/${file}`)), words)
    await assertNoCanary(house.servers[0] ?? assert.fail())
  })

  it('wpCli: words that look like options are the business of WP-CLI alone', async () => {
    const words = PAYLOADS.filter(
      word => CliArgs.safeParse([word]).success && word.startsWith('-') && word !== '--help',
    )
    assert.ok(words.length > 2)
    const { exitCode, stdout, stderr } = await cli(['words', ...words])
    assert.equal(exitCode, 0, stderr ?? '')
    assert.deepEqual(JSON.parse(stdout ?? ''), words)
    await assertNoCanary(house.servers[0] ?? assert.fail())
  })

  it('wpCli: values of the site come without what a screen acts on', async () => {
    const value = 'red \u001B[31m\u202E\u200B\u0007 end'
    await cli(['option', 'update', 'hostile'], { stdin: JSON.stringify(value) })
    const { status, log } = await ended(
      await api().wpCli({ params, body: { args: ['option', 'get', 'hostile'], async: true } }),
    )
    assert.equal(status, 'succeeded', log)
    assert.match(log, /red .*end/)
    assert.doesNotMatch(log.replaceAll('\n', ''), RAW_CONTROLS)
  })

  it('wpRest: keeps the first megabyte of an answer, and says how long it was', async () => {
    const { status, truncated, sizeBytes, body, error } = await api().wpRest({ params, body: { route: '/odd/long' } })
    assert.deepEqual([status, truncated, error], [200, true, null])
    assert.ok((sizeBytes ?? 0) > 3 * 1024 ** 2, String(sizeBytes))
    assert.equal(String(body).length, 1024 ** 2)
  })

  it('wpRest: sends a route to the site and nowhere else, or refuses it', async () => {
    for (const payload of PAYLOADS.filter(text => /CANARY|\.\.|%|\r|[$`]/.test(text))) {
      const route = `/${payload}`
      const asked = api().wpRest({ params, body: { route } })
      if (!RestCall.safeParse({ route }).success) await assert.rejects(asked, isProblem('validation_error', /./), route)
      else assert.ok([200, 404].includes((await asked).status ?? 0), route)
    }
    const elsewhere = await api().wpRest({ params, body: { route: '//127.0.0.1/wp/v2/types' } })
    assert.equal(elsewhere.status, 404, 'all of it is a route')
    await assertNoCanary(house.servers[0] ?? assert.fail())
  })

  it('wpUsers: shows whatever accounts are called, without what a screen acts on', async () => {
    await cli(['user', 'create', 'mallory', 'mallory@example.com'])
    const hostile = String.raw`"\x1b[31mred\u{202e}\u{200b}\n<b>"`
    const code = `$wpdb->update($wpdb->users, ["user_login" => ${hostile}, "user_email" => ${hostile}], ["user_login" => "mallory"]);`
    assert.equal((await cli(['eval', `global $wpdb; ${code}`])).exitCode, 0)
    const { items } = await api().wpUsers({ params, query: {} })
    const odd = items.find(({ login }) => login.includes('red'))
    assert.ok(odd, JSON.stringify(items))
    assert.doesNotMatch(odd.login + odd.email, RAW_CONTROLS)
    await cli(['user', 'delete', String(odd.id), '--yes'])
  })

  it('wpCliHelp: explains a command that the site has', async () => {
    const { help } = await house.panel.as('read-only').wpCliHelp({ params, query: { command: 'plugin list' } })
    assert.match(help, /wp plugin list/)
    assert.doesNotMatch(help, /GLOBAL PARAMETERS/)
    const all = await api().wpCliHelp({ params, query: {} })
    assert.match(all.help, /^plugin list {2}/m)
    const unknown = api().wpCliHelp({ params, query: { command: 'plugin levitate' } })
    await assert.rejects(unknown, isProblem('not_found', /no command wp plugin levitate/))
  })

  it('wpCli with async and siteShell: run as jobs with their output in the log, not for Read only', async () => {
    const body = { args: ['user', 'update', 'ada', '--prompt=user_pass'], stdin: `${SECRET}-2\n`, async: true }
    const updated = await ended(await api().wpCli({ params, body }))
    assert.deepEqual([updated.status, updated.result], ['succeeded', { exitCode: 0 }], updated.log)
    assert.equal((await person().signIn('ada', `${SECRET}-2`)).status, 302)
    const rows = await house.panel.foundation.database.db.selectFrom('job').selectAll().execute()
    const lines = await house.panel.foundation.database.db.selectFrom('job_log').selectAll().execute()
    assert.ok(!JSON.stringify([rows, lines]).includes(SECRET), 'what it read is neither in the row nor in the log')

    const command = 'pwd; id -un; echo wrong >&2; exit 3'
    const shell = await ended(await api().siteShell({ params, body: { command } }))
    assert.deepEqual([shell.status, shell.error?.code], ['failed', 'command_failed'])
    assert.match(shell.log, /\/var\/www\/html[\s\S]*www-data[\s\S]*wrong/)
    const seen = await house.panel.as('read-only').jobGet({ params: { id: shell.id }, query: {} })
    assert.ok(!JSON.stringify(seen).includes('www-data'))
    assert.ok(!JSON.stringify(seen).includes('pwd'))
  })

  it('siteShell: ends with everything it started when it is canceled', async () => {
    const { job } = await api().siteShell({ params, body: { command: 'sleep 501 & sleep 502' } })
    await until('Starting the command', async () => (await processes()).length >= 2, JOB_MS)
    await api().jobCancel({ params: { id: job.id } })
    assert.equal((await endedOn(house.panel, job, JOB_MS)).status, 'canceled')
    assert.deepEqual(await processes(), [])
    assert.equal((await house.shell('ls /srv/fleetpress/run/detached')).trim(), '')
  })

  it('wpRest: gives the answer as it is, signed in with an application password', async () => {
    const types = await api().wpRest({ params, body: { route: '/wp/v2/types/post?context=view' } })
    assert.deepEqual([types.status, (types.body as { slug: string }).slug, types.truncated], [200, 'post', false])
    const refused = await api().wpRest({ params, body: { route: '/wp/v2/settings' } })
    assert.deepEqual([refused.status, refused.error], [401, null])
    const made = await cli(['user', 'application-password', 'create', 'ada', 'panel', '--porcelain'])
    const auth = { username: 'ada', applicationPassword: (made.stdout ?? '').trim() }
    const draft = { method: 'POST' as const, route: '/wp/v2/posts', body: { title: 'Hello' }, auth }
    const posted = await api().wpRest({ params, body: draft })
    assert.equal(posted.status, 201, JSON.stringify(posted))
    const failed = await ended(await api().wpRest({ params, body: { route: '/no/such/route', async: true } }))
    assert.deepEqual([failed.status, failed.error?.code], ['failed', 'rest_failed'])
  })

  it('wpLoginLink: signs in once, within two minutes', async () => {
    const { url, user, expiresInSeconds } = await api().wpLoginLink({ params, body: {} })
    assert.deepEqual([user, expiresInSeconds], ['ada', 120])
    const path = url.slice(url.indexOf('/wp-login.php'))
    const visitor = person()
    assert.equal((await visitor.ask(path)).status, 302)
    const dashboard = await visitor.ask('/wp-admin/')
    assert.deepEqual([dashboard.status, /Dashboard/.test(dashboard.text)], [200, true])
    assert.equal((await person().ask(path)).status, 403, 'a second use')
    const late = await api().wpLoginLink({ params, body: { user: 'ada@example.com' } })
    await inSite('touch -d "121 seconds ago" /run/fleetpress/sign-in/*')
    assert.equal((await person().ask(late.url.slice(late.url.indexOf('/wp-login.php')))).status, 403, 'too late')
    await assert.rejects(api().wpLoginLink({ params, body: { user: '../ada' } }), isProblem('not_found', /no user/))
    for (const guess of ['', '../next-event', '..', 'x'.repeat(300)])
      assert.equal((await person().ask(`/wp-login.php?fleetpress-sign-in=${encodeURIComponent(guess)}`)).status, 403)
  })

  it('wpResetPassword: gives a password that works, and signs the user out', async () => {
    const signedIn = person()
    assert.equal((await signedIn.signIn('ada', `${SECRET}-2`)).status, 302)
    const { user, newPassword } = await api().wpResetPassword({ params, body: { user: 'ada' } })
    assert.equal(user, 'ada')
    assert.notEqual((await signedIn.ask('/wp-admin/')).status, 200)
    assert.equal((await person().signIn('ada', newPassword)).status, 302)
    await assert.rejects(
      api().wpResetPassword({ params, body: { user: 'nobody' } }),
      isProblem('not_found', /no user nobody/),
    )
  })

  it('wpMaintenanceSet: shows visitors a notice until it is turned off', async () => {
    assert.deepEqual(await api().wpMaintenance({ params }), { enabled: false })
    await api().wpMaintenanceSet({ params, body: { enabled: true } })
    assert.equal((await person().ask('/')).status, 503)
    assert.deepEqual(await api().wpMaintenance({ params }), { enabled: true })
    await api().wpMaintenanceSet({ params, body: { enabled: false } })
    assert.equal((await person().ask('/')).status, 200)
  })

  it('wpTestMail: says whether the mailer took it, and why not', async () => {
    const test = () => api().wpTestMail({ params, body: { to: 'ada@example.com' } })
    assert.deepEqual(await test(), { accepted: true, detail: '' })
    await house.shell('docker stop fleetpress-relay')
    const { accepted, detail } = await test()
    assert.equal(accepted, false)
    assert.match(detail, /mail/i)
    await house.shell('docker start fleetpress-relay')
  })

  it('assistantChats, assistantChat and assistantAgents: pass on what the plugin prints, 409 without it', async () => {
    await assert.rejects(api().assistantChats({ params, query: {} }), isProblem('conflict', /assistant plugin/))
    const code = `<?php
if (defined("WP_CLI")) WP_CLI::add_command("assistant", new class {
  function __invoke($words, $options) {
    if (($words[2] ?? "") === "odd") { echo "no json"; return; }
    echo "noise\n", json_encode(["ok" => ($words[2] ?? "") !== "gone", "words" => $words, "options" => $options]);
  }
});`
    await putMuPlugin('assistant', code)
    const list = await api().assistantChats({ params, query: { parent: 'a1' } })
    assert.deepEqual(list, { ok: true, words: ['chat', 'list'], options: { parent: 'a1', format: 'json' } })
    const query = { wait: 2, after: '-1', pending: 'true' as const }
    const waited = await api().assistantChat({ params: { ...params, chatId: 'c-1' }, query })
    assert.deepEqual(waited['words'], ['chat', 'wait', 'c-1'])
    assert.deepEqual(waited['options'], { timeout: '2', after: '-1', pending: true, format: 'json' })
    const gone = await api().assistantChat({ params: { ...params, chatId: 'gone' }, query: {} })
    assert.deepEqual([gone.ok, gone['words']], [false, ['chat', 'read', 'gone']])
    assert.deepEqual((await api().assistantAgents({ params }))['words'], ['agent', 'list'])
    const odd = api().assistantChat({ params: { ...params, chatId: 'odd' }, query: {} })
    await assert.rejects(odd, isProblem('bad_gateway', /did not answer/))
    await inSite('rm wp-content/mu-plugins/assistant.php')
  })

  it('wpCli ends with 504 after 55 seconds, wpRest with an error after 45', async () => {
    const [command, call] = await slow
    assert.ok(command.status === 'rejected' && isProblem('timeout', /past 55 seconds/)(command.reason))
    assert.deepEqual([call.status, call.error], [null, 'no answer within 45 s'])
    assert.ok(call.durationMs >= 45_000 && call.durationMs < 90_000, String(call.durationMs))
    assert.deepEqual(await processes(/sleep\(599/g), [])
  })

  const job = { slug: SLUG, timeoutMin: 1 }
  const look = async () => [
    await inSite('wp option get blogname'),
    await house.shell('ls /srv/fleetpress/run/detached'),
  ]
  const exercised = { limitMs: JOB_MS, look }
  const place = () => ({ ...job, serverId: house.serverId })

  it('wp.cli, site.shell and wp.rest: run once, whatever befalls the panel', async () => {
    const { panel } = house
    const args = ['eval', 'file_put_contents("/tmp/runs", "x", FILE_APPEND);']
    await exerciseJob('sqlite', wpCli, {
      panel,
      ...exercised,
      prepare: async () => ({ ...place(), args, stdin: null }),
    })
    assert.equal(await inSite('cat /tmp/runs'), 'xxx', 'once in each of three runs, although each step ran twice')
    const command = 'echo hello'
    await exerciseJob('sqlite', siteShell, { panel, ...exercised, prepare: async () => ({ ...place(), command }) })
    const call = { method: 'GET' as const, route: '/' }
    await exerciseJob('sqlite', wpRest, { panel, ...exercised, prepare: async () => ({ ...place(), call }) })
  })
})
