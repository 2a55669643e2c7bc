import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { Hostname } from '#platform/contract/identifiers.ts'
import { hurriedClock } from '#test/generated/clock.ts'
import { rowCounts } from '#test/generated/database-state.ts'
import { PAYLOADS } from '#test/generated/payloads.ts'
import { ANY_ENGINE, type TestPanel, testPanel } from '#test/support/panel.ts'
import type { Site } from './contract.ts'

const asked = {
  title: 'Hello',
  slug: 'hello',
  domainMode: 'dev',
  adminUser: 'ada',
  adminEmail: 'ada@example.com',
  locale: 'en_US',
}

/** What a payload would have to be part of to be taken at all. */
const FORMS: Record<string, (payload: string) => string[]> = {
  title: payload => [payload, `a${payload}b`],
  slug: payload => [payload, `a${payload}b`],
  adminUser: payload => [payload, `a${payload}b`],
  adminEmail: payload => [payload, `a${payload}b@example.com`, `a@${payload}.example`],
  locale: payload => [payload, `en_US${payload}`],
  phpVersion: payload => [payload, `8.4${payload}`],
  domainMode: payload => [payload],
  serverId: payload => [payload, `1${payload}`],
}

for (const engineName of ANY_ENGINE) {
  describe(`what attackers put into sites on ${engineName}`, { timeout: 300_000 }, () => {
    let panel: TestPanel
    let token: string
    const send = (method: string, path: string, body: unknown) =>
      panel.ask(path, { method, body, headers: { authorization: `Bearer ${token}` } })
    const siteNow = async (slug: string) => (await send('GET', `/api/sites/${slug}`, undefined)).json() as Site
    const forget = async () => {
      const { db } = panel.foundation.database
      await db.deleteFrom('job').execute()
      await db.deleteFrom('site').execute()
    }
    before(async () => {
      // No limit of requests is met, and nothing runs the jobs.
      panel = await testPanel({ engineName, now: hurriedClock() })
      token = panel.token.full
      await panel.foundation.database.db.updateTable('server').set({ provisioned_at: 1 }).execute()
    })
    after(() => panel.stop())

    for (const [field, forms] of Object.entries(FORMS))
      it(`is refused as ${field} or kept exactly as it was sent`, async () => {
        const counts = await rowCounts(panel)
        let kept = 0
        for (const value of PAYLOADS.flatMap(forms)) {
          const body = { ...asked, [field]: value }
          const { status, text } = await send('POST', '/api/sites', body)
          assert.ok([202, 400, 404, 409].includes(status), `${JSON.stringify(value)}: ${status} ${text}`)
          if (status !== 202) continue
          kept += 1
          if (field !== 'title') assert.match(value, /^[\w.%+@-]+$/)
          const site = await siteNow(body.slug)
          assert.equal(String(site[field as Exclude<keyof Site, 'disk'>]), value)
          assert.match(site.slug, /^[a-z0-9-]+$/)
          for (const name of site.hostnames) assert.ok(Hostname.safeParse(name).success, name)
          await forget()
        }
        if (field === 'title') assert.ok(kept > 50, `${kept} were kept`)
        const now = await rowCounts(panel)
        for (const table of ['admin', 'api_key', 'server', 'setting', 'session', 'site', 'site_hostname'])
          assert.equal(now[table], counts[table], table)
      })

    it('never becomes a name that visitors are pointed to', async () => {
      for (const payload of PAYLOADS)
        for (const name of [payload, `a${payload}.example`, `${payload}.example`, `a.example${payload}`]) {
          const answer = await send('POST', '/api/sites', { ...asked, domainMode: 'live', domains: [name] })
          assert.ok([202, 400, 409].includes(answer.status), `${JSON.stringify(name)}: ${answer.status}`)
          if (answer.status !== 202) continue
          for (const kept of (await siteNow('hello')).hostnames)
            assert.match(kept, /^(?!-)[a-z0-9-]+(?:\.[a-z0-9-]+)+$/, JSON.stringify(name))
          await forget()
        }
    })

    it('is refused as a new title, label or note, or kept exactly as it was sent', async () => {
      assert.equal((await send('POST', '/api/sites', asked)).status, 202)
      for (const payload of PAYLOADS)
        for (const body of [{ title: payload }, { notes: payload }, { labels: [payload] }, { [payload]: 'x' }]) {
          const before = await siteNow('hello')
          const { status, text } = await send('PATCH', '/api/sites/hello', body)
          assert.ok([200, 400].includes(status), `${JSON.stringify(body)}: ${status} ${text}`)
          const { jobId: _a, ...now } = await siteNow('hello')
          const { jobId: _b, ...expected } = status === 200 ? { ...before, ...body } : before
          assert.deepEqual(now, expected)
        }
      await forget()
    })

    it("doesn't resolve as the name of a site in a path", async () => {
      for (const payload of PAYLOADS) {
        const path = encodeURIComponent(payload).replaceAll('.', '%2e')
        for (const [method, rest] of [
          ['GET', ''],
          ['DELETE', ''],
          ['POST', '/restart'],
          ['GET', '/traffic'],
        ] as const) {
          const { status } = await send(method, `/api/sites/${path}${rest}`, method === 'GET' ? undefined : {})
          assert.ok(
            [400, 404, 405].includes(status) || (payload === '' && status === 200),
            `${method} ${path}: ${status}`,
          )
        }
      }
    })
  })
}
