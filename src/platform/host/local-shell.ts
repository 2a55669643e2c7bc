import { homedir, userInfo } from 'node:os'
import { Duplex } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import { setTimeout as delay } from 'node:timers/promises'
import type { IPty } from '@lydell/node-pty'
import { exitOf, signalName } from './exit.ts'
import type { Exit, HostShell, ShellOptions } from './host.ts'

const HANGUP_GRACE_MS = 1_000

/** The shell of the panel's own account, which is root's unless someone only tries the panel out. */
export const startLocalShell = async (
  { cols, rows, signal }: ShellOptions,
  env: Readonly<Record<string, string>>,
): Promise<HostShell> => {
  signal?.throwIfAborted()
  const { username, shell: program } = userInfo()
  const login = { ...env, USER: username, LOGNAME: username, SHELL: program ?? '/bin/bash', SHLVL: '0' }
  // Loaded with the first terminal: a panel at rest needs none of it.
  const { default: pty } = await import('@lydell/node-pty')
  const terminal = pty.spawn(login.SHELL, ['-l'], {
    name: 'xterm-256color',
    cols,
    rows,
    cwd: homedir(),
    env: login,
    encoding: null,
  })
  const exited = new Promise<Exit>(resolve => {
    terminal.onExit(({ exitCode, signal }) => resolve(exitOf(exitCode, signalName(signal))))
  })
  const kill = async () => {
    hangUp(terminal, 'SIGHUP')
    const isStubborn = await Promise.race([exited.then(() => false), delay(HANGUP_GRACE_MS, true, { ref: false })])
    if (isStubborn) hangUp(terminal, 'SIGKILL')
    await exited
    shell.destroy()
  }
  const onAbort = () => void kill()
  signal?.addEventListener('abort', onAbort, { once: true })
  void exited.then(() => signal?.removeEventListener('abort', onAbort))
  const resize = (cols: number, rows: number) => terminal.resize(cols, rows)
  const shell: HostShell = Object.assign(terminalDuplex(terminal, exited, kill), { exited, resize, kill })
  return shell
}

const terminalDuplex = (terminal: IPty, exited: Promise<Exit>, kill: () => Promise<void>): Duplex => {
  // A character that a person types may come in two pieces.
  const typed = new StringDecoder('utf8')
  const duplex = new Duplex({
    allowHalfOpen: false,
    read: () => terminal.resume(),
    write: (chunk: Buffer, _, done) => {
      terminal.write(typed.write(chunk))
      done()
    },
    destroy: (error, done) => {
      void kill()
      done(error)
    },
  })
  terminal.onData((chunk: string | Buffer) => {
    if (!duplex.push(chunk)) terminal.pause()
  })
  void exited.then(() => duplex.push(null))
  return duplex
}

/** It may have ended by itself just now. */
const hangUp = (terminal: IPty, signal: 'SIGHUP' | 'SIGKILL'): void => {
  try {
    terminal.kill(signal)
  } catch {}
}
