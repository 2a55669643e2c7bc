import { setTimeout as sleep } from 'node:timers/promises'
import { getServer, listServers } from '#features/servers/index.ts'
import { Problem } from '#platform/contract/problem.ts'
import { newId } from '#platform/db/id.ts'
import type { Scope } from '#platform/scope.ts'
import { listSendingDomains } from '../domains/sending-domains.ts'
import { inRelay } from '../queue/queue.ts'
import { readHostname } from '../relay/hostname.ts'
import { ingest } from './ingest.ts'
import { findByQueueId } from './message-store.ts'

const LOG = '/var/log/fleetpress/mail.log'
const TRIES = 20
const PAUSE_MS = 250

interface TestMessage {
  readonly from: string
  readonly to: string
  readonly serverId?: number | undefined
  readonly subject?: string | undefined
}

/** Sends a message through a relay as if a program of the server had written it. */
export const sendTest = async (scope: Scope, { from, to, subject, ...wanted }: TestMessage) => {
  const serverId = await senderOf(scope, from, wanted.serverId)
  const { hostname } = await readHostname(scope, serverId)
  const id = `${newId(scope.now())}@${hostname}`
  const head = [`From: ${from}`, `To: ${to}`, `Subject: ${encoded(subject ?? 'Test message')}`, `Message-ID: <${id}>`]
  const kind = ['MIME-Version: 1.0', 'Content-Type: text/plain; charset=utf-8']
  const text = `This is a test message from Fleetpress, sent by ${hostname}.`
  await inRelay(
    scope,
    serverId,
    ['sendmail', '-i', '-f', from, '--', to],
    `${[...head, ...kind].join('\n')}\n\n${text}\n`,
  )
  const queueId = await findQueueId(scope, serverId, id)
  await ingest(scope, { serverId })
  const [row] = queueId === null ? [] : await findByQueueId(scope.db, serverId, queueId)
  if (row?.status === 'refused') return { accepted: false, detail: row.reason, serverId, queueId }
  return {
    accepted: true,
    detail: `Accepted by ${hostname}. The message log says what becomes of it.`,
    serverId,
    queueId,
  }
}

/** Other characters than ASCII are not allowed in a header as they are. */
const encoded = (subject: string): string =>
  /^[ -~]*$/.test(subject) ? subject : `=?utf-8?B?${Buffer.from(subject).toString('base64')}?=`

const senderOf = async (scope: Scope, from: string, serverId: number | undefined): Promise<number> => {
  const domain = from.slice(from.indexOf('@') + 1).toLowerCase()
  const sending = (await listSendingDomains(scope.db)).find(each => each.domain === domain)
  const servers = await listServers(scope.db)
  const names = await Promise.all(servers.map(async ({ id }) => ({ id, ...(await readHostname(scope, id)) })))
  const named = names.find(({ hostname }) => hostname === domain)
  if (!sending && !named)
    throw new Problem(
      'conflict',
      `No site sends mail from ${domain}. Use the domain of a site, or the name of a relay.`,
    )
  const chosen = serverId ?? sending?.serverIds[0] ?? named?.id ?? servers.find(({ status }) => status === 'ready')?.id
  if (chosen === undefined) throw new Problem('conflict', 'No server is set up yet.')
  const { name, status } = await getServer(scope.db, chosen)
  if (status !== 'ready') throw new Problem('conflict', `${name} is not set up. Set it up first.`)
  return chosen
}

/** Postfix gives a message its id a moment after it has taken it. */
const findQueueId = async (scope: Scope, serverId: number, messageId: string): Promise<string | null> => {
  for (let tries = 0; tries < TRIES; tries++) {
    const { stdout } = await inRelay(scope, serverId, [
      'sed',
      '-n',
      `s/.*: \\([0-9A-Za-z]*\\): message-id=<${messageId}>$/\\1/p`,
      LOG,
    ])
    if (stdout.trim() !== '') return stdout.trim().split('\n')[0] ?? null
    await sleep(PAUSE_MS)
  }
  return null
}
