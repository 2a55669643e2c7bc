import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { installKind, linkOf } from '#features/system/index.ts'
import type { Config } from '#platform/config/config.ts'
import { Failure } from '../failure.ts'
import { NODE, PANEL_WORDS, ROOT } from '../repository.ts'
import type { Started } from './detached.ts'
import { configuredVariables } from './environment.ts'
import { writeRecord } from './record.ts'

export const UNIT = 'fleetpress.service'
const UNIT_FILE = `/etc/systemd/system/${UNIT}`

/** Whether systemd is the first process of this machine and this user may give it work. */
export const hasSystemd = (): boolean => existsSync('/run/systemd/system') && process.getuid?.() === 0

/** A word of a unit file: systemd reads quotes, backslashes, % and (in commands) $ in its own way. */
const quoted = (word: string): string => `"${word.replace(/[\\"]/g, '\\$&').replaceAll('%', '%%')}"`

const dataLine = (dataDir: string): string => `Environment=${quoted(`FLEETPRESS_DATA=${dataDir}`)}`

const variablesFile = (dataDir: string): string => join(dataDir, 'panel.env')

/** Where an update unpacks the next version and sets the link; only an install from a release has it. */
const updatedFolders = (): string[] => (installKind(ROOT) === 'release' ? [dirname(linkOf(ROOT))] : [])

/**
 * The panel installs packages and runs docker, nft and ssh as root on its own machine, so the file system stays
 * writable and privileges are kept; the rest is closed.
 */
export const unitText = (dataDir: string): string => `[Unit]
Description=Fleetpress control panel
After=network-online.target docker.service postgresql.service
Wants=network-online.target

[Service]
Type=exec
WorkingDirectory=${ROOT.replaceAll('%', '%%')}
${dataLine(dataDir)}
EnvironmentFile=-${variablesFile(dataDir).replaceAll('%', '%%')}
ExecStart=${[NODE, ...PANEL_WORDS].map(word => quoted(word).replaceAll('$', '$$$$')).join(' ')}
Restart=on-failure
RestartSec=2
RestartPreventExitStatus=78
TimeoutStopSec=30
KillMode=mixed
LimitNOFILE=65536
OOMScoreAdjust=-500
NoNewPrivileges=no
ProtectHome=read-only
ReadWritePaths=${[dataDir, ...updatedFolders()].map(quoted).join(' ')}
ProtectKernelLogs=yes
LockPersonality=yes
RestrictRealtime=yes
SystemCallArchitectures=native
KeyringMode=private

[Install]
WantedBy=multi-user.target
`

/** A line of an EnvironmentFile; there is no way to write a line end, and no variable of the panel needs one. */
export const variableLine = (name: string, value: string): string =>
  `${name}="${value.replace(/[\r\n]/g, ' ').replace(/[\\"`$]/g, '\\$&')}"\n`

const systemctl = (...words: string[]): string => {
  const done = spawnSync('systemctl', words, { encoding: 'utf8', timeout: 90_000 })
  if (done.status === 0) return done.stdout
  throw new Failure(
    `systemctl ${words.join(' ')} failed (${(done.stderr || String(done.error ?? '')).trim()}): see \`journalctl -u ${UNIT}\`, or start the panel with \`./fleetpress up --detached\`.`,
  )
}

const readUnit = (): string => (existsSync(UNIT_FILE) ? readFileSync(UNIT_FILE, 'utf8') : '')

/** The unit belongs to one data folder; a second panel on the machine must not take it over. */
export const isUnitOf = (dataDir: string): boolean => readUnit().split('\n').includes(dataLine(dataDir))

/** The main process of the unit while it runs for this data folder. */
export const findUnitPid = (dataDir: string): number | undefined => {
  if (!existsSync('/run/systemd/system') || !isUnitOf(dataDir)) return undefined
  const shown = systemctl('show', UNIT, '--property=MainPID', '--value')
  return Number(shown.trim()) || undefined
}

/** Failed permanently, or already on its next try, which would end the same way. */
const hasFailed = (): boolean => {
  const shown = systemctl('show', UNIT, '--property=ActiveState,NRestarts').split('\n')
  return shown.includes('ActiveState=failed') || !shown.includes('NRestarts=0')
}

/** The last lines systemd kept of it since a moment. */
const unitLog = (since: number, lines: number): string => {
  const words = ['-u', UNIT, '-n', String(lines), `--since=@${since / 1000}`, '--no-pager', '-o', 'cat']
  return spawnSync('journalctl', words, { encoding: 'utf8' }).stdout ?? ''
}

export const startUnit = (config: Config, fingerprint: string): Started => {
  const { dataDir } = config
  if (readUnit() !== '' && !isUnitOf(dataDir)) {
    throw new Failure(
      `${UNIT} already belongs to the panel of another data folder: start this one with \`./fleetpress up --detached\`.`,
    )
  }
  const lines = configuredVariables(process.env).map(([name, value]) => variableLine(name, value))
  writeFileSync(variablesFile(dataDir), lines.join(''), { mode: 0o600 })
  writeFileSync(UNIT_FILE, unitText(dataDir), { mode: 0o644 })
  const startedAt = Date.now()
  systemctl('daemon-reload')
  systemctl('enable', UNIT)
  systemctl('restart', UNIT)
  const pid = findUnitPid(dataDir) ?? 0
  writeRecord(config, pid, fingerprint)
  return { pid, isLost: hasFailed, lastLines: () => unitLog(startedAt, 20) }
}

export const stopUnit = (): void => void systemctl('stop', UNIT)
