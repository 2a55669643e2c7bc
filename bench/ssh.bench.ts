import { execFileSync } from 'node:child_process'
import { createReadStream, mkdtempSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { exec } from '#platform/host/command.ts'
import { assertNativeCrypto } from '#platform/host/ssh/native-crypto.ts'
import { SshHost } from '#platform/host/ssh/ssh-host.ts'
import { type Sshd, startSshd } from '#test/support/sshd.ts'
import { median, report } from './report.ts'

const ROUNDS = 3
const COMMANDS = 200
/** A login takes so long that fewer of them tell as much. */
const LOGINS = 15
const UPLOAD_MIB = 1024

const flagsOf = (options: Record<string, string | number>): string[] =>
  Object.entries(options).flatMap(([name, value]) => ['-o', `${name}=${value}`])

const ordinaryFlags = ({ port, privateKeyFile }: Sshd): string[] => [
  '-F',
  'none',
  ...flagsOf({
    Port: port,
    IdentityFile: privateKeyFile,
    LogLevel: 'ERROR',
    StrictHostKeyChecking: 'no',
    UserKnownHostsFile: '/dev/null',
  }),
]

const sharedFlags = (sshd: Sshd): string[] => [
  ...ordinaryFlags(sshd),
  ...flagsOf({ ControlMaster: 'auto', ControlPath: `${sshd.folder}/control`, ControlPersist: 120 }),
]

/** In a loop of the shell, so that the peer does not pay for being started from here. */
const loop = (times: number, flags: string[]): number => {
  const script = 'times=$0; while [ $times -gt 0 ]; do ssh "$@" root@127.0.0.1 true || exit; times=$((times - 1)); done'
  const began = performance.now()
  execFileSync('bash', ['-c', script, String(times), ...flags], { stdio: ['ignore', 'ignore', 'inherit'] })
  return (times * 1000) / (performance.now() - began)
}

const ours = async (host: SshHost): Promise<number> => {
  const began = performance.now()
  for (let count = 0; count < COMMANDS; count += 1) await host.run(exec('true'))
  return (COMMANDS * 1000) / (performance.now() - began)
}

const timed = async (act: () => Promise<void> | void): Promise<number> => {
  const began = performance.now()
  await act()
  return (UPLOAD_MIB * 1000) / (performance.now() - began)
}

const assertWhole = (file: string): void => {
  if (statSync(file).size !== UPLOAD_MIB * 1024 * 1024) throw new Error(`${file} was not sent as a whole`)
}

assertNativeCrypto()
const sshd = await startSshd()
// In memory, so that no disk decides.
const folder = mkdtempSync('/dev/shm/fleetpress-bench-')
const host = new SshHost({ name: 'server 2', target: async () => sshd.target() })
try {
  const figures: Record<'ours' | 'shared' | 'fresh' | 'upload' | 'put', number[]> = {
    ours: [],
    shared: [],
    fresh: [],
    upload: [],
    put: [],
  }
  await host.run(exec('true'))
  loop(1, sharedFlags(sshd))
  for (let round = 0; round < ROUNDS; round += 1) {
    figures.shared.push(loop(COMMANDS, sharedFlags(sshd)))
    figures.ours.push(await ours(host))
    figures.fresh.push(loop(LOGINS, ordinaryFlags(sshd)))
  }
  const source = join(folder, 'source')
  execFileSync('dd', ['if=/dev/urandom', `of=${source}`, 'bs=1M', `count=${UPLOAD_MIB}`, 'status=none'])
  for (let round = 0; round < ROUNDS; round += 1) {
    const put = `put ${source} ${folder}/put\n`
    figures.put.push(
      await timed(() => {
        execFileSync('sftp', [...sharedFlags(sshd), '-b', '-', 'root@127.0.0.1'], { input: put, stdio: 'pipe' })
      }),
    )
    figures.upload.push(await timed(() => host.upload(createReadStream(source), `${folder}/upload`)))
    for (const name of ['put', 'upload']) assertWhole(join(folder, name))
  }
  const commands = { unit: 'commands/s', ours: median(figures.ours) }
  report('ssh', [
    {
      name: `${COMMANDS} trivial commands on one server`,
      ...commands,
      peer: { name: 'ssh with ControlMaster', value: median(figures.shared) },
      limit: { atLeast: 2 },
    },
    {
      name: `${COMMANDS} trivial commands on one server`,
      ...commands,
      peer: { name: 'a new ssh each', value: median(figures.fresh) },
      limit: { atLeast: 30 },
    },
    {
      name: `upload of ${UPLOAD_MIB} MiB`,
      unit: 'MiB/s',
      ours: median(figures.upload),
      peer: { name: 'sftp put', value: median(figures.put) },
      limit: { atLeast: 0.75 },
    },
  ])
} finally {
  await host.close()
  execFileSync('ssh', [...sharedFlags(sshd), '-O', 'exit', 'root@127.0.0.1'], { stdio: 'ignore' })
  await sshd.stop()
  rmSync(folder, { recursive: true, force: true })
}
