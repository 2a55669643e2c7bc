import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { obscure } from '#drivers/rclone/obscure.ts'

export interface Login {
  readonly address: string
  readonly username: string
  readonly password: string
}

export interface Ended {
  readonly exitCode: number | null
  readonly output: string
}

/** The programs that people use, each in a folder of their own. */
export class FtpClients {
  readonly folder = mkdtempSync(join(tmpdir(), 'fleetpress-ftp-'))
  readonly #askpass = join(this.folder, 'askpass')

  constructor() {
    writeFileSync(this.#askpass, '#!/bin/sh\nprintf "%s\\n" "$FTP_PASSWORD"\n', { mode: 0o700 })
  }

  /** An open session: what is written to its stdin are commands. It ends when either side closes it. */
  openSftp(login: Login): ChildProcess {
    return this.#openSsh('sftp', login, `${login.username}@${login.address}`)
  }

  #openSsh(program: 'sftp' | 'scp', { password }: Login, ...words: string[]): ChildProcess {
    const options = ['StrictHostKeyChecking=no', 'UserKnownHostsFile=/dev/null', 'NumberOfPasswordPrompts=1']
    return spawn(program, ['-q', ...options.flatMap(option => ['-o', option]), '-P', '2222', ...words], {
      cwd: this.folder,
      env: {
        ...process.env,
        SSH_ASKPASS: this.#askpass,
        SSH_ASKPASS_REQUIRE: 'force',
        FTP_PASSWORD: password,
      },
    })
  }

  sftp(login: Login, ...commands: string[]): Promise<Ended> {
    const client = this.openSftp(login)
    client.stdin?.end(`${commands.join('\n')}\n`)
    return endOf(client)
  }

  /** A folder and all that is in it. */
  scp(login: Login, from: string, to: string): Promise<Ended> {
    return endOf(this.#openSsh('scp', login, '-r', from, `${login.username}@${login.address}:${to}`))
  }

  /** FTP with explicit TLS; the certificate is the server's own. */
  curl({ address, username, password }: Login, path: string, ...words: string[]): Promise<Ended> {
    const client = spawn(
      'curl',
      ['--silent', '--show-error', '--insecure', ...words, '--config', '-', `ftp://${address}${path}`],
      {
        cwd: this.folder,
      },
    )
    client.stdin.end(`user = "${username}:${password}"\n`)
    return endOf(client)
  }

  /** FTP with TLS, commands as people type them. */
  lftp({ address, username, password }: Login, ...commands: string[]): Promise<Ended> {
    const settings = ['ftp:ssl-force true', 'ftp:ssl-protect-data true', 'ssl:verify-certificate false']
    const limits = ['cmd:fail-exit true', 'net:max-retries 2', 'net:timeout 60']
    const words = [...settings, ...limits].map(setting => `set ${setting}`)
    const client = spawn('lftp', ['--norc'], { cwd: this.folder, env: { ...process.env, HOME: this.folder } })
    client.stdin.end([...words, `open -u ${username},${password} ftp://${address}`, ...commands, ''].join('\n'))
    return endOf(client)
  }

  /** `site:` in its words is the login, over either protocol. */
  rclone({ address, username, password }: Login, protocol: 'sftp' | 'ftp', ...words: string[]): Promise<Ended> {
    const remote = {
      sftp: { PORT: '2222', DISABLE_HASHCHECK: 'true', SHELL_TYPE: 'unix' },
      ftp: { PORT: '21', EXPLICIT_TLS: 'true', NO_CHECK_CERTIFICATE: 'true' },
    }[protocol]
    const common = { TYPE: protocol, HOST: address, USER: username, PASS: obscure(password) }
    const settings = Object.entries({ ...common, ...remote }).map(([key, value]) => [
      `RCLONE_CONFIG_SITE_${key}`,
      value,
    ])
    const env = { ...process.env, HOME: this.folder, RCLONE_CONFIG: '/dev/null', ...Object.fromEntries(settings) }
    return endOf(spawn('rclone', words, { cwd: this.folder, env, stdio: ['ignore', 'pipe', 'pipe'] }))
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true })
  }
}

/** What it said on both, in no particular order. */
export const endOf = async (client: ChildProcess): Promise<Ended> => {
  let output = ''
  for (const stream of [client.stdout, client.stderr])
    stream?.setEncoding('utf8').on('data', chunk => (output += chunk))
  client.stdin?.on('error', () => {})
  const [exitCode] = (await once(client, 'close')) as [number | null]
  return { exitCode, output }
}
