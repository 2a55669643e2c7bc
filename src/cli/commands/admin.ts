import { readConfig } from '#platform/config/config.ts'
import { plainLine } from '../plain-text.ts'
import { out, say } from '../terminal.ts'

export const resetOwner = async (): Promise<void> => {
  const { resetAdmin } = await import('#app/local.ts')
  const { link, kind, email } = await resetAdmin(readConfig(process.env))
  const purpose =
    kind === 'setup'
      ? 'Nobody has an account yet. Open this link once to make the owner:'
      : `The second factor of ${plainLine(email ?? 'the owner')} is off now. Open this link once to choose a new password:`
  say(purpose)
  out(link)
}
