import { randomBytes } from 'node:crypto'
import { Secret } from '#platform/host/secret.ts'
import type { StepContext } from '#platform/jobs/job-type.ts'
import { ensureSiteRuns, requireRoomFor } from '../run-site.ts'
import { addressOf } from '../serve-site.ts'
import { ensureSiteDatabase } from '../site-database.ts'
import { placeFiles } from '../site-files.ts'
import { makeSiteFolder } from '../site-folder.ts'
import { listHostnames, type SiteRow } from '../site-store.ts'
import { installFirst, installPrepared, isInstalled } from '../wordpress/install-wordpress.ts'

const PASSWORD_BYTES = 18

/**
 * Completes a site whose creation has no job any more, such as after a restore. A WordPress that is installed keeps all
 * it holds; only where there is none a new one is installed, and the password of its first user is returned.
 */
export const finishCreation = async (context: StepContext, site: SiteRow): Promise<string | undefined> => {
  await requireRoomFor(context, site)
  await makeSiteFolder(context.hosts.get(site.server_id), site.slug)
  await placeFiles(context, site)
  await ensureSiteDatabase(context, site)
  await ensureSiteRuns(context, site)
  if (await isInstalled(context, site)) {
    context.say('WordPress was already installed and is not changed.')
    return undefined
  }
  const password = randomBytes(PASSWORD_BYTES).toString('base64url')
  const [primary = ''] = (await listHostnames(context.db, [site.slug])).get(site.slug) ?? []
  const admin = { url: addressOf(primary), password: new Secret(password) }
  if (!(await installPrepared(context, site, admin))) await installFirst(context, site, admin)
  context.say('WordPress is installed. The admin password is in the result of this job.')
  return password
}
