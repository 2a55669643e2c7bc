import { exec } from '#platform/host/command.ts'
import type { Host } from '#platform/host/host.ts'
import type { StepContext } from '#platform/jobs/job-type.ts'
import { ensureCore, keepSpare, takeCore } from './core.ts'
import { coreFolder, htmlFolder, siteFolder, WWW_DATA } from './places.ts'
import { databaseLogin } from './site-database.ts'
import { changeSite, type SiteRow } from './site-store.ts'
import { wpConfig } from './wp-config.ts'

type Work = Pick<StepContext, 'db' | 'hosts' | 'place' | 'secrets' | 'signal' | 'say' | 'now'>

const CONFIG_MODE = 0o640

/** A WordPress of its own, ready to be installed. Nothing is touched once it is complete: its last file is its mark. */
export const placeFiles = async (work: Work, site: SiteRow): Promise<void> => {
  const host = work.hosts.get(site.server_id)
  const config = `${htmlFolder(site.slug)}/wp-config.php`
  if (await isThere(host, config)) return
  const { version, folder } = await ensureCore(work, site)
  await changeSite(work.db, site.slug, { wordpress_version: version })
  await host.makeDir(siteFolder(site.slug), { mode: 0o711 })
  await host.run(exec('rm', '-rf', '--', htmlFolder(site.slug)), { signal: work.signal })
  await takeCore(host, folder, htmlFolder(site.slug), work.signal)
  await host.writeFile(config, wpConfig(databaseLogin(work, site)), { mode: CONFIG_MODE, owner: WWW_DATA })
}

/** Goes on when the job has ended: nobody waits for it, and where it fails the next site is copied instead. */
export const makeReadyForNext = ({ hosts }: Pick<Work, 'hosts'>, site: SiteRow): void => {
  const folder = coreFolder(site.wordpress_version ?? '', site.locale)
  keepSpare(hosts.get(site.server_id), folder).catch(() => {})
}

const isThere = async (host: Host, path: string): Promise<boolean> => {
  const { exitCode } = await host.run(exec('test', '-e', path), { allowExitCodes: [1] })
  return exitCode === 0
}

/** The site is stopped by then, so nobody can put a link in the way of the deletion. */
export const removeFiles = async ({ hosts }: Pick<Work, 'hosts'>, site: SiteRow): Promise<void> => {
  const folder = siteFolder(site.slug)
  await hosts.get(site.server_id).run(exec('rm', '-rf', '--one-file-system', '--', folder), { timeoutMs: 600_000 })
}
