import { needsCertificate } from '#features/servers/index.ts'
import { Problem } from '#platform/contract/problem.ts'
import type { StepContext } from '#platform/jobs/job-type.ts'
import { ensureSiteCertificate } from '../serve-site.ts'
import type { SiteRow } from '../site-store.ts'
import { lookUpNames } from './look-up.ts'
import { pointsTo, serverAddresses } from './points-here.ts'

/** A certificate for these names, or a reason that says which record to mend. */
export const obtainFor = async (work: StepContext, site: SiteRow, names: readonly string[]): Promise<void> => {
  try {
    await ensureSiteCertificate(work, site, names)
  } catch (error) {
    work.signal.throwIfAborted()
    const reason = error instanceof Error ? error.message : String(error)
    const advice = await recordsToMend(work, site.server_id, names)
    throw new Problem('conflict', `There is no certificate, so the site stays where it was. ${reason} ${advice}`.trim())
  }
}

const recordsToMend = async (work: StepContext, serverId: number, names: readonly string[]): Promise<string> => {
  const addresses = await serverAddresses(work, serverId)
  const answers = await lookUpNames(work.place.dnsServers, names)
  const astray = names.filter(needsCertificate).filter(name => {
    const answer = answers.get(name)
    return answer && answer.problem === null && !pointsTo(name, answer, { id: serverId, addresses })
  })
  const led = (name: string) => [answers.get(name)?.a ?? [], answers.get(name)?.aaaa ?? []].flat().join(', ')
  return astray
    .map(name => `DNS leads ${name} to ${led(name) || 'nowhere'} instead of ${addresses.join(', ')}.`)
    .join(' ')
}
