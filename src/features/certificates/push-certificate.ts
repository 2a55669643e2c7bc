import { exec } from '#platform/host/command.ts'
import { FileNotFound } from '#platform/host/errors.ts'
import type { Host } from '#platform/host/host.ts'
import { withHostLock } from '#platform/host/lock.ts'
import type { Secret } from '#platform/host/secret.ts'
import { SHELL } from '#platform/host/shell-text.ts'

export interface Certificate {
  id: string
  serial: string
  chainPem: string
  key: Secret
}

export interface Pushed {
  serial: string
  /** False when it was there already. */
  isNew: boolean
}

const certsDir = (rootDir: string) => `${rootDir}/edge/certs`
const lockOf = (rootDir: string) => `${certsDir(rootDir)}/.lock`
const CHAIN = 'fullchain.pem'
const KEY = 'key.pem'
/**
 * Words: the version's path, its name, the link to it. Renaming replaces the link in one step; making a link over an
 * existing one would leave a moment without any.
 */
const SWITCH = `ln -sfn -- "$1" "$0.link" && mv -T -- "$0.link" "$2"`

/** Every version is a hidden folder of its own; `certs/<id>` is a link to the one in use. */
const versionsOf = (id: string) => `.${id}.`

/**
 * Puts the chain and its key in place together: a reader finds the old pair or the new one. The certificate is read
 * under a lock on the server, so an older one never replaces a newer one. Undefined when there is none.
 */
export const pushCertificate = (
  host: Host,
  rootDir: string,
  read: () => Promise<Certificate | undefined>,
): Promise<Pushed | undefined> =>
  withHostLock(host, lockOf(rootDir), async lost => {
    const certificate = await read()
    if (!certificate) return undefined
    const { id, serial } = certificate
    const version = `${versionsOf(id)}${serial}`
    const isNew = !(await holds(host, `${certsDir(rootDir)}/${id}`, certificate))
    lost.throwIfAborted()
    if (isNew) await place(host, certsDir(rootDir), version, certificate)
    await removeVersions(host, rootDir, id, version)
    return { serial, isNew }
  })

const place = async (
  host: Host,
  folder: string,
  version: string,
  { id, chainPem, key }: Certificate,
): Promise<void> => {
  await host.makeDir(`${folder}/${version}`)
  await host.writeFile(`${folder}/${version}/${CHAIN}`, chainPem, { mode: 0o644 })
  await host.writeFile(`${folder}/${version}/${KEY}`, key, { mode: 0o600 })
  await host.run(exec(...SHELL, SWITCH, `${folder}/${version}`, version, `${folder}/${id}`))
}

/** Harmless when there is none. */
export const unpushCertificate = (host: Host, rootDir: string, id: string): Promise<void> =>
  withHostLock(host, lockOf(rootDir), async () => {
    await host.removeFile(`${certsDir(rootDir)}/${id}`)
    await removeVersions(host, rootDir, id)
  })

const NAME = /^\.?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:\.|$)/

/** The ids of all certificates that are on the server, those that were only put there in part included. */
export const listPushed = async (host: Host, rootDir: string): Promise<string[]> => {
  const ids = (await entriesOf(host, rootDir)).flatMap(({ name }) => NAME.exec(name)?.[1] ?? [])
  return [...new Set(ids)]
}

const entriesOf = (host: Host, rootDir: string) =>
  host.listDir(certsDir(rootDir)).catch((error: unknown) => {
    if (error instanceof FileNotFound) return []
    throw error
  })

const holds = async (host: Host, folder: string, { chainPem, key }: Certificate): Promise<boolean> => {
  try {
    const [chain, kept] = [await host.readFile(`${folder}/${CHAIN}`), await host.readFile(`${folder}/${KEY}`)]
    return chain.toString() === chainPem && kept.toString() === key.reveal()
  } catch (error) {
    if (error instanceof FileNotFound) return false
    throw error
  }
}

/** All of them, or all but one. */
const removeVersions = async (host: Host, rootDir: string, id: string, but?: string): Promise<void> => {
  const folder = certsDir(rootDir)
  const old = (await entriesOf(host, rootDir)).filter(({ name }) => name.startsWith(versionsOf(id)) && name !== but)
  if (old.length > 0) await host.run(exec('rm', '-rf', '--', ...old.map(({ name }) => `${folder}/${name}`)))
}
