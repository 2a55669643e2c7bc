import { readConfig } from '#platform/config/config.ts'
import { plainLine } from '../plain-text.ts'
import { out, say } from '../terminal.ts'

export const resetOwner = async (): Promise<void> => {
  const { resetAdmin } = await import('#app/local.ts')
  const { link, kind, email } = await resetAdmin(readConfig(process.env))
  const purpose =
    kind === 'setup'
      ? 'There is no account yet. Open this link to create the owner (works once):'
      : `The second factor of ${plainLine(email ?? 'the owner')} is now off. Open this link to set a new password (works once):`
  say(purpose)
  out(link)
}
