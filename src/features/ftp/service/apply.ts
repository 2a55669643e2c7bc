import { setTimeout as sleep } from 'node:timers/promises'
import { readEngine } from '#drivers/docker/engine.ts'
import { dropContainer, ensureContainer, waitHealthy } from '#drivers/docker/ensure-container.ts'
import { findServer, readText } from '#features/servers/index.ts'
import { dockerOf } from '#features/stack/index.ts'
import type { Db } from '#platform/db/database.ts'
import type { Host } from '#platform/host/host.ts'
import { withHostLock } from '#platform/host/lock.ts'
import type { Scope } from '#platform/scope.ts'
import { FTP_CONTAINER, FTP_FOLDERS, FTP_LOCK, ftpContainer, STATE_FILE, STATUS_FILE } from './container.ts'
import { isRunning, readStatus } from './status.ts'
import { readWanted, type Wanted } from './wanted.ts'

const SETTLE_LIMIT_MS = 20_000
const PAUSE_MS = 100

type Work = Pick<Scope, 'db' | 'hosts'>

interface ApplyOptions {
  /** Starts the service from it, or starts it again where it is another one. Without it only what runs follows. */
  readonly image?: string
  readonly signal?: AbortSignal | undefined
}

/** Nothing of the panel is on a server before it was set up. */
export const isSetUp = async (db: Db, serverId: number): Promise<boolean> =>
  ((await findServer(db, serverId))?.provisioned_at ?? null) !== null

/**
 * The service of a server does what the rows say, and all sessions that lost their right have ended. It is removed when there is
 * no login. Resolves to whether there is one.
 */
export const applyLogins = async (
  { db, hosts }: Work,
  serverId: number,
  { image, signal }: ApplyOptions = {},
): Promise<boolean> => {
  if (!(await isSetUp(db, serverId))) return false
  const host = hosts.get(serverId)
  return withHostLock(
    host,
    FTP_LOCK,
    async () => {
      const wanted = await readWanted(db, serverId)
      if (wanted.logins.length === 0) await remove(host, signal)
      else {
        await writeState(host, wanted)
        if (image !== undefined) await start({ db, hosts }, serverId, image, signal)
        await settle(host, wanted, signal)
      }
      return wanted.logins.length > 0
    },
    { signal },
  )
}

const remove = async (host: Host, signal: AbortSignal | undefined): Promise<void> => {
  await dropContainer(dockerOf(host), FTP_CONTAINER, { signal })
  await host.removeFile(STATUS_FILE)
  await host.removeFile(STATE_FILE)
}

const writeState = async (host: Host, { text }: Wanted): Promise<void> => {
  if ((await readText(host, STATE_FILE)) === text) return
  for (const folder of FTP_FOLDERS) await host.makeDir(folder, { mode: 0o700 })
  await host.writeFile(STATE_FILE, text, { mode: 0o600 })
}

const start = async ({ db, hosts }: Work, serverId: number, image: string, signal: AbortSignal | undefined) => {
  const server = await findServer(db, serverId)
  if (!server) return
  const docker = dockerOf(hosts.get(serverId))
  const { cpus } = await readEngine(docker, { signal })
  await ensureContainer(docker, ftpContainer(image, server, cpus), { signal })
  await waitHealthy(docker, FTP_CONTAINER, { signal })
}

/** A service that does not follow is removed, and its sessions with it; it is started again within a minute. */
const settle = async (host: Host, { generation }: Wanted, signal: AbortSignal | undefined): Promise<void> => {
  const until = Date.now() + SETTLE_LIMIT_MS
  while (await isRunning(host, signal)) {
    const status = await readStatus(host)
    if (status?.generation === generation && status.ending === 0) return
    if (Date.now() > until) return dropContainer(dockerOf(host), FTP_CONTAINER, { signal })
    await sleep(PAUSE_MS, undefined, signal && { signal })
  }
}
