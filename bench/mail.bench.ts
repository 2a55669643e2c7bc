import {
  allowOwnAddress,
  isSigned,
  killInRelay,
  pssOfRelay,
  pushThrough,
  sendFrom,
  signing,
  sinkInRelay,
} from '#test/support/mail-load.ts'
import { siteHouse } from '#test/support/site-house.ts'
import { median, report } from './report.ts'

const SLUG = 'first'
const DOMAIN = `${SLUG}.vps1.localhost`
const MESSAGES = 2000
const ROUNDS = 5
const KILLS = 3
const WP_MAILS = 25
/** An engine that restarts something within ten seconds waits longer each time. */
const BETWEEN_KILLS_MS = 12_000
const MB = 1_000_000

/** As a plugin calls it, in one process: the median of so many calls in milliseconds. */
const WP_MAIL = `$taken = [];
for ($i = 0; $i < ${WP_MAILS}; $i++) {
  $began = hrtime(true);
  if (!wp_mail("known@sink.test", "Order $i", "Thank you.")) exit(1);
  $taken[] = (hrtime(true) - $began) / 1e6;
}
sort($taken);
echo $taken[intdiv(count($taken), 2)];`

await using house = await siteHouse(1)
const [server] = house.servers
if (!server) throw new Error('there is no server')
const api = house.panel.as('full')
await house.create(SLUG)
const idleBytes = await pssOfRelay(server)

const { host, port } = await sinkInRelay(server)
const useSink = () =>
  api.settingsUpdate({ body: { mailRelay: { smarthost: host, smarthostPort: port, hourlyLimit: 100_000 } } })
await useSink()
await api.mailDkimCreate({ body: { domain: DOMAIN } })
await allowOwnAddress(server, DOMAIN)

const perSecond = async () => (MESSAGES * 1000) / (await pushThrough(server, MESSAGES, DOMAIN)).deliveredMs
await perSecond()
const [signed, checked, plain]: [number[], number[], number[]] = [[], [], []]
const mustBeSigned = async (wanted: boolean) => {
  if ((await isSigned(server, DOMAIN)) !== wanted) throw new Error(`messages are ${wanted ? 'not ' : ''}signed`)
}
for (let round = 0; round < ROUNDS; round++) {
  await signing(server, false)
  await mustBeSigned(false)
  plain.push(await perSecond())
  await signing(server, true)
  await api.mailDkimDelete({ params: { domain: DOMAIN } })
  await mustBeSigned(false)
  checked.push(await perSecond())
  await api.mailDkimCreate({ body: { domain: DOMAIN } })
  await mustBeSigned(true)
  signed.push(await perSecond())
}

const call = ['docker', 'exec', `fleetpress-site-${SLUG}`, 'wp', 'eval', WP_MAIL]
const { stdout, stderr } = await server.exec(call)
const wpMailMs = Number.parseFloat(stdout)
if (!(wpMailMs > 0)) throw new Error(`wp_mail did not work: ${stdout}${stderr}`)

const backMs: number[] = []
for (let round = 0; round < KILLS; round++) {
  const messages = Array.from({ length: 400 }, (_, at) => ({
    from: `wordpress@${DOMAIN}`,
    to: [`known-${at}@sink.test`],
    subject: 'x',
  }))
  const sending = sendFrom(server, SLUG, messages, 25)
  await new Promise(resolve => setTimeout(resolve, 1000))
  const killedAt = await killInRelay(server, 'init')
  const next = (await sending).find(({ at, text }) => at > killedAt + 100 && text.startsWith('250'))
  backMs.push((next?.at ?? Number.NaN) - killedAt)
  await new Promise(resolve => setTimeout(resolve, BETWEEN_KILLS_MS))
}

report('mail', [
  {
    name: 'messages accepted, signed and delivered',
    unit: 'messages/s',
    ours: median(signed),
    limit: { atLeast: 150 },
  },
  {
    name: 'messages accepted, signed and delivered',
    unit: 'messages/s',
    ours: median(signed),
    peer: { name: 'the same Postfix without signing', value: median(plain) },
    limit: { atLeast: 0.85 },
  },
  {
    name: 'messages accepted, signed and delivered',
    unit: 'messages/s',
    ours: median(signed),
    peer: { name: 'the same relay with all its checks, for a domain without a key', value: median(checked) },
    limit: { atLeast: 0.85 },
  },
  { name: 'wp_mail until the relay has the message, median', unit: 'ms', ours: wpMailMs, limit: { atMost: 100 } },
  { name: 'memory of an idle relay (PSS)', unit: 'MB', ours: idleBytes / MB, limit: { atMost: 25 } },
  { name: 'accepts mail again after kill -9', unit: 'ms', ours: Math.max(...backMs), limit: { atMost: 3000 } },
])
