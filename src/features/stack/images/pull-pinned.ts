import { findImage, pullImage, tagImage } from '#drivers/docker/images.ts'
import { FileNotFound } from '#platform/host/errors.ts'
import type { Host } from '#platform/host/host.ts'
import { dockerOf } from '../docker-of.ts'
import type { Progress } from './debian.ts'

const PIN = /^sha256:[0-9a-f]{64}$/

interface Published {
  /** With its registry, where that is not the usual one. */
  readonly name: string
  readonly tag: string
  /** What the image is called here. */
  readonly ref: string
  readonly dataDir: string
}

/**
 * Pulls an image by its tag the first time, and by the digest it then had ever after: a tag may be pointed to anything,
 * a digest is checked by Docker. False when no registry has it.
 */
export const pullPinned = async (
  host: Host,
  { name, tag, ref, dataDir }: Published,
  { onLine, signal }: Progress,
): Promise<boolean> => {
  const docker = dockerOf(host)
  const pinFile = `${dataDir}/cache/${name.replaceAll(/[/:]/g, '-')}-${tag}.digest`
  const pinned = await readPin(host, pinFile)
  const wanted = pinned === undefined ? `${name}:${tag}` : `${name}@${pinned}`
  if (!(await pullImage(docker, wanted, { signal, ...(onLine && { onLine }) }))) return false
  const image = await findImage(docker, wanted, { signal })
  const digest = image?.digests.find(one => one.startsWith(`${name}@`))?.slice(name.length + 1) ?? ''
  if (image === undefined || !PIN.test(digest)) return false
  if (pinned === undefined) await writePin(host, `${dataDir}/cache`, pinFile, digest)
  // By its id: the tag may point to another one by now.
  await tagImage(docker, image.id, ref, { signal })
  onLine?.(`${name}:${tag} is ${digest}.`)
  return true
}

const writePin = async (host: Host, folder: string, file: string, digest: string): Promise<void> => {
  await host.makeDir(folder)
  await host.writeFile(file, `${digest}\n`, { mode: 0o644 })
}

const readPin = async (host: Host, file: string): Promise<string | undefined> => {
  try {
    const pin = (await host.readFile(file)).toString().trim()
    return PIN.test(pin) ? pin : undefined
  } catch (error) {
    if (error instanceof FileNotFound) return undefined
    throw error
  }
}
