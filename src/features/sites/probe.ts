import { setTimeout as sleep } from 'node:timers/promises'
import { Problem } from '#platform/contract/problem.ts'
import type { Host } from '#platform/host/host.ts'
import type { StepContext } from '#platform/jobs/job-type.ts'

const HTTP_PORT = 80
const LIMIT_MS = 30_000
const PAUSE_MS = 200
const LONGEST_HEAD = 16_384

/** Asks the edge of a server for a page of a site, from the server itself; undefined when the answer is none of HTTP. */
export const askEdge = async (host: Host, hostname: string, signal: AbortSignal): Promise<number | undefined> => {
  const connection = await host.dial({ port: HTTP_PORT }, { signal })
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

/** A site with a certificate answers plain HTTP with the way to HTTPS. */
const isFine = (status: number | undefined) => status === 200 || status === 301 || status === 302

export const confirmAnswer = async (
  { hosts, signal }: Pick<StepContext, 'hosts' | 'signal'>,
  serverId: number,
  hostname: string,
): Promise<void> => {
  const until = Date.now() + LIMIT_MS
  for (;;) {
    const status = await askEdge(hosts.get(serverId), hostname, signal)
    if (isFine(status)) return
    if (Date.now() > until)
      throw new Problem('conflict', `${hostname} answers with ${status ?? 'nothing'} and not with a page.`)
    await sleep(PAUSE_MS, undefined, { signal })
  }
}
