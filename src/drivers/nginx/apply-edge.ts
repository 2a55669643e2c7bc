import { setTimeout as delay } from 'node:timers/promises'
import { inTurn } from '#platform/turn/in-turn.ts'
import { EdgeNotServing, EdgeRefused } from './errors.ts'
import {
  currentGeneration,
  type EdgeFiles,
  type EdgeFolder,
  generationOf,
  pathOf,
  pointTo,
  pruneGenerations,
  removeGeneration,
  writeGeneration,
} from './generations.ts'

/** How the nginx of this edge is reached, which differs between a container and a plain process. */
export interface EdgeRunner {
  /** `nginx -t` on the configuration in this folder of the host, which is not the current one yet. */
  test(generationPath: string): Promise<{ readonly ok: boolean; readonly output: string }>
  /** Makes nginx read the configuration behind `current`, starting it if need be. */
  reload(): Promise<void>
  /** The name of the configuration that is being served, undefined when nothing answers. */
  generation(): Promise<string | undefined>
}

export interface AppliedEdge {
  readonly id: string
  readonly isChanged: boolean
}

const SERVING_TIMEOUT_MS = 10_000
const POLL_MS = 20
/** For about 100 ms after the new workers have started, the old ones still take visitors too. */
const SETTLED_ANSWERS = 10

/**
 * Makes these files the edge's configuration: tested before it takes the place of the old one, checked to be served
 * after the reload, and else the old one is put back. Repeats harmlessly, also after being killed anywhere. What is not
 * a file of nginx but must cause a reload, such as the serial number of a certificate, can be a file of its own.
 */
export const applyEdge = (folder: EdgeFolder, files: EdgeFiles, runner: EdgeRunner): Promise<AppliedEdge> =>
  // Two changes of one edge at once would test one configuration and serve the other.
  inTurn(`edge ${folder.host.name} ${folder.path}`, async () => {
    const id = generationOf(files)
    const previous = await currentGeneration(folder)
    if (previous === id && (await runner.generation()) === id) return { id, isChanged: false }
    await writeGeneration(folder, id, files)
    const { ok, output } = await runner.test(pathOf(folder, id))
    if (!ok) {
      if (previous !== id) await removeGeneration(folder, id)
      throw new EdgeRefused(output)
    }
    await pointTo(folder, id)
    await serve(id, runner).catch(error => putBack(folder, previous, id, runner, error))
    await pruneGenerations(folder, id)
    return { id, isChanged: true }
  })

const serve = async (id: string, runner: EdgeRunner): Promise<void> => {
  await runner.reload()
  const deadline = performance.now() + SERVING_TIMEOUT_MS
  let answers = 0
  while (answers < SETTLED_ANSWERS) {
    if (performance.now() > deadline) throw new EdgeNotServing(id)
    answers = (await runner.generation()) === id ? answers + 1 : 0
    await delay(POLL_MS)
  }
}

const putBack = async (
  folder: EdgeFolder,
  previous: string | undefined,
  id: string,
  runner: EdgeRunner,
  cause: unknown,
): Promise<never> => {
  if (previous !== undefined && previous !== id) {
    await pointTo(folder, previous)
    await removeGeneration(folder, id)
    // The old one is still being served unless nginx itself is gone, which is the failure that is reported.
    await runner.reload().catch(() => {})
  }
  throw cause instanceof EdgeNotServing ? cause : new EdgeNotServing(id, cause)
}
