import { listFleet, removeFleet } from './label.ts'
import { startFleet } from './vps.ts'

const say = (text: string): void => void process.stdout.write(`${text}\n`)

const show = (name: string, address: string): string =>
  `${name}  root@${address}
      ./fleetpress servers create --name ${name} --ssh-host ${address} --dev-domain ${name}.localhost --provision`

const start = async (
  fleet: string,
  count: number,
  suite: 'bookworm' | 'trixie',
  key: string | undefined,
): Promise<void> => {
  if ((await listFleet(fleet)).length > 0) {
    say('A fleet is there already: remove it with ./fleetpress dev fleet stop, or give this one another --name.')
    process.exitCode = 1
    return
  }
  say(`Starting ${count} blank servers; the first time, their disk is built, which takes a minute or two.`)
  try {
    for (const machine of await startFleet(fleet, count, { suite })) {
      if (key !== undefined) await machine.authorize(key)
      say(show(machine.name, machine.address))
    }
  } catch (error) {
    await removeFleet(fleet)
    throw error
  }
  if (key === undefined) {
    say(
      'No key may sign in yet. The panel shows its own with ./fleetpress servers ssh-public-key; --authorize adds it.',
    )
  }
  say('They stay until ./fleetpress dev fleet stop.')
}

const [act, fleet = '', count, suite, key] = process.argv.slice(2)
if (act === 'stop') {
  await removeFleet(fleet)
  say('The fleet is gone.')
} else await start(fleet, Number(count), suite === 'trixie' ? 'trixie' : 'bookworm', key)
