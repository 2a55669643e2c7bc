import { z } from 'zod'
import { needsCertificate, removeCertificate } from '#features/certificates/index.ts'
import { ROOT } from '#features/servers/index.ts'
import { Hostname } from '#platform/contract/identifiers.ts'
import type { Step, StepContext } from '#platform/jobs/job-type.ts'
import { writeHosts } from '../etc-files.ts'
import { copyOf, findCopy } from '../move/copy-store.ts'
import { dropRecords } from '../move/point-records.ts'
import { tellChanged } from '../pause-site.ts'
import { addressOf, namesKey, serveSites } from '../serve-site.ts'
import { defineSiteJob, ifThere, type SiteInput, siteInput, siteOf } from '../site-job.ts'
import { changeSite, listHostnames, type SiteRow } from '../site-store.ts'
import { obtainFor } from './certificate-of-names.ts'
import { confirmNames } from './confirm-names.ts'
import { deleteGoLive, findGoLive, namesIn } from './go-live-store.ts'
import { type HostnamesByState, replaceHostnames } from './hostname-store.ts'
import { rewriteUrls } from './rewrite-urls.ts'
import { type RecordState, setRecords, unsetRecords } from './set-records.ts'

interface Input extends SiteInput {
  /** The primary one first. */
  hostnames: string[]
  domainMode: SiteRow['domain_mode']
  /** The panel points the new ones to the server itself. */
  manageDns?: boolean | undefined
  /** The records that the panel created for names that go are removed with them. */
  removeRecords?: boolean | undefined
}
interface State extends RecordState {
  before: { hostnames: string[]; domainMode: SiteRow['domain_mode'] }
}
type Context = StepContext<Input, State>
type DomainsStep = Step<Input, State>

const Result = z.strictObject({
  url: z.string(),
  hostnames: z.array(z.string()),
  changed: z.boolean().describe('false when the site already had these domains, or waits for DNS'),
})

const isChange = ({ before, isWaiting }: Partial<State>, { hostnames, domainMode }: Input): boolean =>
  before !== undefined &&
  isWaiting !== true &&
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

const setNames = async (context: Context, site: SiteRow, names: HostnamesByState): Promise<void> => {
  const { serving, arriving = [], held = [] } = names
  const taken = [...serving, ...arriving, ...held]
  // Names that it waits for stay its own, whatever becomes of this job.
  const plan = await findGoLive(context.db, site.slug)
  const waiting = plan ? namesIn(plan).filter(name => !taken.includes(name)) : []
  await replaceHostnames(context.db, site.slug, { ...names, held: [...held, ...waiting] })
  await writeHosts(context, site)
}

const hold: DomainsStep = {
  id: 'hold-names',
  label: 'Reserving the domains',
  async run(context) {
    const { db, input, state } = context
    const site = await siteOf(context)
    const { slug, domain_mode: domainMode } = site
    state.before ??= { hostnames: (await listHostnames(db, [slug])).get(slug) ?? [], domainMode }
    if (!isChange(state, input)) return context.say('The site already has these domains. Nothing was changed.')
    const { before, added } = namesOf(state, input)
    await setNames(context, site, { serving: before, held: added })
  },
  undo: whenChanging((context, site, { before }) => setNames(context, site, { serving: before })),
}

const records: DomainsStep = {
  id: 'set-records',
  label: 'Setting DNS records',
  run: whenChanging(async (context, site, { added }) => {
    if (context.input.manageDns) await setRecords(context, site, added)
    else context.say('Skipped: DNS is managed elsewhere.')
  }),
  undo: unsetRecords,
}

const certify: DomainsStep = {
  id: 'get-certificate',
  label: 'Getting a certificate',
  run: whenChanging((context, site, { after }) => obtainFor(context, site, after)),
  undo: whenChanging((context, site, { before, after }) => forget(context, site, after, before)),
}

/** Addresses that are rewritten already work from now on, while the old name still has the site. */
const lead: DomainsStep = {
  id: 'add-names',
  label: 'Routing the new domains to the site',
  run: whenChanging(async (context, site, { before, added }) => {
    await setNames(context, site, { serving: before, arriving: added })
    await serveSites(context, site.server_id)
  }),
  undo: whenChanging(async (context, site, { before, added }) => {
    await setNames(context, site, { serving: before, held: added })
    await serveSites(context, site.server_id)
  }),
}

const rewrite: DomainsStep = {
  id: 'rewrite-addresses',
  label: 'Rewriting URLs in WordPress',
  run: whenChanging((context, site, { before, after }) => move(context, site, before[0], after[0])),
  undo: whenChanging((context, site, { before, after }) => move(context, site, after[0], before[0])),
}

const move = async (context: Context, site: SiteRow, from = '', to = ''): Promise<void> => {
  if (from !== to) await rewriteUrls(context, site, { from, to })
}

const change: DomainsStep = {
  id: 'switch-names',
  label: 'Switching domains',
  run: whenChanging(async (context, site, { after, dropped }) => {
    await setNames(context, site, { serving: after, held: dropped })
    await changeSite(context.db, site.slug, { domain_mode: context.input.domainMode })
    await serveSites(context, site.server_id)
    await tellChanged(context, site.slug)
  }),
  undo: whenChanging(async (context, site, { before, added }) => {
    const domainMode = context.state.before?.domainMode ?? site.domain_mode
    await setNames(context, site, { serving: before, arriving: added })
    await changeSite(context.db, site.slug, { domain_mode: domainMode })
    await serveSites(context, site.server_id)
    await tellChanged(context, site.slug)
  }),
}

const confirm: DomainsStep = {
  id: 'check-answer',
  label: 'Checking that the site responds',
  run: whenChanging(async (context, site, { after }) => {
    await confirmNames(context, site.server_id, after)
    context.say(`The site responds at ${addressOf(after[0] ?? '')}`)
  }),
}

const letGo: DomainsStep = {
  id: 'remove-old-names',
  label: 'Cleaning up',
  final: true,
  run: whenChanging(async (context, site, { before, after, dropped }) => {
    const plan = await findGoLive(context.db, site.slug)
    const waiting = plan ? namesIn(plan).filter(name => !after.includes(name)) : []
    // Before another site can have the names.
    if (context.input.removeRecords) await dropRecords(context, site, [...dropped, ...waiting])
    // Anyone who gives a site its names has decided what it goes live with.
    await deleteGoLive(context.db, site.slug)
    await setNames(context, site, { serving: after })
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
  label: 'Change domains',
  description: 'Changes the domains of a site, gets a certificate and rewrites URLs in WordPress.',
  input: z.strictObject({
    ...siteInput,
    hostnames: z.array(Hostname).min(1),
    domainMode: z.enum(['dev', 'live']),
    manageDns: z.boolean().optional(),
    removeRecords: z.boolean().optional(),
  }),
  result: Result,
  steps: [hold, records, certify, lead, rewrite, change, confirm, letGo],
  finish: (state, input) => ({
    url: addressOf((state.isWaiting ? state.before?.hostnames : input.hostnames)?.[0] ?? ''),
    hostnames: input.hostnames,
    changed: isChange(state, input),
  }),
})
