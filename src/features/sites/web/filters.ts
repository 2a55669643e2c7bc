import { PHP_VERSIONS, SITE_STATUSES, type Site } from '#features/sites/contract.ts'

/** As the API calls them, where it has them. */
export const FILTERS = ['q', 'status', 'serverId', 'label', 'phpVersion'] as const
export type FilterName = (typeof FILTERS)[number]
export type Filters = Record<FilterName, string>

type Choice = Exclude<FilterName, 'q'>

const words: Record<Site['status'], string> = {
  creating: 'Creating',
  running: 'Running',
  stopped: 'Stopped',
  deleting: 'Deleting',
}

/** Found in the title, the slug or a hostname, as the API finds it. */
const holds = ({ title, slug, hostnames }: Site, q: string) =>
  [title, slug, ...hostnames].some(text => text.toLowerCase().includes(q))

const tests: Record<FilterName, (site: Site, value: string) => boolean> = {
  q: (site, value) => holds(site, value.trim().toLowerCase()),
  status: ({ status }, value) => status === value,
  serverId: ({ serverId }, value) => String(serverId) === value,
  label: ({ labels }, value) => labels.includes(value),
  phpVersion: ({ phpVersion }, value) => phpVersion === value,
}

export const filtered = (sites: readonly Site[], filters: Filters): readonly Site[] => {
  const chosen = FILTERS.filter(name => filters[name] !== '')
  return chosen.length === 0 ? sites : sites.filter(site => chosen.every(name => tests[name](site, filters[name])))
}

interface Option {
  value: string
  label: string
}

/** What can be chosen, with how many sites each would leave. */
export const choicesOf = (
  sites: readonly Site[],
  serverName: (id: number) => string,
): Record<Choice, readonly Option[]> => {
  const counted = (name: Choice, values: readonly string[], labelOf = (value: string) => value): readonly Option[] =>
    values.flatMap(value => {
      const count = sites.filter(site => tests[name](site, value)).length
      return count > 0 ? [{ value, label: `${labelOf(value)} (${count})` }] : []
    })
  const servers = [...new Set(sites.map(({ serverId }) => String(serverId)))]
  const labels = [...new Set(sites.flatMap(site => site.labels))].toSorted()
  return {
    status: counted('status', SITE_STATUSES, value => words[value as Site['status']]),
    serverId: counted('serverId', servers, value => serverName(Number(value))),
    label: counted('label', labels),
    phpVersion: counted('phpVersion', PHP_VERSIONS.toReversed(), value => `PHP ${value}`),
  }
}
