import { text } from 'node:stream/consumers'
import { z } from 'zod'
import { ask, askForBytes, restoredConfig, runningFolder, type SiteRow } from '#features/sites/index.ts'
import { clearCode } from '#features/wordpress/index.ts'
import { Problem } from '#platform/contract/problem.ts'
import type { StepScope } from '#platform/jobs/job-type.ts'

const MAX_BYTES = 1024 ** 2

/** The panel's own file takes the place of the changed one in one step. The site's own secrets in it stay as they are. */
export const putBack = async (work: StepScope, site: SiteRow, path: string): Promise<void> => {
  const folder = runningFolder(work, site)
  const { signal } = work
  const current = await readCurrent(folder, path, signal)
  const whole = restoredConfig(work, site, current).reveal()
  if (whole !== current)
    await ask(folder, { op: 'write', path, maxBytes: MAX_BYTES }, z.unknown(), { input: Buffer.from(whole), signal })
  await clearCode(work, site)
}

/** One that is gone or far too large has nothing to keep. */
const readCurrent = async (folder: ReturnType<typeof runningFolder>, path: string, signal: AbortSignal) => {
  try {
    const { bytes } = await askForBytes(folder, { op: 'read', path, maxBytes: MAX_BYTES }, z.unknown(), { signal })
    return await text(bytes)
  } catch (error) {
    if (error instanceof Problem && error.code !== 'bad_gateway') return ''
    throw error
  }
}
