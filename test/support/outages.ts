import { setTimeout as sleep } from 'node:timers/promises'
import type { Vps } from '#test/fleet/vps.ts'
import type { Fault } from './fault-house.ts'

const powerOff =
  (ms: number): Fault =>
  async server => {
    await server.kill()
    await sleep(ms)
    await server.start()
  }

const cutOff =
  (ms: number): Fault =>
  async server => {
    await server.cutOff()
    await sleep(ms)
    await server.reconnect()
  }

const freeze =
  (ms: number): Fault =>
  async server => {
    await server.pause()
    await sleep(ms)
    await server.unpause()
  }

const shell = async (server: Vps, text: string) => void (await server.exec(['bash', '-c', text]))

/** As a crash does: what Docker itself ends is not started again. */
const crash =
  (container: string): Fault =>
  server =>
    shell(server, `kill -9 "$(docker inspect --format '{{.State.Pid}}' ${container})"`)

const fillDisk =
  (ms: number): Fault =>
  async server => {
    await server.fillDisk()
    await sleep(ms)
    await server.freeDisk()
  }

/** What befalls a server, by what a person would call it. Each is over when it resolves. */
export const OUTAGES = {
  'power off for 15 s': powerOff(15_000),
  'power off for 60 s': powerOff(60_000),
  'power off for 150 s': powerOff(150_000),
  'network cut for 20 s': cutOff(20_000),
  'network cut for 90 s': cutOff(90_000),
  'frozen for 40 s': freeze(40_000),
  'dockerd killed': server => shell(server, 'systemctl kill --signal=KILL docker'),
  'MariaDB killed': crash('fleetpress-database'),
  'edge killed': crash('fleetpress-edge'),
  'disk full for 10 s': fillDisk(10_000),
  reboot: server => server.reboot(),
} satisfies Record<string, Fault>
export type Outage = keyof typeof OUTAGES
