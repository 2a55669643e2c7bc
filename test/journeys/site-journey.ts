import assert from 'node:assert/strict'
import type { Job } from '#platform/contract/job.ts'
import type { Vps } from '#test/fleet/vps.ts'
import { endedOn, logOn, register } from '#test/support/drive-panel.ts'
import { leasedServers } from '#test/support/leased-servers.ts'
import { giveCache } from '#test/support/stack-disk.ts'
import { assertAccessible, assertNoOverflow, type Journey, setUpOwner, startJourney } from './browser.ts'

export const LIMIT_MS = 10 * 60_000
export const PATIENT = { timeout: LIMIT_MS }
export const SLUG = 'bakery'
/** The site's folder, as its server has it. */
export const HTML = `/srv/fleetpress/sites/${SLUG}/html`

export interface SiteJourney extends Journey {
  readonly server: Vps
  /** Of the site. */
  readonly hostname: string
  /** Throws with its log when the job does not succeed. */
  succeeded(job: Job): Promise<void>
  /** On the server, as root. */
  shell(script: string): Promise<string>
  /** What is on the screen can be used by everyone, also on a phone. */
  fits(): Promise<void>
}

/** An owner who is signed in to a panel with one server, and the site Bakery on it. */
export const startSiteJourney = async (): Promise<SiteJourney> => {
  const held = new AsyncDisposableStack()
  try {
    const fleet = held.use(await leasedServers(1))
    const server = fleet.servers[0] ?? assert.fail()
    const journey = await startJourney()
    held.defer(() => journey.end())
    const { panel, page } = journey
    const succeeded = async (job: Job) => {
      const { status, error } = await endedOn(panel, job, LIMIT_MS)
      assert.equal(status, 'succeeded', `${error?.message}\n${await logOn(panel, job)}`)
    }
    await giveCache(panel.config.dataDir)
    const api = panel.as('full')
    const serverId = await register(panel, server)
    await succeeded((await api.serverReprovision({ params: { id: serverId } })).job)
    const admin = { adminUser: 'ada', adminEmail: 'ada@example.com' }
    const body = { title: 'Bakery', slug: SLUG, domainMode: 'dev' as const, serverId, ...admin }
    await succeeded((await api.siteCreate({ body })).job)
    await setUpOwner(journey)
    return {
      ...journey,
      server,
      hostname: `${SLUG}.${server.name}.localhost`,
      succeeded,
      shell: async script => {
        const { exitCode, stdout, stderr } = await server.exec(['bash', '-c', script])
        assert.equal(exitCode, 0, stderr)
        return stdout
      },
      fits: async () => {
        await assertAccessible(page)
        await page.setViewportSize({ width: 390, height: 844 })
        await assertNoOverflow(page)
        await page.setViewportSize({ width: 1440, height: 900 })
      },
      end: () => held.disposeAsync(),
    }
  } catch (error) {
    await held.disposeAsync()
    throw error
  }
}
