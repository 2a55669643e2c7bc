import { exec, render } from '../command.ts'
import { SHELL } from '../shell-text.ts'

/** What a login runs to become a shell of root's with this script, whatever shell and account the login has. */
export const loginText = (user: string, script: string, ...words: string[]): string => {
  const shell = [...SHELL, script, ...words] as const
  // Its own session, because sudo may keep the group that the login began for itself.
  return user === 'root' ? render(exec(...shell)) : render(exec('sudo', '-n', '-H', '--', 'setsid', '--wait', ...shell))
}
