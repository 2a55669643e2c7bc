import type { OverviewPart } from '#features/panel/index.ts'
import type { SecurityNumbers } from '#features/protection/index.ts'
import { listSites } from '#features/sites/index.ts'
import type { Scope } from '#platform/scope.ts'
import { countOpen } from './findings/finding-store.ts'
import { listLastScans } from './scan/scan-store.ts'

/** Sites with malware, and those with something that a person should check. */
export const scanOverview = async ({ db }: Scope): Promise<OverviewPart> => {
  const titles = new Map((await listSites(db)).map(({ slug, title }) => [slug, title]))
  const attention: OverviewPart['attention'] = []
  let findings = 0
  for (const [slug, { confirmed, suspicious, notice }] of await countOpen(db)) {
    findings += confirmed + suspicious + notice
    const title = titles.get(slug)
    if (title === undefined || confirmed + suspicious === 0) continue
    attention.push({
      id: confirmed > 0 ? `malware:${slug}` : `suspicious-files:${slug}`,
      severity: confirmed > 0 ? 'critical' : 'warning',
      title: confirmed > 0 ? `${title} has malware` : `${title} has suspicious files`,
      detail:
        confirmed > 0
          ? `The last scan found it in ${counted(confirmed, 'place')}. Quarantine the files, or reinstall what they belong to.`
          : `The last scan found ${counted(suspicious, 'file')} to check.`,
      action: { label: 'View findings', to: `/sites/${slug}/scans` },
    })
  }
  return { counts: { findings }, attention }
}

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`

/** What the security page of the fleet says about each site. */
export const findingNumbers = async ({ db }: Scope): Promise<SecurityNumbers> => {
  const open = await countOpen(db)
  const scans = await listLastScans(db)
  const slugs = new Set([...open.keys(), ...scans.keys()])
  const numbersOf = (slug: string) => {
    const { confirmed = 0, suspicious = 0, notice = 0 } = open.get(slug) ?? {}
    return { open: confirmed + suspicious + notice, confirmed, lastScanAt: scans.get(slug)?.finished_at ?? null }
  }
  return { findings: new Map([...slugs].map(slug => [slug, numbersOf(slug)])) }
}
