import { type Command, exec, render } from './command.ts'

/** How the panel becomes another account: as root without asking, otherwise through a sudo that never prompts. */
export type Become = 'runuser' | 'sudo'

export interface RunAs {
  readonly user?: string | undefined
  readonly cwd?: string | undefined
}

/** No startup files: bash takes a socket on stdin for a login from afar and would run the account's .bashrc. */
export const SHELL = ['/bin/bash', '--noprofile', '--norc', '-c'] as const

/** The text of a run on any host. User and folder come as words of their own around a shell that holds the command. */
export const shellText = (command: Command, { user, cwd }: RunAs, become: Become): string => {
  if (user === undefined && cwd === undefined) return render(command)
  const inner = [...SHELL, render(command)]
  const inFolder = cwd === undefined ? inner : ['env', `--chdir=${cwd}`, ...inner]
  const [program, ...words] = user === undefined ? inFolder : [...asUser(user, become), ...inFolder]
  return render(exec(program ?? '', ...words))
}

const asUser = (user: string, become: Become): string[] =>
  become === 'runuser' ? ['runuser', '-u', user, '--'] : ['sudo', '-n', '-H', '-u', user, '--']
