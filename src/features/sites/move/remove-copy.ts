import { listCertificates, removeCertificate } from '#features/certificates/index.ts'
import { ROOT } from '#features/servers/index.ts'
import type { StepContext } from '#platform/jobs/job-type.ts'
import { removeSiteContainer } from '../run-site.ts'
import { certificateFor, serveSites } from '../serve-site.ts'
import { dropSiteDatabase } from '../site-database.ts'
import { removeFiles } from '../site-files.ts'
import { getSite, listHostnames, type SiteRow } from '../site-store.ts'
import { removeUnusedWildcards } from '../wildcards.ts'
import { copyOf, deleteCopy, findCopy, setStage } from './copy-store.ts'

type Work = Pick<StepContext, 'signal'> & Parameters<typeof serveSites>[0]

/** The certificates of a server that are for this site and no other. */
export const certificatesOf = async ({ db }: Pick<Work, 'db'>, { slug, server_id }: SiteRow) => {
  const names = (await listHostnames(db, [slug])).get(slug) ?? []
  const isOwn = (text: string) => (JSON.parse(text) as string[]).every(name => names.includes(name))
  return (await listCertificates(db, server_id)).filter(row => isOwn(row.names))
}

/** Those, and the one that it shares with others. */
export const certificatesInUse = async (work: Pick<Work, 'db'>, site: SiteRow) => {
  const names = (await listHostnames(work.db, [site.slug])).get(site.slug) ?? []
  const own = await certificatesOf(work, site)
  const present = certificateFor(await listCertificates(work.db, site.server_id), names)
  return present && !own.some(({ id }) => id === present.id) ? [...own, present] : own
}

export const removeCertificates = async (work: Work, site: SiteRow): Promise<void> => {
  const at = { serverId: site.server_id, rootDir: ROOT }
  for (const { names } of await certificatesOf(work, site))
    await removeCertificate(work, at, JSON.parse(names) as string[])
  await removeUnusedWildcards(work, site.server_id)
}

/** Everything that a moved site has left on its old server. May run again after it was cut off anywhere. */
export const removeParked = async (work: Work, slug: string): Promise<void> => {
  const parked = await findCopy(work.db, slug)
  if (!parked) return
  const site = await getSite(work.db, slug)
  const old = copyOf(site, parked)
  await setStage(work.db, slug, 'leaving')
  await serveSites(work, old.server_id)
  await removeSiteContainer(work, old)
  await removeFiles(work, old)
  await dropSiteDatabase(work, old)
  await removeCertificates(work, old)
  // The old server is no longer believed about who its visitors are.
  await serveSites(work, site.server_id)
  await deleteCopy(work.db, slug)
}
