import type { Network } from '#drivers/nftables/networks.ts'
import { REASONS, type Reason, type SuspectRequest } from '../contract.ts'
import { visitorOf } from '../network.ts'
import type { EdgeRequest } from './parse-request.ts'

/** What is kept of a visitor who did something suspicious. */
export interface Suspect {
  readonly network: Network
  readonly firstSeenAt: number
  lastSeenAt: number
  /** The one of the last request: of IPv6 only the network is counted. */
  lastAddress: string
  userAgent: string
  /** When each kind was counted, in a few steps per window. */
  readonly steps: Record<Reason, Map<number, number>>
  readonly sites: Set<string>
  readonly requests: SuspectRequest[]
  /** When a path that was missing was last asked for. */
  readonly paths: Map<string, number>
  /** A decision was made: nothing is counted until then. */
  quietUntil: number
}

export interface Limits {
  readonly windowMs: number
  readonly limits: Readonly<Record<Reason, number>>
}

export interface Crossing {
  readonly suspect: Suspect
  readonly reason: Reason
  readonly count: number
}

const MOST_SUSPECTS = 10_000
const MOST_SITES = 20
const MOST_REQUESTS = 5
const MOST_PATHS = 500
const STEPS_PER_WINDOW = 10

/** Visitors by address, or for IPv6 by /64, in bounded memory: those quiet for longest are forgotten first. */
export class Suspects {
  readonly #byNetwork = new Map<string, Suspect>()

  /** Counts one request; says when it was one too many. */
  note(request: EdgeRequest, reason: Reason, { windowMs, limits }: Limits): Crossing | undefined {
    const suspect = this.#touch(request)
    if (!suspect || request.at < suspect.quietUntil) return undefined
    if (reason === 'probing' && !isNewPath(suspect, request, windowMs)) return undefined
    remember(suspect, request)
    const stepMs = windowMs / STEPS_PER_WINDOW
    const step = Math.floor(request.at / stepMs)
    const steps = suspect.steps[reason]
    steps.set(step, (steps.get(step) ?? 0) + 1)
    const count = countIn(steps, request.at, windowMs)
    return count >= limits[reason] ? { suspect, reason, count } : undefined
  }

  /** After a decision everything starts again, but not before then. */
  settle(suspect: Suspect, quietUntil: number): void {
    for (const reason of REASONS) suspect.steps[reason].clear()
    suspect.paths.clear()
    suspect.requests.length = 0
    suspect.quietUntil = quietUntil
  }

  /** Those with something to count in the window, the worst first. */
  list(now: number, windowMs: number): { suspect: Suspect; counts: Record<Reason, number> }[] {
    return [...this.#byNetwork.values()]
      .map(suspect => ({ suspect, counts: countsOf(suspect, now, windowMs) }))
      .filter(({ counts }) => totalOf(counts) > 0)
      .toSorted((a, b) => totalOf(b.counts) - totalOf(a.counts))
  }

  clear(): void {
    this.#byNetwork.clear()
  }

  #touch({ at, address, userAgent }: EdgeRequest): Suspect | undefined {
    const network = visitorOf(address)
    if (!network) return undefined
    const suspect = this.#byNetwork.get(network.text) ?? newSuspect(network, at)
    Object.assign(suspect, { lastSeenAt: at, lastAddress: address, userAgent })
    this.#byNetwork.delete(network.text)
    this.#byNetwork.set(network.text, suspect)
    const [oldest] = this.#byNetwork.keys()
    if (this.#byNetwork.size > MOST_SUSPECTS && oldest !== undefined) this.#byNetwork.delete(oldest)
    return suspect
  }
}

const newSuspect = (network: Network, at: number): Suspect => ({
  network,
  firstSeenAt: at,
  lastSeenAt: at,
  lastAddress: '',
  userAgent: '',
  steps: { 'failed-logins': new Map(), xmlrpc: new Map(), probing: new Map(), refused: new Map() },
  sites: new Set(),
  requests: [],
  paths: new Map(),
  quietUntil: 0,
})

const remember = ({ sites, requests }: Suspect, { at, site, method, path, status, userAgent }: EdgeRequest): void => {
  if (site !== '' && sites.size < MOST_SITES) sites.add(site)
  requests.push({ at, siteSlug: site, method, path, status, userAgent })
  if (requests.length > MOST_REQUESTS) requests.shift()
}

/** The same missing page again and again is a broken link or a program that waits for something. */
const isNewPath = ({ paths }: Suspect, { at, path }: EdgeRequest, windowMs: number): boolean => {
  const before = paths.get(path)
  paths.delete(path)
  paths.set(path, at)
  const [oldest] = paths.keys()
  if (paths.size > MOST_PATHS && oldest !== undefined) paths.delete(oldest)
  return before === undefined || before < at - windowMs
}

/** Forgets steps that are over. */
const countIn = (steps: Map<number, number>, now: number, windowMs: number): number => {
  const stepMs = windowMs / STEPS_PER_WINDOW
  let count = 0
  for (const [step, times] of steps)
    if (step * stepMs <= now - windowMs) steps.delete(step)
    else count += times
  return count
}

const countsOf = ({ steps }: Suspect, now: number, windowMs: number): Record<Reason, number> =>
  Object.fromEntries(REASONS.map(reason => [reason, countIn(steps[reason], now, windowMs)])) as Record<Reason, number>

const totalOf = (counts: Record<Reason, number>): number => Object.values(counts).reduce((sum, count) => sum + count, 0)
