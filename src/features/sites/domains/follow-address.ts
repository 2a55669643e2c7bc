import { needsCertificate } from '#features/certificates/index.ts'
import { publishRecords } from '#features/dns/index.ts'
import type { StepScope } from '#platform/jobs/job-type.ts'
import { quietly } from '../move/point-records.ts'
import { listHostnames, listSites } from '../site-store.ts'
import { planAddresses } from './plan-addresses.ts'

/** Records that the panel has created for the sites of a server point to where it is now. No record is created. */
export const followAddress = async (work: StepScope, serverId: number): Promise<void> => {
  const { db, signal, say } = work
  const slugs = (await listSites(db, { serverId })).map(({ slug }) => slug)
  const names = [...(await listHostnames(db, slugs)).values()].flat().filter(needsCertificate)
  if (names.length === 0) return
  await quietly(work, async () => {
    const { items } = await planAddresses(work, serverId, names, signal)
    const outdated = items.filter(({ action }) => action === 'change' || action === 'remove').map(({ name }) => name)
    if (outdated.length === 0) return
    const plan = await planAddresses(work, serverId, [...new Set(outdated)], signal)
    await publishRecords(work, plan, { signal, say })
  })
}
