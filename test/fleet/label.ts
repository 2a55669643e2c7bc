import { readFileSync } from 'node:fs'
import { run, tryRun } from './run.ts'
import { until } from './until.ts'

const LABEL = 'fleetpress.testbed'
const REMOVE_LIMIT_MS = 60_000

/** When the process started, in the kernel's ticks; undefined when it is gone. */
const startOf = (pid: string): string | undefined => {
  try {
    // The program's name stands in brackets and may hold anything.
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[19]
  } catch {
    return undefined
  }
}

let count = 0

/** Says whose fleet it is, so that a later run can tell what a dead one has left. */
export const newFleetId = (): string => {
  count += 1
  return `${process.pid}-${startOf('self')}-${count}`
}

export const labelOf = (fleet: string): string => `${LABEL}=${fleet}`

const KINDS = [
  { list: ['ps', '--all'], remove: ['rm', '--force', '--volumes'] },
  { list: ['network', 'ls'], remove: ['network', 'rm'] },
  { list: ['volume', 'ls'], remove: ['volume', 'rm', '--force'] },
]

const linesOf = async (words: string[]): Promise<string[]> =>
  (await run('docker', words)).split('\n').filter(line => line !== '')

const listKind = (list: string[], fleet: string): Promise<string[]> =>
  linesOf([...list, '--quiet', '--filter', `label=${labelOf(fleet)}`])

/** Everything that belongs to a fleet: containers, networks and volumes. */
export const listFleet = async (fleet: string): Promise<string[]> =>
  (await Promise.all(KINDS.map(({ list }) => listKind(list, fleet)))).flat()

/** Another run may be removing the same leftovers, so what counts is that nothing is left. */
export const removeFleet = (fleet: string): Promise<void> =>
  until(
    `Removing the fleet ${fleet}`,
    async () => {
      for (const { list, remove } of KINDS) {
        const found = await listKind(list, fleet)
        if (found.length > 0) await tryRun('docker', [...remove, ...found])
      }
      return (await listFleet(fleet)).length === 0
    },
    REMOVE_LIMIT_MS,
  )

const isDead = (fleet: string): boolean => {
  const [, pid, start] = /^(\d+)-(\d+)-\d+$/.exec(fleet) ?? []
  return pid !== undefined && startOf(pid) !== start
}

/** Removes what runs that were killed have left. What Docker can't remove, such as a frozen container, stays for someone else. */
export const removeLeftovers = async (): Promise<void> => {
  const format = ['--format', `{{.Label "${LABEL}"}}`, '--filter', `label=${LABEL}`]
  const fleets = (await Promise.all(KINDS.map(({ list }) => linesOf([...list, ...format])))).flat()
  const dead = [...new Set(fleets)].filter(isDead)
  await Promise.all(dead.map(fleet => removeFleet(fleet).catch(() => {})))
}
