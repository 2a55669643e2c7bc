import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Secret } from '#platform/host/secret.ts'
import type { SshTarget } from '#platform/host/ssh/ssh-host.ts'
import { freePort } from './ports.ts'

type KeyType = 'ed25519' | 'ecdsa' | 'rsa'

export interface Sshd {
  readonly port: number
  readonly folder: string
  readonly privateKeyFile: string
  /** `ssh-ed25519 AAAA…`, or that of another type it was given. */
  hostKey(type?: KeyType): string
  /** How the panel reaches it, trusting whatever was pinned before. */
  target(changes?: Partial<SshTarget>): SshTarget
  /** Ends the server and every connection it has. */
  kill(): Promise<void>
  start(): Promise<void>
  stop(): Promise<void>
}

export interface SshdOptions {
  readonly keyTypes?: readonly KeyType[]
  readonly lines?: readonly string[]
}

/** A real sshd of this test's own on the loopback, that lets no one in but the key it made. */
export const startSshd = async ({ keyTypes = ['ed25519'], lines = [] }: SshdOptions = {}): Promise<Sshd> => {
  const folder = mkdtempSync(join(tmpdir(), 'fleetpress-sshd-'))
  const port = await freePort()
  const inFolder = (name: string) => join(folder, name)
  // Others must be able to come by, and sshd's own rules about folders do not fit a folder in /tmp.
  chmodSync(folder, 0o755)
  mkdirSync(inFolder('home'))
  mkdirSync('/run/sshd', { recursive: true, mode: 0o755 })
  for (const type of keyTypes) makeKey(inFolder(`host_${type}`), type)
  makeKey(inFolder('login'), 'ed25519')
  writeFileSync(inFolder('authorized_keys'), readFileSync(inFolder('login.pub')))
  writeFileSync(inFolder('config'), configText(folder, port, keyTypes, lines))
  let child: ChildProcess | undefined
  const start = async () => {
    child = spawn('/usr/sbin/sshd', ['-D', '-E', inFolder('log'), '-f', inFolder('config')], { stdio: 'ignore' })
    await listens(port, inFolder('log'))
  }
  const kill = async () => {
    const listener = child
    child = undefined
    if (listener?.pid === undefined || listener.exitCode !== null) return
    const connections = childrenOf(listener.pid)
    listener.kill('SIGKILL')
    await once(listener, 'exit')
    for (const pid of connections) end(pid)
  }
  const stop = async () => {
    await kill()
    rmSync(folder, { recursive: true, force: true })
  }
  const hostKey = (type: KeyType = 'ed25519') =>
    readFileSync(inFolder(`host_${type}.pub`), 'utf8')
      .split(' ')
      .slice(0, 2)
      .join(' ')
      .trim()
  const pinned = pinnedKey()
  const target = (changes: Partial<SshTarget> = {}): SshTarget => ({
    address: '127.0.0.1',
    port,
    user: userInfo().username,
    privateKey: new Secret(readFileSync(inFolder('login'), 'utf8')),
    ...pinned(),
    ...changes,
  })
  await start()
  return { port, folder, privateKeyFile: inFolder('login'), hostKey, target, kill, start, stop }
}

const pinnedKey = () => {
  let key: string | null = null
  const pin = async (hostKey: string) => {
    key = hostKey
  }
  return () => ({ hostKey: key, pin })
}

const makeKey = (file: string, type: KeyType): void => {
  execFileSync('ssh-keygen', ['-q', '-t', type, '-N', '', '-f', file], { stdio: 'ignore' })
}

const configText = (folder: string, port: number, keyTypes: readonly KeyType[], lines: readonly string[]): string =>
  [
    ...lines,
    `Port ${port}`,
    'ListenAddress 127.0.0.1',
    ...keyTypes.map(type => `HostKey ${folder}/host_${type}`),
    `PidFile ${folder}/pid`,
    `AuthorizedKeysFile ${folder}/authorized_keys`,
    'StrictModes no',
    'PermitRootLogin prohibit-password',
    'PasswordAuthentication no',
    'KbdInteractiveAuthentication no',
    'UsePAM no',
    'UseDNS no',
    'MaxStartups 100',
    'Subsystem sftp internal-sftp',
    // The startup files of anyone who runs the tests are none of their business.
    `SetEnv HOME=${folder}/home`,
    '',
  ].join('\n')

const listens = async (port: number, log: string): Promise<void> => {
  const deadline = performance.now() + 10_000
  while (!(await answers(port))) {
    if (performance.now() > deadline) throw new Error(`sshd does not start:\n${readFileSync(log, 'utf8')}`)
    await delay(20)
  }
}

const answers = (port: number): Promise<boolean> =>
  new Promise(resolve => {
    const socket = connect(port, '127.0.0.1')
    socket.once('error', () => resolve(false))
    socket.once('data', () => {
      socket.destroy()
      resolve(true)
    })
  })

const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)

const end = (pid: number): void => {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {}
}
