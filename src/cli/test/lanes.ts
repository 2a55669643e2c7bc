import { isAlone, ringOf } from './find-files.ts'
import { withMemoryFolder } from './memory-folder.ts'
import type { Ring } from './packages.ts'
import { add, BEHIND_SERVERS, NOTHING, type Ran, runFiles, type Turns } from './run-files.ts'
import { longestFirst } from './times.ts'

/** Test files that share their turns. Lanes run next to each other. */
interface Lane extends Turns {
  readonly rings: readonly Ring[]
  /** Files of other rings that fit better here. */
  readonly also?: readonly string[]
  /** Its temporary files are in memory: most are databases, and no test of the lane ends with the machine. */
  readonly inMemory?: true
}

/**
 * Servers and people mostly wait, for a restart, a network that comes back or a page. What computes takes the processors
 * they leave idle, and gives way when they need them: to the kernel all test servers together weigh as much as one process.
 */
const LANES: readonly Lane[] = [
  { rings: ['fleet', 'journeys'], atATime: 3, niceness: 0 },
  {
    rings: ['unit', 'slow'],
    // It has no server, and computes for minutes.
    also: ['test/journeys/pages.test.ts'],
    atATime: 2,
    niceness: BEHIND_SERVERS,
    inMemory: true,
  },
]

const inRings = (files: readonly string[], rings: readonly Ring[]): string[] =>
  files.filter(file => rings.some(ring => ringOf(file) === ring))

const laneOf = (file: string): Lane | undefined =>
  LANES.find(({ also = [] }) => also.includes(file)) ?? LANES.find(({ rings }) => inRings([file], rings).length > 0)

const runLane = (lane: Lane, files: readonly string[], env: NodeJS.ProcessEnv): Promise<Ran> => {
  const { atATime, niceness, inMemory } = lane
  const run = (withPlace: NodeJS.ProcessEnv) =>
    runFiles(longestFirst(files.filter(file => laneOf(file) === lane)), { atATime, niceness }, withPlace)
  return inMemory ? withMemoryFolder(env, run) : run(env)
}

/** All lanes at once; then, one at a time, what needs the machine for itself. */
export const runLanes = async (files: readonly string[], env: NodeJS.ProcessEnv): Promise<Ran> => {
  const together = files.filter(file => !isAlone(file))
  const ran = await Promise.all(LANES.map(lane => runLane(lane, together, env)))
  const last = [...files.filter(isAlone), ...inRings(together, ['soak'])]
  ran.push(await runFiles(last, { atATime: 1, niceness: 0 }, env))
  return ran.reduce(add, NOTHING)
}
