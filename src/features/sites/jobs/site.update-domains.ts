import { z } from 'zod'
import { needsCertificate, ROOT, removeCertificate } from '#features/servers/index.ts'
import { Hostname } from '#platform/contract/identifiers.ts'
import type { Step, StepContext } from '#platform/jobs/job-type.ts'
import { obtainFor } from '../domains/certificate-of-names.ts'
import { confirmNames } from '../domains/confirm-names.ts'
import { type PlacedHostnames, placeHostnames } from '../domains/hostname-store.ts'
import { rewriteUrls } from '../domains/rewrite-urls.ts'
import { copyOf, findCopy } from '../move/copy-store.ts'
import { addressOf, namesKey, serveSites } from '../serve-site.ts'
import { defineSiteJob, ifThere, type SiteInput, siteInput, siteOf } from '../site-job.ts'
import { changeSite, listHostnames, type SiteRow } from '../site-store.ts'

interface Input extends SiteInput {
  /** The primary one first. */
  hostnames: string[]
  domainMode: SiteRow['domain_mode']
}
interface State {
  before: { hostnames: string[]; domainMode: SiteRow['domain_mode'] }
}
type Context = StepContext<Input, State>
type DomainsStep = Step<Input, State>

const Result = z.strictObject({
  url: z.string(),
  hostnames: z.array(z.string()),
  changed: z.boolean().describe('false when the site had these names already'),
})

const isChange = ({ before }: Partial<State>, { hostnames, domainMode }: Input): boolean =>
  before !== undefined &&
  (before.domainMode !== domainMode || JSON.stringify(before.hostnames) !== JSON.stringify(hostnames))

/** What a step does, with the site as it is; nothing when there is nothing to change. */
const whenChanging = (act: (context: Context, site: SiteRow, names: Names) => Promise<void>) =>
  ifThere<Input, State>(async (context, site) => {
    const { state, input } = context
    if (isChange(state, input)) await act(context, site, namesOf(state, input))
  })

interface Names {
  readonly before: readonly string[]
  readonly after: readonly string[]
  readonly added: readonly string[]
  readonly dropped: readonly string[]
}

const namesOf = ({ before }: Partial<State>, { hostnames: after }: Input): Names => {
  const old = before?.hostnames ?? after
  return {
    before: old,
    after,
    added: after.filter(name => !old.includes(name)),
    dropped: old.filter(name => !after.includes(name)),
  }
}

const place = ({ db, input }: Context, names: PlacedHostnames) => placeHostnames(db, input.slug, names)

const hold: DomainsStep = {
  name: 'Holding the names',
  async run(context) {
    const { db, input, state } = context
    const { slug, domain_mode: domainMode } = await siteOf(context)
    state.before ??= { hostnames: (await listHostnames(db, [slug])).get(slug) ?? [], domainMode }
    if (!isChange(state, input)) return context.say('The site has exactly these names already; nothing is changed.')
    const { before, added } = namesOf(state, input)
    await place(context, { serving: before, held: added })
  },
  undo: whenChanging((context, _, { before }) => place(context, { serving: before })),
}

const certify: DomainsStep = {
  name: 'Getting the certificate',
  run: whenChanging((context, site, { after }) => obtainFor(context, site, after)),
  undo: whenChanging((context, site, { before, after }) => forget(context, site, after, before)),
}

/** Addresses that are rewritten already work from now on, while the old name still has the site. */
const lead: DomainsStep = {
  name: 'Leading the new names to the site',
  run: whenChanging(async (context, site, { before, added }) => {
    await place(context, { serving: before, arriving: added })
    await serveSites(context, site.server_id)
  }),
  undo: whenChanging(async (context, site, { before, added }) => {
    await place(context, { serving: before, held: added })
    await serveSites(context, site.server_id)
  }),
}

const rewrite: DomainsStep = {
  name: 'Rewriting the addresses in WordPress',
  run: whenChanging((context, site, { before, after }) => move(context, site, before[0], after[0])),
  undo: whenChanging((context, site, { before, after }) => move(context, site, after[0], before[0])),
}

const move = async (context: Context, site: SiteRow, from = '', to = ''): Promise<void> => {
  if (from !== to) await rewriteUrls(context, site, { from, to })
}

const change: DomainsStep = {
  name: 'Changing over',
  run: whenChanging(async (context, site, { after, dropped }) => {
    await place(context, { serving: after, held: dropped })
    await changeSite(context.db, site.slug, { domain_mode: context.input.domainMode })
    await serveSites(context, site.server_id)
  }),
  undo: whenChanging(async (context, site, { before, added }) => {
    const domainMode = context.state.before?.domainMode ?? site.domain_mode
    await place(context, { serving: before, arriving: added })
    await changeSite(context.db, site.slug, { domain_mode: domainMode })
    await serveSites(context, site.server_id)
  }),
}

const confirm: DomainsStep = {
  name: 'Asking it as a visitor would',
  run: whenChanging(async (context, site, { after }) => {
    await confirmNames(context, site.server_id, after)
    context.say(`It answers at ${addressOf(after[0] ?? '')}`)
  }),
}

const letGo: DomainsStep = {
  name: 'Letting go of what it no longer needs',
  final: true,
  run: whenChanging(async (context, site, { before, after }) => {
    await place(context, { serving: after })
    // The old server of a moved site has the old certificate, too.
    const parked = await findCopy(context.db, site.slug)
    for (const at of parked ? [site, copyOf(site, parked)] : [site]) {
      await forget(context, at, before, after)
      await serveSites(context, at.server_id)
    }
  }),
}

/** The certificate of these names goes, unless it is that of the others too. */
const forget = async (context: Context, site: SiteRow, names: readonly string[], others: readonly string[]) => {
  const [secured, kept] = [names.filter(needsCertificate), others.filter(needsCertificate)]
  if (secured.length === 0 || (kept.length > 0 && namesKey(secured) === namesKey(kept))) return
  await removeCertificate(context, { serverId: site.server_id, rootDir: ROOT }, secured)
}

export const siteUpdateDomains = defineSiteJob<Input, State, z.infer<typeof Result>>({
  type: 'site.updateDomains',
  label: 'Change the names of a site',
  description: 'Changes the host names of a site, gets its certificate and rewrites the addresses in WordPress.',
  input: z.strictObject({
    ...siteInput,
    hostnames: z.array(Hostname).min(1),
    domainMode: z.enum(['dev', 'live']),
  }),
  result: Result,
  steps: [hold, certify, lead, rewrite, change, confirm, letGo],
  finish: (state, input) => ({
    url: addressOf(input.hostnames[0] ?? ''),
    hostnames: input.hostnames,
    changed: isChange(state, input),
  }),
})
