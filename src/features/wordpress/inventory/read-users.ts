import { z } from 'zod'
import type { SiteRow } from '#features/sites/index.ts'
import { Problem } from '#platform/contract/problem.ts'
import { cleanLine } from '#platform/log/clean-line.ts'
import { NoScriptAnswer, runScript, type ScriptWork } from '../run-script.ts'
import type { WordpressUserAccount } from './contract.ts'

const LONGEST = 250
const line = z.string().transform(text => cleanLine(text.replace(/\s+/g, ' '), LONGEST))

const Answer = z.object({
  total: z.int().min(0),
  users: z
    .array(z.object({ id: z.int().min(0), login: line, name: line, email: line, roles: z.array(line).max(50) }))
    .max(200),
})

interface Found {
  readonly total: number
  readonly items: WordpressUserAccount[]
}

export const readUsers = async (
  work: ScriptWork,
  site: SiteRow,
  question: { q: string; limit: number },
): Promise<Found> => {
  try {
    const { total, users } = await runScript(work, site, 'users', { answer: Answer, question })
    return { total, items: users }
  } catch (error) {
    if (!(error instanceof NoScriptAnswer)) throw error
    throw new Problem('conflict', `WordPress on ${site.slug} doesn't start, so its users can't be listed.`)
  }
}
