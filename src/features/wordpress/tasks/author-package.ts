import { z } from 'zod'
import { CodedError } from '#platform/contract/known-error.ts'
import { HostTimeout } from '#platform/host/errors.ts'
import { TryLater } from '#platform/jobs/stop.ts'
import { NoScriptAnswer, runScript } from '../run-script.ts'
import { isThere } from './one-file.ts'
import type { ItemWork } from './task.ts'

/** How long other jobs of the server wait for a download; most are done by then. */
const IN_LANE_MS = 3_000
const PAUSE_MS = 5_000
/** A little longer than WordPress itself gives a download. */
const LONGEST_MS = 2.5 * 60_000

const Downloaded = z.object({ error: z.string().nullable() })

/**
 * The site downloads it, with its own license: the panel follows no address that a site names. A slow download
 * continues in the site without the panel, and its job lets others pass until the file is there.
 */
export const downloadFromAuthor = async (work: ItemWork, file: string): Promise<void> => {
  const { context, site, item, begun } = work
  const { now, save } = context
  if (begun.downloadingSince === undefined) {
    begun.downloadingSince = now()
    await save()
    if (await startDownload(work, file)) return
  } else if (await isThere(context, site, file)) return
  if (now() - begun.downloadingSince > LONGEST_MS)
    throw new CodedError('no_package', "The server of its author didn't provide the package in time.")
  throw new TryLater(`Waiting for the author of ${item.slug}`, PAUSE_MS)
}

/** False when it is not over yet. */
const startDownload = async ({ context, site, item }: ItemWork, file: string): Promise<boolean> => {
  const question = { kind: item.kind, item: item.key, to: file }
  try {
    const asked = { answer: Downloaded, question, load: 'admin', timeoutMs: IN_LANE_MS } as const
    const { error } = await runScript(context, site, 'download-package', asked)
    if (error !== null) throw refused(error)
    return true
  } catch (error) {
    if (error instanceof HostTimeout) return false
    throw error instanceof NoScriptAnswer ? refused(error.output) : error
  }
}

const refused = (output: string) => new CodedError('no_package', "Its author didn't provide the package.", { output })
