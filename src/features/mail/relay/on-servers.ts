import { listServers } from '#features/servers/index.ts'
import { KnownError } from '#platform/contract/known-error.ts'
import type { Scope } from '#platform/scope.ts'

export interface Pushed {
  serverId: number
  ok: boolean
  problem: string | null
}

/** Does the same on every server that is set up, all at once; one that fails holds up no other. */
export const onServers = async (scope: Scope, act: (serverId: number) => Promise<unknown>): Promise<Pushed[]> => {
  const ready = (await listServers(scope.db)).filter(row => row.status === 'ready')
  return Promise.all(
    ready.map(async ({ id }) => {
      try {
        await act(id)
        return { serverId: id, ok: true, problem: null }
      } catch (error) {
        scope.log.warn({ serverId: id, err: error }, 'could not change the relay')
        return { serverId: id, ok: false, problem: problemOf(error) }
      }
    }),
  )
}

export const problemOf = (error: unknown): string =>
  error instanceof KnownError ? error.message : 'Something went wrong on this server. See the log of the panel.'
