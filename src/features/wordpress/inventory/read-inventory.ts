import { z } from 'zod'
import type { SiteRow } from '#features/sites/index.ts'
import { Problem } from '#platform/contract/problem.ts'
import { HostTimeout } from '#platform/host/errors.ts'
import { cleanLine } from '#platform/log/clean-line.ts'
import { NoScriptAnswer, runScript, type ScriptWork } from '../run-script.ts'
import { ITEM_STATUSES } from './contract.ts'
import { chooseOffers } from './core-offers.ts'

const LONGEST_VERSION = 60
const LONGEST_NAME = 200
const LONGEST_ADDRESS = 2_000
const MOST_ITEMS = 2_000
const CORE_TIMEOUT_MS = 20_000

/** Everything a site says may be chosen to do harm: short, and free of what terminals and browsers act on. */
const line = (longest: number) => z.string().transform(text => cleanLine(text.replace(/\s+/g, ' '), longest).trim())
const Version = line(LONGEST_VERSION)
const Name = line(LONGEST_NAME)
const count = z.int().min(0).max(2_000_000_000)

const Offer = z.object({
  version: Version,
  package: line(LONGEST_ADDRESS),
  requiresPhp: Version,
  requiresWordpress: Version,
})

const Item = z.object({
  file: Name,
  name: Name,
  title: Name,
  version: Version,
  status: z.enum(ITEM_STATUSES),
  autoUpdate: z.boolean(),
  update: Offer.nullable(),
})
export type InventoryItem = z.output<typeof Item>

const Answer = z.object({
  php: Version,
  multisite: z.boolean(),
  /** Sites whose container is from an older version don't say. */
  maintenance: z.boolean().optional(),
  core: z.object({ version: Version, offers: z.array(Version).max(100), databaseOutdated: z.boolean() }),
  plugins: z.array(Item).max(MOST_ITEMS),
  themes: z.array(Item).max(MOST_ITEMS),
  users: count,
  checkedAt: count,
})

export interface Inventory extends z.output<typeof Answer> {
  /** What PHP said when plugins could not be loaded; then the rest was read without them. */
  readonly problem: string | null
  readonly coreUpdate: string | null
  readonly coreMinorUpdate: string | null
}

interface ReadOptions {
  /** WordPress looks for updates first, which takes as long as wordpress.org takes to answer. */
  readonly refresh?: boolean
  readonly timeoutMs?: number
}

/** Asks a running site what it has. One that a plugin has broken is read without its plugins. */
export const readInventory = async (
  work: ScriptWork,
  site: SiteRow,
  { refresh = false, timeoutMs = 30_000 }: ReadOptions = {},
): Promise<Inventory> => {
  try {
    return complete(await runScript(work, site, 'inventory', { answer: Answer, question: { refresh }, timeoutMs }))
  } catch (error) {
    if (!(error instanceof NoScriptAnswer || error instanceof HostTimeout)) throw error
    const problem = error instanceof NoScriptAnswer ? cleanLine(error.output, 500) : ''
    return { ...(await readCore(work, site)), problem: problem || 'WordPress did not finish loading.' }
  }
}

const readCore = async (work: ScriptWork, site: SiteRow): Promise<Inventory> => {
  try {
    const options = { answer: Answer, load: 'core', timeoutMs: CORE_TIMEOUT_MS } as const
    return complete(await runScript(work, site, 'inventory', options))
  } catch (error) {
    if (!(error instanceof NoScriptAnswer)) throw error
    throw new Problem('conflict', `WordPress on ${site.slug} doesn't start. Check its files.`, null, {
      output: error.output,
    })
  }
}

const complete = (answer: z.output<typeof Answer>): Inventory => {
  const { newest, minor } = chooseOffers(answer.core.version, answer.core.offers)
  return { ...answer, problem: null, coreUpdate: newest, coreMinorUpdate: minor }
}
