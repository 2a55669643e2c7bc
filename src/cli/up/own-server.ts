import { panel } from '#features/panel/contract.ts'
import { servers } from '#features/servers/contract.ts'
import type { Config } from '#platform/config/config.ts'
import { client } from '#platform/contract/client.ts'
import { Failure } from '../failure.ts'
import { connect } from '../generated/connection.ts'
import { followJob } from '../generated/follow-job.ts'
import type { Steps } from './steps.ts'

const OWN_SERVER = 1

export interface Publishing {
  domain?: string
  email?: string
}

/** Takes this machine to a server that can host sites, through the same job as any other server. */
export const ensureOwnServer = async (steps: Steps, config: Config, { domain, email }: Publishing): Promise<void> => {
  const connection = await connect(undefined, true)
  const api = client({ ...servers, ...panel }, connection.send)
  const params = { id: OWN_SERVER }
  if (domain !== undefined) await api.settingsUpdate({ body: { publish: { throughEdge: true } } })
  if (email !== undefined) await api.serverUpdate({ params, body: { acmeEmail: email } })
  const { status, upToDate } = await api.serverGet({ params })
  if (status === 'ready' && upToDate && domain === undefined) {
    await steps('This machine as server 1', note => note('ready'))
    return
  }
  const { job } = await api.serverReprovision({ params, body: {} })
  const end = await followJob(connection, job.id)
  if (end.status !== 'succeeded')
    throw new Failure(whatFailed(config, (await api.serverGet({ params })).status, domain))
}

const whatFailed = ({ port }: Config, status: string, domain: string | undefined): string => {
  const what =
    domain !== undefined && status === 'ready'
      ? `it couldn't be published at ${domain}`
      : "this machine couldn't be set up as a server"
  return `The panel is running at http://localhost:${port}, but ${what}: fix the error above, then run the same command again.`
}
