import { once } from 'node:events'
import { connect } from 'node:net'

const VICTIM = 'victim@sink.test'
const DATE = 'Date: Tue, 17 Nov 2026 08:00:00 +0000'

/** What hostile code in a site could say to the relay to write in someone else's name, line by line. */
export const spoofedMail = (domain: string): Record<string, string[]> => {
  const own = `wordpress@${domain}`
  const envelope = (from: string) => [`MAIL FROM:<${from}>`, `RCPT TO:<${VICTIM}>`]
  const text = (from: string, ...more: string[]) => [
    'DATA',
    [`From: ${from}`, DATE, ...more, 'Subject: x', '', 'x', '.'].join('\r\n'),
  ]
  const from = (author: string, ...more: string[]) => [...envelope(own), ...text(author, ...more)]
  const body = (...lines: string[]) => [...envelope(own), 'DATA', `From: ${own}\r\n\r\nx${lines.join('')}\r\n.`]
  const next = 'MAIL FROM:<ceo@bank.test>'
  return {
    'foreign envelope': [...envelope('ceo@bank.test'), ...text(own)],
    'foreign From': from('ceo@bank.test'),
    'foreign From without a sender': [...envelope(''), ...text('ceo@bank.test')],
    'foreign From with a name of ours': from(`"${own}" <ceo@bank.test>`),
    'foreign From on the next line': from('\r\n ceo@bank.test'),
    'two From headers': from(own, 'From: ceo@bank.test'),
    'two From headers in other letters': from(own, 'fRoM: ceo@bank.test'),
    'two From headers with a space before the colon': from(own, 'From : ceo@bank.test'),
    'two authors': from(`${own}, ceo@bank.test`),
    'a group': from('friends: ceo@bank.test;'),
    'no author': from(';'),
    'an open quote': from(`"${own} <ceo@bank.test>`),
    'an encoded author': from('=?utf-8?q?ceo=40bank.test?='),
    'a comment': from(`ceo@bank.test (${own})`),
    'a route': from(`<@${domain}:ceo@bank.test>`),
    'an address in brackets': from('ceo@[192.0.2.1]'),
    'letters that are not plain': from('ceo@bänk.test'),
    'an end in the middle': from(`ceo@bank.test\u0000 <${own}>`),
    'a subdomain': from(`ceo@mail.${domain}.bank.test`),
    'a parent domain': from(`ceo@${domain.slice(domain.indexOf('.') + 1)}`),
    'another site': from(`wordpress@second.${domain.slice(domain.indexOf('.') + 1)}`),
    'a foreign Sender': from(own, 'Sender: ceo@bank.test'),
    'a second Sender': from(own, `Sender: ${own}`, 'Sender: The boss <ceo@bank.test>'),
    'a foreign Resent-From': from(own, DATE.replace('Date', 'Resent-Date'), 'Resent-From: ceo@bank.test'),
    'a quoted sender': [...envelope(`"a> to=<b"@${domain}`), ...text(own)],
    'a sender without domain': [...envelope('root'), ...text(own)],
    'a name with a line in it': ['EHLO x> from=<a', ...envelope(own), ...text(own)],
    'an end of bare line feeds': body('\n.\n', next),
    'an end that begins with a bare line feed': body('\n.\r\n', next),
    'an end that ends with a bare line feed': body('\r\n.\n', next),
  }
}

/** What programs look for that search the Internet for servers which pass on anything. */
const RELAY_FORMS: readonly (readonly [from: string, to: string])[] = [
  ['ceo@bank.test', VICTIM],
  ['', VICTIM],
  ['postmaster@localhost', VICTIM],
  ['root', VICTIM],
  ['ceo@bank.test', 'victim%sink.test@localhost'],
  ['ceo@bank.test', '"victim@sink.test"'],
  ['ceo@bank.test', 'sink.test!victim'],
  ['ceo@bank.test', '@localhost:victim@sink.test'],
  ['ceo@bank.test', 'victim@[192.0.2.1]'],
  ['spam@bank.test', 'root@localhost'],
]
const MAIL_PORTS = [25, 465, 587, 2525, 8025]
const CONNECT_MS = 5000

/** Every way to ask at every port that mail servers listen at: what was said, or `closed`. */
export const probeFromOutside = async (address: string): Promise<string[]> => {
  const probes = MAIL_PORTS.flatMap(port => RELAY_FORMS.map(form => ({ port, form })))
  return Promise.all(probes.map(({ port, form }) => probe(address, port, form)))
}

const probe = async (host: string, port: number, [from, to]: readonly [string, string]): Promise<string> => {
  const socket = connect({ host, port })
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(CONNECT_MS) })
  } catch {
    socket.destroy()
    return 'closed'
  }
  const said: string[] = []
  for (const line of ['EHLO outside.test', `MAIL FROM:<${from}>`, `RCPT TO:<${to}>`, 'QUIT']) {
    socket.write(`${line}\r\n`)
    const [answer] = (await once(socket, 'data').catch(() => ['gone'])) as [Buffer | string]
    said.push(String(answer).trim())
  }
  socket.destroy()
  return `${port} is open: ${said.join(' / ')}`
}
