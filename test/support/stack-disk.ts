import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { copyFile, link, mkdir, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { STUDIO } from '#drivers/wordpress-org/npm-package.ts'
import { versionOf } from '#features/stack/version.ts'
import { isKept, keptFolder } from '#test/fleet/kept-disk.ts'
import { until } from '#test/fleet/until.ts'
import { type Vps, vps } from '#test/fleet/vps.ts'
import { ensureVpsImage } from '#test/fleet/vps-image.ts'
import { endedOn, logOn, register } from './drive-panel.ts'
import { type TestPanel, testPanel } from './panel.ts'
import { stackImages, stackParts } from './stack-parts.ts'

const JOB_LIMIT_MS = 10 * 60_000
const SPARE_LIMIT_MS = 60_000
const CACHE = 'cache'
const SITE = {
  slug: 'first',
  title: 'First',
  domainMode: 'dev',
  adminUser: 'ada',
  adminEmail: 'ada@example.com',
} as const

let name: Promise<string> | undefined

/** All that goes into the disk; the panel brings everything else up to date when it sets the server up again. */
const nameOfDisk = async (): Promise<string> => {
  const parts = [
    await ensureVpsImage('bookworm', true),
    await readFile(new URL('../fleet/boot.sh', import.meta.url), 'utf8'),
    await versionOf(await stackParts(), await stackImages()),
    STUDIO.coreVersion,
  ]
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 12)
}

/**
 * The name of the disk of a server that a panel has set up: Docker, the images, the stack and a WordPress core for new
 * sites. Made once, by a panel on a blank server, since carrying the images is most of what setting up takes.
 */
export const ensureStackDisk = (): Promise<string> => {
  name ??= nameOfDisk().then(async found => {
    if (!(await isKept(found))) await makeDisk(found)
    return found
  })
  return name
}

/** A panel that knows the kept disk's WordPress, as one that has created a site before. */
export const giveCache = async (dataDir: string): Promise<void> => {
  const from = join(await keptFolder(await ensureStackDisk()), CACHE)
  const to = join(dataDir, CACHE)
  await mkdir(to, { recursive: true })
  for (const file of await readdir(from)) {
    // A panel replaces these files and never writes into them, so one on the disk is enough for all.
    await link(join(from, file), join(to, file)).catch(() => copyFile(join(from, file), join(to, file)))
  }
}

const succeeded = async (panel: TestPanel, id: string): Promise<void> => {
  const { job } = await panel.as('full').jobGet({ params: { id }, query: {} })
  const { status, error } = await endedOn(panel, job, JOB_LIMIT_MS)
  assert.equal(status, 'succeeded', `${error?.message}\n${await logOn(panel, job)}`)
}

const hasSpare = async (server: Vps): Promise<boolean> =>
  (await server.exec(['sh', '-c', 'ls -d /srv/fleetpress/core/*.spare'])).exitCode === 0

/** The first site brings WordPress to the panel and to the server, where it stays when the site is gone. */
const setUp = async (panel: TestPanel, server: Vps): Promise<void> => {
  const api = panel.as('full')
  const serverId = await register(panel, server)
  await succeeded(panel, (await api.serverReprovision({ params: { id: serverId } })).job.id)
  await succeeded(panel, (await api.siteCreate({ body: { ...SITE, serverId } })).job.id)
  await until('Copying WordPress for the next site', () => hasSpare(server), SPARE_LIMIT_MS)
  const { job } = await api.siteDelete({ params: { slug: SITE.slug }, query: {} })
  await succeeded(panel, job.id)
}

const makeDisk = async (found: string): Promise<void> => {
  await using fleet = await vps(1, { docker: true })
  const [server] = fleet.servers
  assert.ok(server)
  const panel = await testPanel()
  try {
    await panel.engine.start()
    await setUp(panel, server)
    await server.keepAs(found, join(panel.config.dataDir, CACHE))
  } finally {
    await panel.stop()
  }
}
