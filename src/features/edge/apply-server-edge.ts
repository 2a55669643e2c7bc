import type { Docker } from '#drivers/docker/client.ts'
import type { ContainerSpec } from '#drivers/docker/container-spec.ts'
import { findContainer, killContainer, startContainer } from '#drivers/docker/containers.ts'
import { ensureContainer } from '#drivers/docker/ensure-container.ts'
import { execIn } from '#drivers/docker/exec.ts'
import { type AppliedEdge, applyEdge, type EdgeRunner } from '#drivers/nginx/apply-edge.ts'
import { readEdgeGeneration } from '#drivers/nginx/edge-generation.ts'
import { edgeMain } from '#drivers/nginx/edge-main.ts'
import type { EdgeSettings } from '#drivers/nginx/edge-settings.ts'
import { type EdgeFiles, generationOf } from '#drivers/nginx/generations.ts'
import { type CertificateRow, listCertificates } from '#features/certificates/index.ts'
import { dockerOf, runOnce } from '#features/stack/index.ts'
import { Problem } from '#platform/contract/problem.ts'
import { FileNotFound } from '#platform/host/errors.ts'
import type { Host } from '#platform/host/host.ts'
import type { Scope } from '#platform/scope.ts'
import { mergeFiles } from './merge-files.ts'
import { EDGE, EDGE_FOLDER, EDGE_TEST } from './names.ts'
import { panelFiles } from './published-panel.ts'
import { edgeSettings } from './settings.ts'

const HTTP_PORT = 80
const HTTPS_PORT = 443

/**
 * Brings the edge of a server to what its sites and settings say now; nothing happens when it is so already. With a
 * specification it is also started.
 */
export const applyServerEdge = (scope: Scope, serverId: number, spec?: ContainerSpec): Promise<AppliedEdge> => {
  const host = scope.hosts.get(serverId)
  return applyEdge({ host, path: EDGE_FOLDER }, () => filesFor(scope, serverId), runnerFor(host, spec))
}

/** Whether visitors get what the sites and settings say now. */
export const isEdgeCurrent = async (scope: Scope, serverId: number): Promise<boolean> => {
  const files = await filesFor(scope, serverId)
  return (await readEdgeGeneration(scope.hosts.get(serverId), HTTP_PORT)) === generationOf(files)
}

const filesFor = async (scope: Scope, serverId: number): Promise<EdgeFiles> => {
  const blocked = (await scope.events.raise(scope, 'blockedVisitors', { serverId })).flat()
  const settings = { ...(await settingsFor(scope, scope.hosts.get(serverId))), blocked }
  const own = {
    'nginx.conf': edgeMain(settings),
    // Not read by nginx: a renewed certificate changes the configuration, which makes nginx reload.
    'certificates.txt': serials(await listCertificates(scope.db, serverId)),
  }
  const panel = await panelFiles(scope, serverId, settings)
  return mergeFiles([own, panel, ...(await scope.events.raise(scope, 'edgeFiles', { serverId, settings }))])
}

const serials = (rows: readonly CertificateRow[]): string => rows.map(({ id, serial }) => `${id} ${serial}\n`).join('')

const settingsFor = async (scope: Scope, host: Host): Promise<EdgeSettings> => {
  const { trustedProxies, proxyHeader } = await scope.settings.read(edgeSettings)
  return {
    httpPort: HTTP_PORT,
    httpsPort: HTTPS_PORT,
    ipv6: await hasIpv6(host),
    http2: true,
    user: 'www-data',
    pidFile: '/run/nginx.pid',
    tempFolder: '/tmp',
    logFolder: '/var/log/fleetpress',
    acmeFolder: `${EDGE_FOLDER}/acme`,
    trustedProxies,
    proxyHeader,
  }
}

const hasIpv6 = async (host: Host): Promise<boolean> => {
  try {
    await host.stat('/proc/net/if_inet6')
    return true
  } catch (error) {
    if (error instanceof FileNotFound) return false
    throw error
  }
}

const runnerFor = (host: Host, spec: ContainerSpec | undefined): EdgeRunner => {
  const docker = dockerOf(host)
  return {
    test: async generationPath => {
      const words = ['-t', '-c', `${generationPath}/nginx.conf`]
      if (await isRunning(docker)) {
        const { exitCode, stdout, stderr } = await execIn(docker, EDGE, ['nginx', '-e', 'stderr', ...words])
        return { ok: exitCode === 0, output: `${stdout}${stderr}` }
      }
      return runOnce(docker, { ...requireSpec(spec), name: EDGE_TEST, command: words, restart: 'no' })
    },
    reload: async () => {
      if (await isRunning(docker)) await killContainer(docker, EDGE, 'HUP')
      else if (spec) await ensureContainer(docker, spec)
      else await startContainer(docker, EDGE)
    },
    generation: () => readEdgeGeneration(host, HTTP_PORT),
  }
}

const isRunning = async (docker: Docker): Promise<boolean> => (await findContainer(docker, EDGE))?.state === 'running'

const requireSpec = (spec: ContainerSpec | undefined): ContainerSpec => {
  if (spec) return spec
  throw new Problem('conflict', 'The edge of this server is not running. Set up the server again.')
}
