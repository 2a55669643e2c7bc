import { needsCertificate } from '#features/certificates/index.ts'
import { hasToken, planRemoval, publishRecords } from '#features/dns/index.ts'
import { listServers } from '#features/servers/index.ts'
import { KnownError } from '#platform/contract/known-error.ts'
import type { StepContext, StepScope } from '#platform/jobs/job-type.ts'
import { devNameOf, readNames } from '../domains/dev-name.ts'
import { planAddresses } from '../domains/plan-addresses.ts'
import { listHostnames, type SiteRow } from '../site-store.ts'

/** What the panel can change in DNS after the fact; what it can't is said, and does not make a failed job. */
export const quietly = async (context: StepScope, work: () => Promise<void>): Promise<void> => {
  if (!(await hasToken(context))) return
  await work().catch((error: unknown) => {
    context.signal.throwIfAborted()
    if (!(error instanceof KnownError)) throw error
    context.say(`DNS was left alone. ${error.message}`)
  })
}

const namesOf = async ({ db }: StepContext, slug: string): Promise<string[]> =>
  ((await listHostnames(db, [slug])).get(slug) ?? []).filter(needsCertificate)

/** Points the names of a moved site to its new server; those that are done. */
export const pointRecords = async (context: StepContext, slug: string, serverId: number): Promise<string[]> => {
  const { signal, say } = context
  const done: string[] = []
  await quietly(context, async () => {
    const names = await namesOf(context, slug)
    const plan = await planAddresses(context, serverId, names, signal)
    await publishRecords(context, plan, { signal, say })
    const blocked = new Set(plan.items.filter(({ action }) => action === 'blocked').map(({ name }) => name))
    done.push(...names.filter(name => !blocked.has(name)))
  })
  return done
}

/** Removes the records that the panel created for a site; of its dev name in any case, which another site may get. */
export const removeRecords = async (context: StepContext, site: SiteRow, isAll: boolean): Promise<void> => {
  const { db, signal, say } = context
  const { dev } = await readNames(db, site)
  const names = (await namesOf(context, site.slug)).filter(name => isAll || name === dev)
  if (names.length === 0) return
  await quietly(context, async () => {
    await publishRecords(context, await planRemoval(context, names, signal), { signal, say })
  })
}

/** Removes the records that the panel created for names that a site has lost. Its dev name stays: it may come back to it. */
export const dropRecords = async (context: StepContext, { slug }: SiteRow, lost: readonly string[]): Promise<void> => {
  const { db, signal, say } = context
  const own = new Set((await listServers(db)).map(server => devNameOf(slug, server)))
  const names = lost.filter(name => needsCertificate(name) && !own.has(name))
  if (names.length === 0) return
  await quietly(context, async () => {
    await publishRecords(context, await planRemoval(context, names, signal), { signal, say })
  })
}
