import { setTimeout as sleep } from 'node:timers/promises'
import type { Cancellation, Docker } from '#drivers/docker/client.ts'
import type { ContainerSpec } from '#drivers/docker/container-spec.ts'
import { findContainer, readLogs } from '#drivers/docker/containers.ts'
import { dropContainer, ensureContainer } from '#drivers/docker/ensure-container.ts'
import { HostTimeout } from '#platform/host/errors.ts'

const LIMIT_MS = 60_000
const PAUSE_MS = 50

interface RunOptions extends Cancellation {
  /** A minute if absent. */
  readonly timeoutMs?: number
}

/** Runs a container to its end and throws it away. */
export const runOnce = async (
  docker: Docker,
  spec: ContainerSpec,
  { timeoutMs = LIMIT_MS, signal }: RunOptions = {},
): Promise<{ ok: boolean; output: string }> => {
  const until = Date.now() + timeoutMs
  try {
    await ensureContainer(docker, spec, { signal })
    for (;;) {
      const found = await findContainer(docker, spec.name, { signal })
      if (found?.state === 'exited') return { ok: found.exitCode === 0, output: await readLogs(docker, spec.name) }
      if (Date.now() > until) throw new HostTimeout(docker.host.name, timeoutMs)
      await sleep(PAUSE_MS)
    }
  } finally {
    await dropContainer(docker, spec.name)
  }
}
