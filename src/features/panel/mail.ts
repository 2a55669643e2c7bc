import { join } from 'node:path'
import type { z } from 'zod'
import { outputOf } from '#platform/contract/known-error.ts'
import { newId } from '#platform/db/id.ts'
import { cleanLine, cleanText } from '#platform/log/clean-line.ts'
import type { Scope } from '#platform/scope.ts'
import { mailSettings } from './settings.ts'

export interface Letter {
  to: string
  subject: string
  text: string
}

export interface Delivery {
  accepted: boolean
  detail: string
}

export interface MailSender {
  readonly name: string
  /** Empty where none is set. */
  readonly address: string
}

/** Takes the panel's letters where no SMTP server is set. */
export interface MailRelay {
  send(letter: Letter & { readonly from: MailSender }): Promise<Delivery>
}

export const OUTBOX = 'outbox'
const THIS_SERVER = 1

/** Whether the panel can send email at all. */
export const hasMailServer = async (scope: Scope): Promise<boolean> =>
  (await scope.settings.read(mailSettings)).host !== '' || (await findRelay(scope)) !== undefined

/** Sends one of the panel's own letters. Without an SMTP server and a relay it becomes a file that only root can read. */
export const sendLetter = async (scope: Scope, letter: Letter): Promise<Delivery> => {
  const mail = await scope.settings.read(mailSettings)
  // A letter may tell what a site or a server said.
  const clean = { to: letter.to, subject: cleanLine(letter.subject), text: cleanText(letter.text) }
  if (mail.host !== '') return sendBySmtp(mail, clean)
  const relay = await findRelay(scope)
  const from = { name: mail.fromName, address: mail.fromAddress }
  return relay ? relay.send({ ...clean, from }) : writeToOutbox(scope, clean)
}

const findRelay = async (scope: Scope): Promise<MailRelay | undefined> =>
  (await scope.events.raise(scope, 'ownRelay', {})).find(relay => relay !== undefined)

const sendBySmtp = async (mail: z.output<typeof mailSettings.fields>, letter: Letter): Promise<Delivery> => {
  const { host, port, security, user, password, fromAddress, fromName } = mail
  // Loaded when the first letter goes out: most panels send few.
  const { default: nodemailer } = await import('nodemailer')
  const transport = nodemailer.createTransport({
    host,
    port,
    secure: security === 'tls',
    requireTLS: security === 'starttls',
    ignoreTLS: security === 'none',
    ...(user === '' ? {} : { auth: { user, pass: password } }),
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 20_000,
  })
  try {
    const sent = await transport.sendMail({
      ...letter,
      from: { name: fromName, address: fromAddress || `fleetpress@${host}` },
      disableFileAccess: true,
      disableUrlAccess: true,
    })
    return { accepted: true, detail: cleanLine(sent.response) }
  } catch (error) {
    return {
      accepted: false,
      detail: `${host}:${port} didn't accept the email: ${cleanLine(outputOf(error))}`,
    }
  } finally {
    transport.close()
  }
}

const writeToOutbox = async (scope: Scope, letter: Letter): Promise<Delivery> => {
  const host = scope.hosts.get(THIS_SERVER)
  const folder = join(scope.installation.dataDir, OUTBOX)
  await host.makeDir(folder, { mode: 0o700 })
  const file = join(folder, `${newId(scope.now())}.txt`)
  await host.writeFile(file, `To: ${letter.to}\nSubject: ${letter.subject}\n\n${letter.text}\n`, { mode: 0o600 })
  return {
    accepted: true,
    detail: `No SMTP server is set, and this server has no relay. The email is in ${file}, readable by root only.`,
  }
}
