import type { SiteHostname } from '#features/sites/domains/contract.ts'

export interface NamesChange {
  title: string
  verb: string
  /** All names of the site afterwards, the primary one first. */
  domains: readonly string[]
  effects: readonly string[]
}

const listText = (names: readonly string[]) => names.join(', ')

/** What a change of names will do, sentence by sentence. */
export const effectsOf = (items: readonly SiteHostname[], domains: readonly string[], manageDns = false): string[] => {
  const before = items.map(({ hostname }) => hostname)
  const added = domains.filter(name => !before.includes(name))
  const gone = before.filter(name => !domains.includes(name))
  const [primary = ''] = domains
  const isNewPrimary = primary !== before[0]
  return [
    ...(added.length > 0
      ? [
          ...(manageDns ? [`The panel points ${listText(added)} to the server in DNS.`] : []),
          `The panel requests a certificate for ${listText(added)}.${manageDns ? '' : ' DNS must already point to the server.'}`,
        ]
      : []),
    ...(isNewPrimary
      ? [`The site moves to ${primary}: URLs in its database are rewritten, and its other domains redirect there.`]
      : added.length > 0
        ? [`${listText(added)} will redirect visitors to ${primary}.`]
        : []),
    ...(gone.length > 0
      ? [
          `${listText(gone)} will stop responding, and links to it will break.`,
          'With Full access, DNS records that the panel created for it are removed.',
        ]
      : []),
    'The site stays online.',
  ]
}

const without = (items: readonly SiteHostname[], hostname: string) =>
  items.map(item => item.hostname).filter(name => name !== hostname)

export const addNames = (items: readonly SiteHostname[], names: readonly string[]): NamesChange => {
  const domains = [...items.map(({ hostname }) => hostname), ...names]
  const what = names.length === 1 ? listText(names) : `${names.length} domains`
  return { title: `Add ${what}?`, verb: `Add ${what}`, domains, effects: effectsOf(items, domains) }
}

export const makePrimary = (items: readonly SiteHostname[], { hostname, unicode }: SiteHostname): NamesChange => {
  const domains = [hostname, ...without(items, hostname)]
  return {
    title: `Make ${unicode} the primary domain?`,
    verb: 'Make primary',
    domains,
    effects: effectsOf(items, domains),
  }
}

export const removeName = (items: readonly SiteHostname[], { hostname, unicode }: SiteHostname): NamesChange => {
  const domains = without(items, hostname)
  return { title: `Remove ${unicode}?`, verb: 'Remove domain', domains, effects: effectsOf(items, domains) }
}
