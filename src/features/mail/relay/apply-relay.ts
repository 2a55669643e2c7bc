import { createHash } from 'node:crypto'
import { findContainer } from '#drivers/docker/containers.ts'
import { execIn } from '#drivers/docker/exec.ts'
import { dockerOf, OWNERS } from '#features/stack/index.ts'
import { Problem } from '#platform/contract/problem.ts'
import { FileNotFound } from '#platform/host/errors.ts'
import type { Host } from '#platform/host/host.ts'
import { withHostLock } from '#platform/host/lock.ts'
import type { Scope } from '#platform/scope.ts'
import { MAIL_FOLDER, RELAY, SETTINGS_FOLDER } from './names.ts'
import { type RelayFile, relayFiles } from './relay-files.ts'

/** What was last written, by path. */
type Manifest = Record<string, string>

const MANIFEST = `${MAIL_FOLDER}/written.json`
/** These count when Postfix is told; it and its signer look at all others for each message. */
const NEEDS_RELOAD = ['hostname', 'network', 'smarthost', 'smarthost-login']

const SENDERS = 'senders/'
const AT_ONCE = 8

interface ApplyOptions {
  /** Also writes what should be there already. */
  readonly everything?: boolean
}

/** Brings the relay of a server to what the panel says now; whether anything changed. */
export const applyRelay = (
  scope: Scope,
  serverId: number,
  { everything = false }: ApplyOptions = {},
): Promise<boolean> => {
  const host = scope.hosts.get(serverId)
  return withHostLock(host, `${MAIL_FOLDER}/lock`, async lost => {
    const files = await relayFiles(scope, serverId)
    const before = await readManifest(host)
    const after = Object.fromEntries([...files].map(([path, file]) => [path, hashOf(file)]))
    const changed = [...files].filter(([path]) => everything || before[path] !== after[path])
    const gone = Object.keys(before).filter(path => !files.has(path))
    if (changed.length + gone.length === 0) return false
    lost.throwIfAborted()
    await writeFiles(host, changed)
    for (const path of gone) await host.removeFile(`${SETTINGS_FOLDER}/${path}`)
    await host.writeFile(MANIFEST, JSON.stringify(after), { mode: 0o600 })
    if (changed.some(([path]) => NEEDS_RELOAD.includes(path))) await reload(host)
    return true
  })
}

/** A file that names a key comes after it, so only those of sites are written next to each other. */
const writeFiles = async (host: Host, files: readonly (readonly [string, RelayFile])[]): Promise<void> => {
  // A server that was set up before it had a relay is given what it will read.
  for (const folder of new Set(files.map(([path]) => path.split('/').slice(0, -1).join('/'))))
    await host.makeDir(
      `${SETTINGS_FOLDER}/${folder}`,
      folder.startsWith('keys/') ? { mode: 0o700, owner: OWNERS.signer } : {},
    )
  const write = ([path, { content, ...options }]: readonly [string, RelayFile]) =>
    host.writeFile(`${SETTINGS_FOLDER}/${path}`, content, options)
  const ofSites = files.filter(([path]) => path.startsWith(SENDERS))
  for (const file of files) if (!file[0].startsWith(SENDERS)) await write(file)
  for (let at = 0; at < ofSites.length; at += AT_ONCE) await Promise.all(ofSites.slice(at, at + AT_ONCE).map(write))
}

const hashOf = ({ content, mode }: RelayFile): string =>
  createHash('sha256').update(`${mode} `).update(content.reveal()).digest('hex')

const readManifest = async (host: Host): Promise<Manifest> => {
  try {
    return JSON.parse((await host.readFile(MANIFEST)).toString()) as Manifest
  } catch (error) {
    if (error instanceof FileNotFound || error instanceof SyntaxError) return {}
    throw error
  }
}

/** Messages that wait stay. A relay that does not run reads all of it when it starts. */
const reload = async (host: Host): Promise<void> => {
  const docker = dockerOf(host)
  if ((await findContainer(docker, RELAY))?.state !== 'running') return
  const { exitCode, stderr } = await execIn(docker, RELAY, ['configure-mail', 'reload'])
  if (exitCode !== 0) throw new Problem('bad_gateway', 'The relay did not accept its settings.', stderr)
}
