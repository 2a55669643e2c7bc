import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Job } from '#platform/contract/job.ts'
import { until } from '#test/fleet/until.ts'
import type { Vps } from '#test/fleet/vps.ts'
import { endedOn, logOn, register } from './drive-panel.ts'
import { ownServers } from './leased-servers.ts'
import { type TestPanel, testPanel } from './panel.ts'

const LANES_LIMIT_MS = 30_000

/** The containers that were made, and everything of a job that could have been left running or made twice. */
const LOOK = `docker ps -a --format '{{.Names}} {{.State}}' | sort
nft list tables 2>/dev/null | grep fleetpress
systemctl is-enabled fleetpress-firewall 2>/dev/null
find /srv/fleetpress/run/detached -mindepth 1 -maxdepth 1 2>/dev/null
pgrep -ax 'apt-get|dpkg|cp' || true`

/** As before the server was set up; the images stay, since carrying them takes the longest. */
export const CLEAR = `docker rm -f $(docker ps -aq) 2>/dev/null
nft delete table inet fleetpress 2>/dev/null
systemctl disable fleetpress-firewall 2>/dev/null
systemctl disable --now fleetpress-disk-watch fleetpress-mount 2>/dev/null
umount /srv/fleetpress 2>/dev/null
rm -rf /srv/fleetpress /srv/elsewhere /etc/systemd/system/fleetpress-*.service
true`

export const STACK_AS_DESIGNED = [
  'fleetpress-database running',
  'fleetpress-database-proxy running',
  'fleetpress-edge running',
  'fleetpress-relay running',
  'table inet fleetpress',
  'enabled',
]

export type Fault = (server: Vps) => Promise<void>

const cutOffFor =
  (ms: number): Fault =>
  async server => {
    await server.cutOff()
    await sleep(ms)
    await server.reconnect()
  }

/** By what a person would call them. */
export const FAULTS = {
  'sshd is killed': server => server.killSshd(),
  'the network is cut for 5 s': cutOffFor(5_000),
  'the network is cut for 60 s': cutOffFor(60_000),
  'Docker is restarted': async server => void (await server.exec(['systemctl', 'restart', 'docker'])),
  'the machine is rebooted': server => server.reboot(),
  'the disk is full': server => server.fillDisk(),
} satisfies Record<string, Fault>
export type FaultName = keyof typeof FAULTS

export interface Strike {
  readonly step: string
  /** Counted from the beginning of the step. */
  readonly afterMs?: number
  readonly fault: Fault
}

/** A panel, one machine it knows, and what befalls the machine in the middle of a job. */
export interface FaultHouse {
  readonly panel: TestPanel
  readonly server: Vps
  readonly id: number
  shell(text: string): Promise<string>
  clear(): Promise<void>
  look(): Promise<string[]>
  ended(job: Job | null, limitMs?: number): Promise<Job>
  logOf(job: Job): Promise<string>
  provision(): Promise<Job>
  /** The fault comes at the step; resolves when the job and the fault are over and the disk has room again. */
  struck(start: () => Promise<{ job: Job }>, strike: Strike, limitMs?: number): Promise<Job>
  lanesAreFree(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/** A job ends well, or says in a word that a script can read why it did not. */
export const assertTyped = ({ status, error, type }: Job, log: string): void => {
  if (status === 'succeeded') return
  assert.equal(status, 'failed', log)
  assert.match(error?.code ?? '', /^[a-z]+(_[a-z]+)*$/, `${type}: ${error?.message}\n${log}`)
  assert.notEqual(error?.code, 'internal', `${type}: ${error?.message}\n${log}`)
}

export const lanesAreFreeOn = ({ foundation: { database } }: TestPanel): Promise<void> =>
  until(
    'Releasing every lane',
    async () => {
      const rows = await Promise.all([
        database.db.selectFrom('job_lane').selectAll().execute(),
        database.db.selectFrom('lane_hold').selectAll().execute(),
      ])
      return rows.flat().length === 0
    },
    LANES_LIMIT_MS,
  )

export const shellOn =
  (server: Vps) =>
  async (text: string): Promise<string> =>
    (await server.exec(['bash', '-c', text])).stdout

/** One line for each container, table, unit, detached work and process there is. */
export const lookAt = async (server: Vps): Promise<string[]> =>
  (await shellOn(server)(LOOK)).split('\n').filter(line => line !== '')

/** Hits once, at the step it was set for. */
const striker = (server: Vps) => {
  let strike: Strike | undefined
  let over: Promise<void> = Promise.resolve()
  return {
    set: (next: Strike) => {
      strike = next
    },
    boundary: (point: string, { step }: { step: string | null }) => {
      if (point !== 'before-step' || strike === undefined || strike.step !== step) return
      const { fault, afterMs = 0 } = strike
      strike = undefined
      over = sleep(afterMs).then(() => fault(server))
      over.catch(() => {})
    },
    settled: async () => {
      assert.equal(strike, undefined, `the job never came to ${strike?.step}`)
      await over
    },
  }
}

/** The machine is set up already; `clear` leaves it with nothing but Docker and the images. */
export const faultHouse = async (): Promise<FaultHouse> => {
  const held = new AsyncDisposableStack()
  try {
    const fleet = held.use(await ownServers(1))
    const [server] = fleet.servers
    assert.ok(server)
    const hits = striker(server)
    const panel = await testPanel({ engine: { boundary: hits.boundary } })
    held.defer(() => panel.stop())
    await panel.engine.start()
    const id = await register(panel, server)
    const shell = shellOn(server)
    const ended = (job: Job | null, limitMs = 180_000) => endedOn(panel, job, limitMs)
    return {
      panel,
      server,
      id,
      shell,
      clear: async () => void (await shell(CLEAR)),
      look: () => lookAt(server),
      ended,
      logOf: job => logOn(panel, job),
      provision: async () => ended((await panel.as('full').serverReprovision({ params: { id } })).job, 300_000),
      struck: async (start, strike, limitMs) => {
        hits.set(strike)
        const { job } = await start()
        try {
          return await ended(job, limitMs)
        } finally {
          await hits.settled()
          await server.freeDisk()
        }
      },
      lanesAreFree: () => lanesAreFreeOn(panel),
      [Symbol.asyncDispose]: () => held.disposeAsync(),
    }
  } catch (error) {
    await held.disposeAsync()
    throw error
  }
}
