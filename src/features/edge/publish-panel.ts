import { issuanceFor, needsCertificate, obtainCertificate } from '#features/certificates/index.ts'
import { OWN_SERVER } from '#features/servers/index.ts'
import type { StepScope } from '#platform/jobs/job-type.ts'
import { applyServerEdge } from './apply-server-edge.ts'
import { publishedName } from './published-panel.ts'

/** Serves the panel under its public name, with a certificate, on the panel's own server. */
export const publishPanel = async (scope: StepScope, { serverId }: { serverId: number }): Promise<void> => {
  const { signal, say } = scope
  const name = serverId === OWN_SERVER ? await publishedName(scope) : undefined
  if (name === undefined) return
  const issuance = await issuanceFor(scope, serverId)
  if (needsCertificate(name) && issuance) await obtainCertificate(scope, { ...issuance, signal }, [name])
  await applyServerEdge(scope, serverId)
  say(`The panel is available at ${scope.installation.publicUrl}.`)
}
