import { z } from 'zod'
import type { Cancellation, Docker } from './client.ts'

const Info = z.object({
  ServerVersion: z.string(),
  Driver: z.string(),
  CgroupVersion: z.string().default('1'),
  DockerRootDir: z.string(),
  NCPU: z.number(),
  MemTotal: z.number(),
  LiveRestoreEnabled: z.boolean().default(false),
})

export interface EngineInfo {
  readonly version: string
  readonly storageDriver: string
  readonly cgroupVersion: string
  readonly rootDir: string
  readonly cpus: number
  readonly memoryBytes: number
  /** Whether containers continue while the engine itself restarts. */
  readonly liveRestore: boolean
}

export const readEngine = async (docker: Docker, { signal }: Cancellation = {}): Promise<EngineInfo> => {
  const info = await docker.json(Info, { path: '/info', signal, timeoutMs: 15_000 })
  return {
    version: info.ServerVersion,
    storageDriver: info.Driver,
    cgroupVersion: info.CgroupVersion,
    rootDir: info.DockerRootDir,
    cpus: info.NCPU,
    memoryBytes: info.MemTotal,
    liveRestore: info.LiveRestoreEnabled,
  }
}
