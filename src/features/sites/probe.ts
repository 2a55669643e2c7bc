import { setTimeout as sleep } from 'node:timers/promises'
import { Problem } from '#platform/contract/problem.ts'
import { DialFailed } from '#platform/host/errors.ts'
import type { DialAddress, Host } from '#platform/host/host.ts'
import type { StepContext } from '#platform/jobs/job-type.ts'
import { SITE_PORT } from './container.ts'
import { siteNetwork } from './network.ts'
import type { SiteRow } from './site-store.ts'

type Work = Pick<StepContext, 'hosts' | 'signal'>

const HTTP_PORT = 80
const LIMIT_MS = 30_000
const EDGE_PAUSE_MS = 200
/** A container that has just been started takes a moment until it listens. */
const SITE_PAUSE_MS = 20
const LONGEST_HEAD = 16_384

/** Asks for the front page under this name, from the server itself; undefined when the answer is none of HTTP. */
const ask = async (host: Host, at: DialAddress, hostname: string, signal: AbortSignal): Promise<number | undefined> => {
  const connection = await host.dial(at, { signal })
  try {
    connection.write(`GET / HTTP/1.1\r\nHost: ${hostname}\r\nConnection: close\r\n\r\n`)
    let head = ''
    for await (const chunk of connection) {
      head += String(chunk)
      if (head.includes('\r\n') || head.length > LONGEST_HEAD) break
    }
    const [, status] = /^HTTP\/1\.[01] (\d{3}) /.exec(head) ?? []
    return status === undefined ? undefined : Number(status)
  } finally {
    connection.destroy()
  }
}

export const askEdge = (host: Host, hostname: string, signal: AbortSignal): Promise<number | undefined> =>
  ask(host, { port: HTTP_PORT }, hostname, signal)

/** A site with a certificate answers plain HTTP with the way to HTTPS. */
const isFine = (status: number | undefined) => status === 200 || status === 301 || status === 302

/** Asks until a page comes; the last answer when none came in time. */
const untilFine = async (
  question: () => Promise<number | undefined>,
  pauseMs: number,
  signal: AbortSignal,
): Promise<number | undefined> => {
  const until = Date.now() + LIMIT_MS
  for (;;) {
    const status = await question()
    if (isFine(status) || Date.now() > until) return status
    await sleep(pauseMs, undefined, { signal })
  }
}

export const confirmAnswer = async ({ hosts, signal }: Work, serverId: number, hostname: string): Promise<void> => {
  const status = await untilFine(() => askEdge(hosts.get(serverId), hostname, signal), EDGE_PAUSE_MS, signal)
  if (!isFine(status)) throw new Problem('conflict', `${hostname} returns ${status ?? 'nothing'} instead of a page.`)
}

/** Has a new site make its first page, past the edge: PHP compiles all of WordPress for it. False when none came. */
export const warmUp = async ({ hosts, signal }: Work, site: SiteRow, hostname: string): Promise<boolean> => {
  const at = { host: siteNetwork(site.slug, site.network_index).address, port: SITE_PORT }
  const question = () =>
    ask(hosts.get(site.server_id), at, hostname, signal).catch(error => {
      if (error instanceof DialFailed) return undefined
      throw error
    })
  return isFine(await untilFine(question, SITE_PAUSE_MS, signal))
}
