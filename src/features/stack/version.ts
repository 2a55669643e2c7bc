import { createHash } from 'node:crypto'
import { specHash } from '#drivers/docker/container-spec.ts'
import type { Events } from '#platform/events/events.ts'
import type { Scope } from '#platform/scope.ts'
import { diskWatchScript } from './disk-watch/ensure-disk-watch.ts'
import { type ImageRecipe, imageRef, siteImage } from './images/recipes.ts'
import { DEFAULT_PHP } from './images/stack-images.ts'
import type { StackPart } from './part.ts'
import { listImages, listParts } from './parts.ts'

/** Its limits follow from it, and they are not part of the version. */
const ANY_MACHINE = { cpus: 1, memoryBytes: 1024 ** 3 }

/** The recipes do not change while a panel runs. */
const computed = new WeakMap<Events, Promise<string>>()

/** Changes whenever this panel would set up a server differently. */
export const stackVersion = (scope: Scope): Promise<string> => {
  const version = computed.get(scope.events) ?? computeVersion(scope)
  computed.set(scope.events, version)
  return version
}

const computeVersion = async (scope: Scope): Promise<string> =>
  versionOf(await listParts(scope), await listImages(scope))

export const versionOf = async (parts: readonly StackPart[], images: readonly ImageRecipe[]): Promise<string> => {
  const hashes = await Promise.all(
    parts.map(async part => specHash(part.container(await imageRef(part.image), ANY_MACHINE))),
  )
  const refs = await Promise.all([...images, siteImage(DEFAULT_PHP)].map(imageRef))
  const all = [...hashes, ...refs, await diskWatchScript()]
  return createHash('sha256').update(all.join(' ')).digest('hex').slice(0, 16)
}
