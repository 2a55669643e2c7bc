import { setTimeout as sleep } from 'node:timers/promises'
import type { Docker } from '#drivers/docker/client.ts'
import type { ContainerSpec } from '#drivers/docker/container-spec.ts'
import { findContainer, readLogs } from '#drivers/docker/containers.ts'
import { dropContainer, ensureContainer } from '#drivers/docker/ensure-container.ts'
import { HostTimeout } from '#platform/host/errors.ts'

const LIMIT_MS = 60_000
const PAUSE_MS = 50

/** Runs a container to its end and throws it away. */
export const runOnce = async (docker: Docker, spec: ContainerSpec): Promise<{ ok: boolean; output: string }> => {
  const until = Date.now() + LIMIT_MS
  try {
    await ensureContainer(docker, spec)
    for (;;) {
      const found = await findContainer(docker, spec.name)
      if (found?.state === 'exited') return { ok: found.exitCode === 0, output: await readLogs(docker, spec.name) }
      if (Date.now() > until) throw new HostTimeout(docker.host.name, LIMIT_MS)
      await sleep(PAUSE_MS)
    }
  } finally {
    await dropContainer(docker, spec.name)
  }
}
