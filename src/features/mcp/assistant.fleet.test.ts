import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type App, connectionTo, dataIn, openApp } from '#test/support/mcp.ts'
import { type SiteHouse, siteHouse } from '#test/support/site-house.ts'

const MOST_CALLS = 12
const SLUG = 'bakery'
/** A file that every WordPress has. */
const FILE = 'wp-content/index.php'

describe('an assistant that knows only the tools', { timeout: 15 * 60_000 }, () => {
  let house: SiteHouse
  let app: App
  let calls = 0
  before(async () => {
    house = await siteHouse(1)
    const { token } = await connectionTo(house.panel, { access: 'manage', allowDangerous: true })
    app = await openApp(house.panel, token, { person: () => 'accept' })
  })
  after(() => house?.[Symbol.asyncDispose]())

  /** Every call counts, and each has to succeed. */
  const call = async (tool: string, args: Record<string, unknown>): Promise<string> => {
    calls += 1
    const { text, isError } = await app.call(tool, args)
    assert.equal(isError, false, `${tool} ${JSON.stringify(args)}: ${text}`)
    return text
  }

  interface Shown {
    job: { status: string; result: unknown }
    logs: { text: string }[]
  }

  const waitFor = async (job: string): Promise<Shown> => {
    for (;;) {
      const shown = dataIn(await call('wait_for_job', { job, seconds: 50 })) as Shown
      if (['succeeded', 'failed', 'canceled'].includes(shown.job.status)) return shown
    }
  }

  it(`creates a site, edits a file, waits for jobs and reads the result in at most ${MOST_CALLS} calls`, async context => {
    assert.match(await call('overview', {}), /Manage access to all sites/)
    const found = await call('find_endpoints', { words: 'create a new site' })
    assert.match(found, /^siteCreate \[call, Manage\]/m)
    const described = JSON.parse(await call('describe_endpoint', { endpoint: 'siteCreate' })) as {
      body: { required: string[] }
    }
    const known: Record<string, unknown> = {
      title: 'Bakery',
      slug: SLUG,
      domainMode: 'dev',
      adminUser: 'ada',
      adminEmail: 'ada@example.com',
    }
    const required = Object.fromEntries(described.body.required.map(name => [name, known[name]]))
    const body = { ...required, serverId: house.ids[0] }
    const created = dataIn(await call('call', { endpoint: 'siteCreate', body })) as { job: { id: string } }
    const { job } = await waitFor(created.job.id)
    assert.equal(job.status, 'succeeded')
    assert.match((job.result as { url: string }).url, /bakery/)
    const etag = /etag (\w+):/.exec(await call('read_file', { site: SLUG, path: FILE }))?.[1] ?? ''
    const edits = [{ find: '// Silence is golden.', replace: "echo 'Hello from ' . 6 * 7;" }]
    await call('write_file', { site: SLUG, path: FILE, etag, edits })
    const run = dataIn(
      await call('dangerous_call', {
        endpoint: 'siteShell',
        params: { slug: SLUG },
        body: { command: `php ${FILE}` },
      }),
    ) as { job: { id: string } }
    const ran = await waitFor(run.job.id)
    assert.equal(ran.job.status, 'succeeded')
    assert.ok(
      ran.logs.some(({ text }) => text.includes('Hello from 42')),
      JSON.stringify(ran.logs),
    )
    assert.ok(calls <= MOST_CALLS, `${calls} calls`)
    context.diagnostic(`${calls} calls`)
  })

  it('gets no PHP file saved that does not parse, nor one that changed in the meantime', async () => {
    const broken = await app.call('write_file', { site: SLUG, path: 'wp-content/broken.php', text: '<?php if (' })
    assert.match(broken.text, /refused or failed, 422/)
    const late = await app.call('write_file', { site: SLUG, path: FILE, etag: 'a'.repeat(64), text: '<?php' })
    assert.match(late.text, /refused or failed, 412/)
    const twice = await app.call('write_file', { site: SLUG, path: FILE, text: '<?php' })
    assert.match(twice.text, /refused or failed, 412/)
  })
})
