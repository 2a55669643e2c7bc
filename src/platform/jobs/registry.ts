import type { AnyJobType } from './job-type.ts'

export interface JobRegistry {
  readonly all: readonly AnyJobType[]
  find(type: string): AnyJobType | undefined
}

const STEP_ID = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/

/** A running job finds its steps by their ids. */
const assertDistinctSteps = ({ type, steps }: AnyJobType): void => {
  const ids = new Set<string>()
  for (const { id } of steps) {
    if (!STEP_ID.test(id)) throw new Error(`${type} has a step called "${id}"; use lower case words joined with -`)
    if (ids.has(id)) throw new Error(`${type} has two steps called ${id}`)
    ids.add(id)
  }
}

export const jobRegistry = (types: readonly AnyJobType[]): JobRegistry => {
  const byName = new Map<string, AnyJobType>()
  for (const type of types) {
    if (byName.has(type.type)) throw new Error(`two job types are called ${type.type}`)
    assertDistinctSteps(type)
    byName.set(type.type, type)
  }
  return { all: [...byName.values()], find: type => byName.get(type) }
}
