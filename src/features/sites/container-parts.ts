import type { SiteContainerPart } from './hooks.ts'

/** What all features add to a container. Two that want the same mount or variable exclude each other. */
export const mergeContainerParts = (parts: readonly SiteContainerPart[]): SiteContainerPart => {
  const mounts = parts.flatMap(part => part.mounts ?? [])
  const env = parts.flatMap(part => Object.entries(part.env ?? {}))
  refuseTwice(
    'mount',
    mounts.map(mount => mount.target),
  )
  refuseTwice(
    'variable',
    env.map(([name]) => name),
  )
  return { mounts, env: Object.fromEntries(env) }
}

const refuseTwice = (what: string, names: readonly string[]): void => {
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice !== undefined) throw new Error(`two features set the ${what} ${twice} of a site`)
}
