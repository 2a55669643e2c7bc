import type { AnyJobType } from './job-type.ts'

export interface JobRegistry {
  readonly all: readonly AnyJobType[]
  find(type: string): AnyJobType | undefined
}

export const jobRegistry = (types: readonly AnyJobType[]): JobRegistry => {
  const byName = new Map<string, AnyJobType>()
  for (const type of types) {
    if (byName.has(type.type)) throw new Error(`two job types are called ${type.type}`)
    byName.set(type.type, type)
  }
  return { all: [...byName.values()], find: type => byName.get(type) }
}
