import { z } from 'zod'
import { removeContainer } from '#drivers/docker/containers.ts'
import { removeNetwork } from '#drivers/docker/networks.ts'
import { dropDatabase, dropUser } from '#drivers/mariadb/databases.ts'
import { unpushCertificate } from '#features/certificates/index.ts'
import { ROOT, retryWhileAway } from '#features/servers/index.ts'
import { removeSiteFolder } from '#features/sites/index.ts'
import { dockerOf, withDatabase } from '#features/stack/index.ts'
import { defineJob, type Step, type StepContext } from '#platform/jobs/job-type.ts'
import { serverLane } from '#platform/jobs/lane.ts'
import type { Leftover } from '../contract.ts'
import { keepLeftovers } from '../latest.ts'
import { lookForLeftovers } from '../look-for-leftovers.ts'

interface Input {
  serverId: number
}
interface State {
  removed: number
  left: number
}

const Result = z.strictObject({
  removed: z.number(),
  left: z.number().describe('reported, but not the panel’s to remove'),
})

const remove = async (context: StepContext<Input, State>, { kind, name }: Leftover): Promise<void> => {
  const { serverId } = context.input
  const host = context.hosts.get(serverId)
  const { signal } = context
  switch (kind) {
    case 'container':
      return removeContainer(dockerOf(host), name, { signal })
    case 'network':
      return removeNetwork(dockerOf(host), name, { signal })
    case 'folder':
      return removeSiteFolder(host, name)
    case 'account':
      return withDatabase(context, serverId, db => dropUser(db, name), { signal })
    case 'database':
      return withDatabase(context, serverId, db => dropDatabase(db, name), { signal })
    case 'certificate':
      return unpushCertificate(host, ROOT, name)
  }
}

const removeAll: Step<Input, State> = {
  id: 'remove-leftovers',
  label: 'Removing leftovers',
  final: true,
  async run(context) {
    const { input, say, progress, signal } = context
    const found = await lookForLeftovers(context, input.serverId, signal)
    const removable = found.filter(leftover => leftover.removable)
    for (const [index, leftover] of removable.entries()) {
      signal.throwIfAborted()
      await remove(context, leftover)
      context.state.removed = (context.state.removed ?? 0) + 1
      say(`Removed ${leftover.kind} ${leftover.name}.`)
      progress({ done: index + 1, total: removable.length, unit: 'items' })
    }
    const left = await lookForLeftovers(context, input.serverId, signal)
    context.state.left = left.length
    keepLeftovers(context, input.serverId, left)
  },
}

/** In the lane of the server, so no site is created there in the meantime. */
export const serverRemoveLeftovers = defineJob<Input, State, z.infer<typeof Result>>({
  type: 'server.removeLeftovers',
  label: 'Remove leftovers',
  description: 'Removes containers, networks, files, databases and certificates that belong to no site.',
  category: 'servers',
  timeoutMs: 30 * 60_000,
  input: z.strictObject({ serverId: z.number() }),
  result: Result,
  target: ({ serverId }) => ({ serverId }),
  lanes: ({ serverId }) => [serverLane(serverId)],
  steps: [retryWhileAway(removeAll)],
  finish: ({ removed, left }) => ({ removed: removed ?? 0, left: left ?? 0 }),
})
