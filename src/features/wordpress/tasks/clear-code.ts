import { z } from 'zod'
import type { SiteRow } from '#features/sites/index.ts'
import { runScript, type ScriptWork } from '../run-script.ts'
import { quietly } from './probe.ts'

/** PHP would run the files that it has read before for another two seconds. Without a path, all of the site's. */
export const clearCode = async (work: ScriptWork, site: SiteRow, path = ''): Promise<void> => {
  const answer = z.object({ cleared: z.boolean() })
  await quietly(runScript(work, site, 'clear-code', { answer, question: { path } }))
}
