import type { OverviewPart } from '#features/panel/index.ts'
import { vulnerabilitiesIn } from '#features/wordpress/index.ts'
import type { Scope } from '#platform/scope.ts'
import { type Found, listCores, listInstalled } from './inventory/fleet-store.ts'

const NAMED = 3

/** What Home says about WordPress: sites with known vulnerabilities, and sites with updates. */
export const wordpressOverview = async ({ db }: Pick<Scope, 'db'>): Promise<OverviewPart> => {
  const find = await vulnerabilitiesIn(db)
  const found = [
    ...(await listCores(db)),
    ...(await listInstalled(db, 'plugin')),
    ...(await listInstalled(db, 'theme')),
  ]
  const vulnerable = sitesOf(found.filter(({ kind, slug, version }) => find(kind, slug, version).length > 0))
  const outdated = sitesOf(found.filter(({ update }) => update !== null))
  return {
    counts: { 'wordpress.vulnerable': vulnerable.length, 'wordpress.outdated': outdated.length },
    attention: [
      ...(vulnerable.length === 0 ? [] : [told('vulnerable', vulnerable)]),
      ...(outdated.length === 0 ? [] : [told('updates', outdated)]),
    ],
  }
}

const sitesOf = (found: readonly Found[]): string[] => [...new Set(found.map(({ siteTitle }) => siteTitle))]

const WORDS = {
  vulnerable: { severity: 'warning', about: 'a known vulnerability', label: 'See what to update' },
  updates: { severity: 'info', about: 'updates waiting', label: 'Update' },
} as const

const told = (filter: keyof typeof WORDS, sites: readonly string[]): OverviewPart['attention'][number] => {
  const { severity, about, label } = WORDS[filter]
  const more = sites.length - NAMED
  return {
    id: `wordpress-${filter}`,
    severity,
    title: sites.length === 1 ? `1 site has ${about}` : `${sites.length} sites have ${about}`,
    detail: `${sites.slice(0, NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`,
    action: { label, to: `/updates?filter=${filter}` },
  }
}
