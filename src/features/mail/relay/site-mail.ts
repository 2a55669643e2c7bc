import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { SiteContainerPart, SiteRow } from '#features/sites/index.ts'
import { ensureFiles } from '#platform/host/ensure-files.ts'
import type { StepScope } from '#platform/jobs/job-type.ts'
import { MAIL_FOLDER, SITE_FOLDER } from './names.ts'

const INSIDE = '/usr/local/lib/fleetpress-mail'
const FILES = ['mail.ini', 'sendmail.php'] as const

/**
 * What PHP does with mail is a folder of the server that every site sees: PHP reads it in addition to its own settings. So
 * the image of sites knows no relay, and `wp_mail` and `mail()` go the same way.
 */
export const giveMail = async (scope: StepScope, { site }: { site: SiteRow }): Promise<SiteContainerPart> => {
  const host = scope.hosts.get(site.server_id)
  await host.makeDir(MAIL_FOLDER, { mode: 0o711 })
  const textOf = (name: string) => readFile(join(import.meta.dirname, 'php', name), 'utf8')
  const texts = await Promise.all(FILES.map(async name => [name, await textOf(name)] as const))
  await ensureFiles(host, SITE_FOLDER, { texts: Object.fromEntries(texts), signal: scope.signal })
  return {
    mounts: [{ source: SITE_FOLDER, target: INSIDE, readOnly: true }],
    // The first part is empty: PHP looks at its own folder first.
    env: { PHP_INI_SCAN_DIR: `:${INSIDE}` },
  }
}
