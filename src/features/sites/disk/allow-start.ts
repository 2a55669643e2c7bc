import { defaultDiskLimit } from '#features/stack/index.ts'
import { Problem } from '#platform/contract/problem.ts'
import { findFile } from '#platform/host/find-file.ts'
import type { StepScope } from '#platform/jobs/job-type.ts'
import type { SiteRow } from '../site-store.ts'
import { fullFile, limitFile, limitText, measureSite } from './disk-files.ts'
import { isOverLimit, limitOf, useText } from './disk-limit.ts'
import { changeDisk, getDisk } from './disk-store.ts'

/** Tells the disk watch the limit of a site before it runs, and refuses one that would be stopped again at once. */
export const allowStart = async (work: StepScope, site: SiteRow): Promise<void> => {
  const { slug } = site
  const host = work.hosts.get(site.server_id)
  const limit = limitOf(await getDisk(work.db, slug), await defaultDiskLimit(work))
  await host.writeFile(limitFile(slug), limitText(limit), { mode: 0o644 })
  if (!(await findFile(host, fullFile(slug)))) return
  const used = await measureSite(host, slug, work.signal)
  if (isOverLimit(used, limit))
    throw new Problem(
      'conflict',
      `${slug} was stopped because it uses ${useText(used, limit)}. Raise its limit or delete files, then start it.`,
    )
  await host.removeFile(fullFile(slug))
  await changeDisk(work.db, slug, { stopped_at: null, used_bytes: used.bytes, used_files: used.files })
}
