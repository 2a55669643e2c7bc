import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { homedir } from 'node:os'
import type { Duplex, Readable } from 'node:stream'
import { collectOutput } from './collect-output.ts'
import type { Command } from './command.ts'
import { DialFailed, HostTimeout, HostUnreachable } from './errors.ts'
import type {
  DialAddress,
  DialOptions,
  Host,
  HostShell,
  MakeDirOptions,
  ReadFileOptions,
  RunOptions,
  ShellOptions,
  StreamOptions,
  StreamResult,
  UploadOptions,
  WriteFileOptions,
} from './host.ts'
import {
  listLocalDir,
  makeLocalDir,
  openLocalFile,
  readLocalFile,
  removeLocalFile,
  replaceLocalFile,
  statLocalFile,
} from './local-files.ts'
import { startLocalShell } from './local-shell.ts'
import { startProcessGroup } from './process-group.ts'
import { refuseUnsendable } from './quote.ts'
import { Secret } from './secret.ts'
import { SHELL, shellText } from './shell-text.ts'
import { stdinFor, supervise } from './supervise.ts'

const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'
const DIAL_TIMEOUT_MS = 10_000

/** The panel's own machine, given the same text that goes to any other. */
export class LocalHost implements Host {
  readonly name: string

  constructor(name = 'local') {
    this.name = name
  }

  run(command: Command, options: RunOptions = {}) {
    return collectOutput(this, command, options)
  }

  async stream(command: Command, options: StreamOptions = {}): Promise<StreamResult> {
    const text = shellText(command, options, process.getuid?.() === 0 ? 'runuser' : 'sudo')
    const stdin = stdinFor(command, options)
    const start = () =>
      // The panel's own files are for root alone; what a command makes, a package for instance, must not be.
      startProcessGroup([...SHELL, `umask 022; ${text}`], environment()).catch(error => {
        throw new HostUnreachable(this.name, error)
      })
    return supervise({ host: this.name, text, stdin, options, start })
  }

  async dial(address: DialAddress, { timeoutMs = DIAL_TIMEOUT_MS, signal }: DialOptions = {}): Promise<Duplex> {
    signal?.throwIfAborted()
    refuseUnsendable(nameOf(address))
    const tooLate = AbortSignal.timeout(timeoutMs)
    const socket = connectTo(address)
    try {
      await once(socket, 'connect', { signal: signal === undefined ? tooLate : AbortSignal.any([tooLate, signal]) })
      return socket
    } catch (error) {
      socket.on('error', () => {}).destroy()
      signal?.throwIfAborted()
      throw tooLate.aborted ? new HostTimeout(this.name, timeoutMs) : new DialFailed(this.name, nameOf(address), error)
    }
  }

  shell(options: ShellOptions): Promise<HostShell> {
    return startLocalShell(options, environment())
  }

  readFile(path: string, { maxBytes }: ReadFileOptions = {}): Promise<Buffer> {
    return readLocalFile(path, maxBytes)
  }

  writeFile(path: string, data: string | Buffer | Secret, options: WriteFileOptions = {}): Promise<void> {
    return replaceLocalFile(path, data instanceof Secret ? data.reveal() : data, options)
  }

  upload(source: Readable, path: string, options: UploadOptions = {}): Promise<void> {
    return replaceLocalFile(path, source, options)
  }

  download(path: string): Promise<Readable> {
    return openLocalFile(path)
  }

  removeFile(path: string): Promise<void> {
    return removeLocalFile(path)
  }

  makeDir(path: string, options: MakeDirOptions = {}): Promise<void> {
    return makeLocalDir(path, options)
  }

  stat(path: string) {
    return statLocalFile(path)
  }

  listDir(path: string) {
    return listLocalDir(path)
  }
}

/** Nothing of the panel's own environment; the shell level keeps a bash inside a command from reading .bashrc. */
const environment = () => ({ PATH, LANG: 'C.UTF-8', HOME: homedir(), SHLVL: '1' })

const connectTo = (address: DialAddress): Socket =>
  'socketPath' in address
    ? connect({ path: address.socketPath })
    : connect({ host: address.host ?? '127.0.0.1', port: address.port, noDelay: true })

const nameOf = (address: DialAddress): string =>
  'socketPath' in address ? address.socketPath : `${address.host ?? '127.0.0.1'}:${address.port}`
