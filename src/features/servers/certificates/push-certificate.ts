import { exec } from '#platform/host/command.ts'
import { FileNotFound } from '#platform/host/errors.ts'
import type { Host } from '#platform/host/host.ts'
import type { Secret } from '#platform/host/secret.ts'
import { SHELL } from '#platform/host/shell-text.ts'

export interface Pushed {
  id: string
  serial: string
  chainPem: string
  key: Secret
}

const certsDir = (rootDir: string) => `${rootDir}/edge/certs`
const CHAIN = 'fullchain.pem'
const KEY = 'key.pem'
/** On its way to become `certs/<id>`. */
const LINK = '.link'
/**
 * Words: what the link is called until then, where it leads, what it becomes. Renaming is what switches in one step;
 * making a link over an existing one would leave a moment without any.
 */
const SWITCH = `ln -sfn -- "$1" "$0.$$${LINK}" && mv -T -- "$0.$$${LINK}" "$2"`

/** Every version is a hidden folder of its own; `certs/<id>` is a link to the one in use. */
const versionsOf = (id: string) => `.${id}.`

/**
 * Puts the chain and its key in place together: whoever opens the folder finds the old pair or the new one. False when
 * they were there already. A job and the renewer may bring the same one at the same time.
 */
export const pushCertificate = async (host: Host, rootDir: string, pushed: Pushed): Promise<boolean> => {
  const version = `${versionsOf(pushed.id)}${pushed.serial}`
  const isNew = !(await holds(host, `${certsDir(rootDir)}/${pushed.id}`, pushed))
  if (isNew) await place(host, certsDir(rootDir), version, pushed)
  await removeVersions(host, rootDir, pushed.id, version)
  return isNew
}

const place = async (host: Host, folder: string, version: string, { id, chainPem, key }: Pushed): Promise<void> => {
  await host.makeDir(`${folder}/${version}`)
  await host.writeFile(`${folder}/${version}/${CHAIN}`, chainPem, { mode: 0o644 })
  await host.writeFile(`${folder}/${version}/${KEY}`, key, { mode: 0o600 })
  await host.run(exec(...SHELL, SWITCH, `${folder}/${version}`, version, `${folder}/${id}`))
}

/** Harmless when there is none. */
export const unpushCertificate = async (host: Host, rootDir: string, id: string): Promise<void> => {
  await host.removeFile(`${certsDir(rootDir)}/${id}`)
  await removeVersions(host, rootDir, id)
}

const holds = async (host: Host, folder: string, { chainPem, key }: Pushed): Promise<boolean> => {
  try {
    const [chain, kept] = [await host.readFile(`${folder}/${CHAIN}`), await host.readFile(`${folder}/${KEY}`)]
    return chain.toString() === chainPem && kept.toString() === key.reveal()
  } catch (error) {
    if (error instanceof FileNotFound) return false
    throw error
  }
}

/** All of them, or all but one and whatever another panel is just putting in place. */
const removeVersions = async (host: Host, rootDir: string, id: string, but?: string): Promise<void> => {
  const folder = certsDir(rootDir)
  const entries = await host.listDir(folder).catch((error: unknown) => {
    if (error instanceof FileNotFound) return []
    throw error
  })
  const isKept = (name: string) => but !== undefined && (name === but || name.endsWith(LINK))
  const old = entries.filter(({ name }) => name.startsWith(versionsOf(id)) && !isKept(name))
  if (old.length > 0) await host.run(exec('rm', '-rf', '--', ...old.map(({ name }) => `${folder}/${name}`)))
}
