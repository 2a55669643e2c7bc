import { setTimeout as sleep } from 'node:timers/promises'
import { findContainer, killContainer } from '#drivers/docker/containers.ts'
import { listenerText } from '#drivers/haproxy/listener.ts'
import { readText } from '#features/servers/index.ts'
import { Problem } from '#platform/contract/problem.ts'
import { exec } from '#platform/host/command.ts'
import { findFile } from '#platform/host/find-file.ts'
import type { Host } from '#platform/host/host.ts'
import {
  DATABASE_PROXY_OWNER,
  LISTENERS_FOLDER,
  SITE_SOCKETS_FOLDER,
  SITE_SOCKETS_INSIDE,
} from './database-proxy-part.ts'
import { dockerOf } from './docker-of.ts'
import { containerOf } from './part.ts'

const PROXY = containerOf('database-proxy')
const SOCKET = 'mysqld.sock'
const TRIES = 3
const LIMIT_MS = 5_000
const PAUSE_MS = 20

/** What a site sees of the database: nothing but its own socket. */
export const siteSocketFolder = (slug: string): string => `${SITE_SOCKETS_FOLDER}/${slug}`

const listenerFile = (slug: string) => `${LISTENERS_FOLDER}/${slug}.cfg`

/** The site has its socket. Files of other sites are not touched, and their connections stay open. */
export const ensureSiteSocket = async (host: Host, slug: string, signal?: AbortSignal): Promise<void> => {
  const text = listenerText({ name: slug, socketPath: `${SITE_SOCKETS_INSIDE}/${slug}/${SOCKET}` })
  if ((await readText(host, listenerFile(slug))) === text && (await isOpen(host, slug))) return
  if (!(await isRunning(host)))
    throw new Problem('conflict', `The database proxy of ${host.name} isn't running. Set up the server again.`)
  await host.makeDir(siteSocketFolder(slug), { mode: 0o755, owner: DATABASE_PROXY_OWNER })
  for (let tries = 1; tries <= TRIES; tries += 1) {
    await host.writeFile(listenerFile(slug), text, { mode: 0o644 })
    await reload(host)
    if (await opens(host, slug, signal)) return
    // The proxy may still hold a socket of this name in a folder that is gone.
    await host.removeFile(listenerFile(slug))
    await reload(host)
  }
  throw new Problem('conflict', `The database proxy of ${host.name} doesn't respond. Set up the server again.`)
}

export const removeSiteSocket = async (host: Host, slug: string): Promise<void> => {
  await host.removeFile(listenerFile(slug))
  if (await isRunning(host)) await reload(host)
  await host.run(exec('rm', '-rf', '--', siteSocketFolder(slug)))
}

/** The proxy continues with all connections it has, and takes new ones by the files of this moment. */
const reload = (host: Host) => killContainer(dockerOf(host), PROXY, 'USR2')

const isRunning = async (host: Host): Promise<boolean> =>
  (await findContainer(dockerOf(host), PROXY))?.state === 'running'

const isOpen = async (host: Host, slug: string): Promise<boolean> =>
  (await findFile(host, `${siteSocketFolder(slug)}/${SOCKET}`)) !== undefined

const opens = async (host: Host, slug: string, signal: AbortSignal | undefined): Promise<boolean> => {
  const until = Date.now() + LIMIT_MS
  while (!(await isOpen(host, slug))) {
    if (Date.now() > until) return false
    await sleep(PAUSE_MS, undefined, signal && { signal })
  }
  return true
}
