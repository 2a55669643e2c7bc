import { Docker } from '#drivers/docker/client.ts'
import type { Host } from '#platform/host/host.ts'

const known = new WeakMap<Host, Docker>()

/** The engine of a host; one per host, so that its connections are used again. */
export const dockerOf = (host: Host): Docker => {
  const docker = known.get(host) ?? new Docker(host)
  known.set(host, docker)
  return docker
}
