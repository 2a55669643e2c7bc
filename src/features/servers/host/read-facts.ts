import { exec } from '#platform/host/command.ts'
import type { Host } from '#platform/host/host.ts'
import { cleanLine } from '#platform/log/clean-line.ts'

/** What a machine says about itself. Nothing of it is trusted: what does not look right is null. */
export interface Facts {
  readonly hostname: string | null
  /** `debian`, from os-release. */
  readonly system: string | null
  /** `12`, from os-release. */
  readonly systemVersion: string | null
  readonly os: string | null
  readonly kernel: string | null
  readonly arch: string | null
  readonly cpus: number | null
  readonly memTotalBytes: number | null
  readonly memAvailableBytes: number | null
  readonly load1: number | null
  readonly uptimeSeconds: number | null
}

const TIMEOUT_MS = 15_000
const LONGEST = 200

/** Everything at once, so that a far server costs one round trip. */
export const readFacts = async (host: Host, signal?: AbortSignal): Promise<Facts> => {
  const run = (program: string, ...words: string[]) =>
    host.run(exec(program, ...words), { timeoutMs: TIMEOUT_MS, maxOutputBytes: 65_536, signal })
  const [files, uname, nproc] = await Promise.all([
    run('cat', '/etc/os-release', '/proc/meminfo', '/proc/loadavg', '/proc/uptime'),
    run('uname', '-nrm'),
    run('nproc'),
  ])
  return parseFacts({ files: files.stdout, uname: uname.stdout, nproc: nproc.stdout })
}

export const parseFacts = ({ files, uname, nproc }: Record<'files' | 'uname' | 'nproc', string>): Facts => {
  const lines = files.split('\n')
  const [hostname, kernel, arch] = uname.trim().split(' ')
  const [load, uptime] = lines.filter(line => /^\d+\.\d\d \d+\.\d\d( |$)/.test(line))
  return {
    hostname: text(hostname),
    system: setting(lines, 'ID'),
    systemVersion: setting(lines, 'VERSION_ID'),
    os: setting(lines, 'PRETTY_NAME'),
    kernel: text(kernel),
    arch: text(arch),
    cpus: count(nproc.trim()),
    memTotalBytes: kibibytes(lines, 'MemTotal'),
    memAvailableBytes: kibibytes(lines, 'MemAvailable'),
    load1: decimal(load),
    uptimeSeconds: decimal(uptime),
  }
}

const text = (value: string | undefined): string | null => (value ? cleanLine(value, LONGEST) : null)

/** One line of os-release, without its quotes. */
const setting = (lines: readonly string[], name: string): string | null =>
  text(
    lines
      .find(line => line.startsWith(`${name}=`))
      ?.slice(name.length + 1)
      .replace(/^["']|["']$/g, ''),
  )

const count = (digits: string | undefined): number | null =>
  digits !== undefined && /^\d{1,15}$/.test(digits) ? Number(digits) : null

const kibibytes = (lines: readonly string[], name: string): number | null => {
  const value = count(lines.find(line => line.startsWith(`${name}:`))?.match(/^\w+: +(\d+) kB$/)?.[1])
  return value === null ? null : value * 1024
}

const decimal = (line: string | undefined): number | null => {
  const first = line?.split(' ')[0]
  return first === undefined ? null : Number(first)
}
