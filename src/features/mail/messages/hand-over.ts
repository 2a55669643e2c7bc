import { setTimeout as sleep } from 'node:timers/promises'
import type { MailRelay } from '#features/panel/index.ts'
import { newId } from '#platform/db/id.ts'
import type { Scope } from '#platform/scope.ts'
import { inRelay } from '../queue/queue.ts'
import { readHostname } from '../relay/hostname.ts'
import { ingest } from './ingest.ts'
import { findByQueueId } from './message-store.ts'

const LOG = '/var/log/fleetpress/mail.log'
const TRIES = 20
const PAUSE_MS = 250

type PanelMessage = Parameters<MailRelay['send']>[0]

/** Gives a message of the panel to the relay of a server, as a program of that server would. */
export const handOver = async (scope: Scope, serverId: number, message: PanelMessage) => {
  const { hostname } = await readHostname(scope, serverId)
  const id = `${newId(scope.now())}@${hostname}`
  const { from, to } = message
  await inRelay(scope, serverId, ['sendmail', '-i', '-f', from.address, '--', to], await written(message, id))
  const queueId = await findQueueId(scope, serverId, id)
  await ingest(scope, { serverId })
  const [row] = queueId === null ? [] : await findByQueueId(scope.db, serverId, queueId)
  if (row?.status === 'refused') return { accepted: false, detail: row.reason, queueId }
  return { accepted: true, detail: `Accepted by ${hostname}. The message log says what becomes of it.`, queueId }
}

/** With its headers, in plain ASCII whatever it says. */
const written = async ({ from, to, subject, text }: PanelMessage, id: string): Promise<string> => {
  // Loaded when the first message goes out: most panels send few.
  const { default: nodemailer } = await import('nodemailer')
  const composer = nodemailer.createTransport({ streamTransport: true, buffer: true, newline: 'unix' })
  const safe = { disableFileAccess: true, disableUrlAccess: true, textEncoding: 'quoted-printable' as const }
  const { message } = await composer.sendMail({ from, to, subject, text, messageId: `<${id}>`, ...safe })
  if (!Buffer.isBuffer(message)) throw new Error('a message was not composed')
  return message.toString()
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
