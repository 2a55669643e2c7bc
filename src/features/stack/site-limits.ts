import type { Limits } from '#drivers/docker/container-spec.ts'
import type { Scope } from '#platform/scope.ts'
import { siteLimitSettings } from './settings.ts'

const MIB = 1024 ** 2

/** What each site of a machine may use. More processors than there are would be refused by Docker. */
export const siteLimits = async ({ settings }: Pick<Scope, 'settings'>, machineCpus: number): Promise<Limits> => {
  const { cpus, memoryMiB, processes } = await settings.read(siteLimitSettings)
  return {
    cpus: cpus === 0 ? machineCpus : Math.min(cpus, machineCpus),
    memoryBytes: memoryMiB * MIB,
    pids: processes,
  }
}

/** For every site that has no disk limit of its own. */
export const defaultDiskLimit = async ({ settings }: Pick<Scope, 'settings'>) => {
  const { diskMiB, files } = await settings.read(siteLimitSettings)
  return { diskMiB, files }
}
