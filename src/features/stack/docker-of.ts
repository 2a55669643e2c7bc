import { Docker } from '#drivers/docker/client.ts'
import type { Host } from '#platform/host/host.ts'

const engines = new WeakMap<Host, Docker>()

/** The engine of a host; one per host, so that its connections are used again. */
export const dockerOf = (host: Host): Docker => {
  const docker = engines.get(host) ?? new Docker(host)
  engines.set(host, docker)
  return docker
}
