import { z } from 'zod'
import type { SiteRow } from '#features/sites/index.ts'
import { CodedError } from '#platform/contract/known-error.ts'
import { NoScriptAnswer, runScript, type ScriptWork } from '../run-script.ts'

/** Which plugins and which theme are active, as the database has it. */
const Choices = z.record(z.string().max(100), z.base64().max(200_000))
export type Choices = z.infer<typeof Choices>

const Answer = z.object({ choices: z.preprocess(value => (Array.isArray(value) ? {} : value), Choices) })

export const readChoices = async (work: ScriptWork, site: SiteRow): Promise<Choices> =>
  (await runScript(work, site, 'choices', { answer: Answer, load: 'core' })).choices

/** Works without any plugin and theme, which may be broken. */
export const restoreChoices = async (work: ScriptWork, site: SiteRow, choices: Choices): Promise<void> => {
  await runScript(work, site, 'choices', { answer: Answer, load: 'core', question: { set: choices } })
}

const Chosen = z.object({ error: z.string().nullable() })

/** Has WordPress do it with all its hooks. */
export const choose = async (
  work: ScriptWork,
  site: SiteRow,
  question: { action: 'activate' | 'deactivate' | 'uninstall' | 'activate-theme'; item: string },
): Promise<void> => {
  const said = await runScript(work, site, 'choose', { answer: Chosen, question, load: 'admin' }).catch(error => {
    if (!(error instanceof NoScriptAnswer)) throw error
    throw new CodedError('broke', 'PHP stopped with an error.', { output: error.output })
  })
  if (said.error !== null) throw new CodedError('refused', 'WordPress refused it.', { output: said.error })
}
