import { setTimeout as sleep } from 'node:timers/promises'
import { Problem } from '#platform/contract/problem.ts'
import type { StepContext } from '#platform/jobs/job-type.ts'
import { addressOf } from '../serve-site.ts'
import { type Visited, visit } from './visit.ts'

const SERVER_ERRORS = 500
const NOT_SERVED = 421
const PATIENCE_MS = 20_000
const PAUSE_MS = 500

type Work = Pick<StepContext, 'hosts' | 'signal'>

/** As visitors see it: the primary name has the site, and the others point there. A moment of trouble is forgiven. */
export const confirmNames = async (work: Work, serverId: number, names: readonly string[]): Promise<void> => {
  const until = Date.now() + PATIENCE_MS
  for (;;) {
    try {
      return await look(work, serverId, names)
    } catch (error) {
      work.signal.throwIfAborted()
      if (Date.now() > until) throw error
      await sleep(PAUSE_MS, undefined, { signal: work.signal })
    }
  }
}

const look = async ({ hosts, signal }: Work, serverId: number, [primary = '', ...others]: readonly string[]) => {
  const host = hosts.get(serverId)
  refuseAstray(primary, await visit(host, primary, signal))
  for (const name of others) {
    const { status, location } = await visit(host, name, signal)
    if (status !== 301 || location !== `${addressOf(primary)}/`)
      throw new Problem('conflict', `${name} doesn't redirect to ${primary}. It returns ${status}.`)
  }
}

const refuseAstray = (primary: string, { status, location }: Visited) => {
  if (status >= SERVER_ERRORS || status === NOT_SERVED)
    throw new Problem('conflict', `${primary} returns ${status} instead of a page.`)
  const target = location === undefined ? undefined : URL.parse(location, addressOf(primary))
  if (target && target.hostname !== primary)
    throw new Problem(
      'conflict',
      `WordPress redirects ${primary} to ${target.hostname}. Check its address settings (home, siteurl) first.`,
    )
}
