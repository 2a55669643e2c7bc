import { siteOwner } from '#features/stack/index.ts'
import { exec } from '#platform/host/command.ts'
import { findFile } from '#platform/host/find-file.ts'
import type { StepContext } from '#platform/jobs/job-type.ts'
import { dropFolders } from './folder/open-folder.ts'
import { coreFolder, htmlFolder } from './paths.ts'
import { databaseLogin } from './site-database.ts'
import { makeSiteFolder, removeSiteFolder } from './site-folder.ts'
import { changeSite, type SiteRow } from './site-store.ts'
import { ensureCore, keepSpare, takeCore } from './wordpress/core.ts'
import { wpConfig } from './wordpress/wp-config.ts'

type Work = Pick<StepContext, 'db' | 'hosts' | 'installation' | 'settings' | 'secrets' | 'signal' | 'say' | 'now'>

const CONFIG_MODE = 0o640

/** Its own WordPress, ready to be installed. Nothing is touched once it is complete: its last file is its mark. */
export const placeFiles = async (work: Work, site: SiteRow): Promise<void> => {
  const host = work.hosts.get(site.server_id)
  const config = `${htmlFolder(site.slug)}/wp-config.php`
  if (await findFile(host, config)) return
  const { version, folder } = await ensureCore(work, site)
  await changeSite(work.db, site.slug, { wordpress_version: version })
  await host.run(exec('rm', '-rf', '--', htmlFolder(site.slug)), { signal: work.signal })
  const owner = siteOwner(site)
  await takeCore(host, folder, { target: htmlFolder(site.slug), owner }, work.signal)
  await host.writeFile(config, wpConfig(databaseLogin(work, site)), { mode: CONFIG_MODE, owner })
}

/** For a site that is about to be copied here. The folder around it is root's, so the site cannot swap it. */
export const makeEmptyFolder = async ({ hosts }: Pick<Work, 'hosts'>, site: SiteRow): Promise<void> => {
  const host = hosts.get(site.server_id)
  await makeSiteFolder(host, site.slug)
  await host.makeDir(htmlFolder(site.slug))
}

/** Continues when the job has ended: no one waits for it, and where it fails the next site is copied instead. */
export const makeReadyForNext = ({ hosts }: Pick<Work, 'hosts'>, site: SiteRow): void => {
  const folder = coreFolder(site.wordpress_version ?? '', site.locale)
  keepSpare(hosts.get(site.server_id), folder).catch(() => {})
}

/** The site is stopped by then, so no one can put a link in the way of the deletion. */
export const removeFiles = async ({ hosts }: Pick<Work, 'hosts'>, site: SiteRow): Promise<void> => {
  await dropFolders({ hosts }, site)
  await removeSiteFolder(hosts.get(site.server_id), site.slug)
}
