import { z } from 'zod'
import type { Limits } from '#drivers/docker/container-spec.ts'
import { findContainer, listContainers } from '#drivers/docker/containers.ts'
import { readEngine } from '#drivers/docker/engine.ts'
import { updateLimits } from '#drivers/docker/ensure-container.ts'
import { retryWhileAway } from '#features/servers/index.ts'
import { ServerId } from '#platform/contract/identifiers.ts'
import { defineJob, type Step, type StepContext } from '#platform/jobs/job-type.ts'
import { serverLane } from '#platform/jobs/lane.ts'
import { dockerOf } from '../docker-of.ts'
import { SITE_LABEL } from '../site-label.ts'
import { siteLimits } from '../site-limits.ts'

interface Input {
  serverId: number
}
interface State {
  /** By container, so that a failure halfway leaves all sites as they were. */
  before: Record<string, Limits>
}

const Result = z.strictObject({ sites: z.number() })

const dockerFor = ({ hosts, input }: StepContext<Input, State>) => dockerOf(hosts.get(input.serverId))

const steps: Step<Input, State>[] = [
  {
    id: 'read-limits',
    label: 'Reading the current limits',
    async run(context) {
      if (context.state.before) return
      const docker = dockerFor(context)
      const containers = (await listContainers(docker, {}, context)).filter(({ labels }) => SITE_LABEL in labels)
      const found = await Promise.all(containers.map(({ name }) => findContainer(docker, name, context)))
      context.state.before = Object.fromEntries(found.flatMap(each => (each ? [[each.name, each.limits]] : [])))
    },
  },
  {
    id: 'apply-limits',
    label: 'Applying the limits',
    async run(context) {
      const docker = dockerFor(context)
      const limits = await siteLimits(context, (await readEngine(docker, context)).cpus)
      for (const name of Object.keys(context.state.before ?? {})) await updateLimits(docker, name, limits, context)
    },
    async undo(context) {
      const docker = dockerFor(context)
      for (const [name, limits] of Object.entries(context.state.before ?? {})) {
        // A site may have been deleted in the meantime.
        if (await findContainer(docker, name, context)) await updateLimits(docker, name, limits, context)
      }
    },
  },
]

export const serverApplySiteLimits = defineJob<Input, State, z.infer<typeof Result>>({
  type: 'server.applySiteLimits',
  label: 'Apply site limits',
  description:
    'Applies the CPU, memory and process limits in the settings to every site on a server, without a restart.',
  category: 'servers',
  timeoutMs: 10 * 60_000,
  input: z.strictObject({ serverId: ServerId }),
  result: Result,
  target: ({ serverId }) => ({ serverId }),
  lanes: ({ serverId }) => [serverLane(serverId)],
  steps: steps.map(retryWhileAway),
  finish: ({ before }) => ({ sites: Object.keys(before ?? {}).length }),
})
