import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { EdgeRunner } from '#drivers/nginx/apply-edge.ts'
import { readEdgeGeneration } from '#drivers/nginx/edge-generation.ts'
import type { EdgeCertificate, EdgeSettings } from '#drivers/nginx/edge-settings.ts'
import type { EdgeFolder } from '#drivers/nginx/generations.ts'
import { exec } from '#platform/host/command.ts'
import type { Host } from '#platform/host/host.ts'
import { LocalHost } from '#platform/host/local-host.ts'
import { exampleEdge } from './example-values.ts'

/** A real nginx in a folder and on ports of its own; it runs once something has been applied. */
export interface RealNginx {
  readonly folder: EdgeFolder
  readonly edge: EdgeSettings
  readonly runner: EdgeRunner
  /** For these names, not signed by any authority. */
  readonly certificate: EdgeCertificate
  /** All of the configuration as nginx itself reads it. */
  dump(generationPath: string): Promise<string>
  stop(): Promise<void>
}

export interface Ports {
  readonly httpPort: number
  readonly httpsPort: number
}

export const realNginx = async (ports: Ports, names: readonly string[]): Promise<RealNginx> => {
  const host = new LocalHost()
  const path = await mkdtemp(join(tmpdir(), 'fleetpress-nginx-'))
  for (const name of ['', 'acme', 'log', 'temp', 'generations']) await host.makeDir(join(path, name))
  const program = await nginxProgram(host, path)
  const edge = settingsIn(path, ports, await knowsHttp2(host, program))
  const nginx = (configuration: string, ...words: string[]) =>
    exec(program, '-p', path, '-e', `${path}/log/error.log`, '-c', `${configuration}/nginx.conf`, ...words)
  const isRunning = () => host.run(exec('test', '-s', edge.pidFile), { allowExitCodes: [1] })
  const runner: EdgeRunner = {
    test: async generationPath => {
      const { exitCode, stderr } = await host.run(nginx(generationPath, '-t'), { allowExitCodes: [1] })
      return { ok: exitCode === 0, output: stderr }
    },
    reload: async () => {
      const { exitCode } = await isRunning()
      await host.run(nginx(`${path}/current`, ...(exitCode === 0 ? ['-s', 'reload'] : [])))
    },
    generation: () => readEdgeGeneration(host, edge.httpPort),
  }
  return {
    folder: { host, path },
    edge,
    runner,
    certificate: await selfSigned(host, path, names),
    dump: async generationPath => (await host.run(nginx(generationPath, '-T'))).stdout,
    stop: async () => {
      if ((await isRunning()).exitCode === 0) await endMaster(host, edge.pidFile)
      await rm(path, { recursive: true, force: true })
    },
  }
}

const knowsHttp2 = async (host: Host, program: string): Promise<boolean> => {
  const { stderr } = await host.run(exec(program, '-v'))
  const [, major = 0, minor = 0] = /nginx\/(\d+)\.(\d+)/.exec(stderr) ?? []
  return Number(major) > 1 || Number(minor) > 25
}

const settingsIn = (path: string, ports: Ports, http2: boolean): EdgeSettings => ({
  ...exampleEdge,
  ...ports,
  http2,
  ipv6: false,
  pidFile: `${path}/nginx.pid`,
  tempFolder: `${path}/temp`,
  logFolder: `${path}/log`,
  acmeFolder: `${path}/acme`,
  trustedProxies: ['127.0.0.9'],
})

/** The machine's own, else the unpacked package: installing it would start a web server. */
const nginxProgram = async (host: Host, path: string): Promise<string> => {
  const { exitCode } = await host.run(exec('test', '-x', '/usr/sbin/nginx'), { allowExitCodes: [1] })
  if (exitCode === 0) return '/usr/sbin/nginx'
  await host.makeDir(`${path}/package`)
  const download = () => host.run(exec('apt-get', 'download', '-q', 'nginx'), { cwd: `${path}/package` })
  await download().catch(async () => {
    await host.run(exec('apt-get', 'update', '-q'))
    await download()
  })
  const [archive] = await host.listDir(`${path}/package`)
  await host.run(exec('dpkg-deb', '-x', `${path}/package/${archive?.name}`, `${path}/package`))
  return `${path}/package/usr/sbin/nginx`
}

const selfSigned = async (host: Host, path: string, names: readonly string[]): Promise<EdgeCertificate> => {
  const certificate = { chain: `${path}/chain.pem`, key: `${path}/key.pem` }
  const subject = ['-subj', '/CN=test', '-addext', `subjectAltName=${names.map(name => `DNS:${name}`).join()}`]
  const files = ['-keyout', certificate.key, '-out', certificate.chain]
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']
  await host.run(exec('openssl', 'req', '-x509', '-days', '2', ...key, ...subject, ...files))
  return certificate
}

const endMaster = async (host: Host, pidFile: string): Promise<void> => {
  const pid = (await host.readFile(pidFile)).toString().trim()
  await host.run(exec('kill', '-TERM', pid))
  // Workers that still wait for a connection are ended by the master before it ends itself.
  await host.run(exec('timeout', '10', 'tail', `--pid=${pid}`, '-f', '/dev/null'), { allowExitCodes: [124] })
}
