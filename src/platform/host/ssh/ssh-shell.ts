import type { ClientChannel, PseudoTtyOptions } from 'ssh2'
import { exitOf } from '../exit.ts'
import type { Exit, HostShell, ShellOptions } from '../host.ts'
import { channelDuplex } from './channel-duplex.ts'
import type { Connection } from './connect.ts'

/** Its own login: a terminal stays open for hours and must not take the place of commands. */
export const shellThrough = async (connection: Connection, options: ShellOptions): Promise<HostShell> => {
  const { cols, rows, signal } = options
  const pty: PseudoTtyOptions = { term: 'xterm-256color', cols, rows }
  const channel = await connection.open((client, done) => {
    if (connection.user === 'root') client.shell(pty, done)
    else client.exec('sudo -n -i', { pty }, done)
  })
  const exited = exitOfShell(channel, connection.lost)
  const kill = async () => {
    shell.destroy()
    await connection.end()
  }
  const onAbort = () => void kill()
  const onClosed = () => {
    signal?.removeEventListener('abort', onAbort)
    void connection.end()
  }
  const shell: HostShell = Object.assign(channelDuplex(channel, connection.lost, onClosed), {
    exited,
    resize: (cols: number, rows: number) => channel.setWindow(rows, cols, 0, 0),
    kill,
  })
  signal?.addEventListener('abort', onAbort, { once: true })
  if (signal?.aborted) await kill()
  signal?.throwIfAborted()
  return shell
}

/** A shell that is hung up on says nothing any more, so it counts as ended by that. */
const exitOfShell = (channel: ClientChannel, lost: AbortSignal): Promise<Exit> =>
  new Promise(resolve => {
    channel.once('exit', (exitCode: number | null, signal?: string) => resolve(exitOf(exitCode, signal ?? null)))
    lost.addEventListener('abort', () => resolve(exitOf(null, 'SIGHUP')), { once: true })
  })
