import { z } from 'zod'
import { resticArgv } from '#drivers/restic/restic.ts'
import { listHostnames, rewriteUrls, type SiteRow } from '#features/sites/index.ts'
import { Hostname } from '#platform/contract/identifiers.ts'
import type { StepScope } from '#platform/jobs/job-type.ts'
import { SITE } from '../create/take-snapshot.ts'
import { withRepository } from '../repository/open-repository.ts'
import { placeOf } from '../repository/paths.ts'

const Described = z.object({ hostnames: z.array(Hostname) })

/** A site that got another domain since the backup was taken keeps that domain. */
export const followHostname = async (
  work: StepScope,
  site: SiteRow,
  { snapshot_id }: { readonly snapshot_id: string },
): Promise<void> => {
  const text = await withRepository(work, placeOf(site), { purpose: work.jobId }, ({ repository, run }) =>
    run(resticArgv(repository.folder, 'dump', snapshot_id, `${SITE}/site.json`)),
  )
  const [from] = Described.parse(JSON.parse(text)).hostnames
  const [to] = (await listHostnames(work.db, [site.slug])).get(site.slug) ?? []
  if (from === undefined || to === undefined || from === to) return
  await rewriteUrls(work, site, { from, to })
}
