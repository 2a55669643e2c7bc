import { z } from 'zod'
import type { SiteRow } from '#features/sites/index.ts'
import { runScript, type ScriptWork } from '../run-script.ts'
import { quietly } from './probe.ts'

/** PHP would run the files that it has read before for another two seconds. */
export const clearCode = async (work: ScriptWork, site: SiteRow): Promise<void> => {
  await quietly(runScript(work, site, 'clear-code', { answer: z.object({ cleared: z.boolean() }) }))
}
