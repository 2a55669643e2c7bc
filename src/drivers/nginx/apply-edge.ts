import { setTimeout as delay } from 'node:timers/promises'
import { withHostLock } from '#platform/host/lock.ts'
import { EdgeNotServing, EdgeRefused } from './errors.ts'
import {
  currentGeneration,
  type EdgeFiles,
  type EdgeFolder,
  generationOf,
  lockOf,
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

const SERVING_TIMEOUT_MS = 30_000
const POLL_MS = 20
/** For about 100 ms after the new workers have started, the old ones still take visitors too. */
const SETTLED_ANSWERS = 10

/**
 * Makes these files the edge's configuration: tested before it replaces the old one, checked to be served after the
 * reload, and rolled back otherwise. The files are read under a lock on the server, so an older state never replaces a
 * newer one, whichever panel process comes last. Repeats harmlessly, also after being killed anywhere. What is not a
 * file of nginx but must cause a reload, such as the serial number of a certificate, can be its own file.
 */
export const applyEdge = (
  folder: EdgeFolder,
  readFiles: () => Promise<EdgeFiles>,
  runner: EdgeRunner,
): Promise<AppliedEdge> =>
  withHostLock(folder.host, lockOf(folder), async lost => {
    const files = await readFiles()
    const id = generationOf(files)
    const previous = await currentGeneration(folder)
    if (previous === id && (await runner.generation()) === id) return { id, isChanged: false }
    await writeGeneration(folder, id, files)
    const { ok, output } = await runner.test(pathOf(folder, id))
    lost.throwIfAborted()
    if (!ok) {
      if (previous !== id) await removeGeneration(folder, id)
      throw new EdgeRefused(output)
    }
    await pointTo(folder, id)
    await serve(id, runner).catch(error => {
      lost.throwIfAborted()
      return rollBack(folder, previous, id, runner, error)
    })
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

const rollBack = async (
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
