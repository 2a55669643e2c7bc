import {
  IconArrowRight,
  IconPlayerPlay,
  IconPlayerStop,
  IconPlus,
  IconRefresh,
  IconTrash,
  IconWorld,
} from '@tabler/icons-react'
import { matchScore } from '#web/client/match-score.ts'
import { type Act, searchKind } from '#web/client/palette-search.ts'
import type { PaletteOffer } from '#web/client/registration.ts'
import { type Site, sites } from '../contract.ts'
import { api } from './api.ts'
import { siteActions } from './can.ts'
import { siteStatus } from './status.ts'

const restart = ({ slug }: Site) => api.siteRestart({ params: { slug } })
const start = ({ slug }: Site) => api.siteStart({ params: { slug } })

const acts: readonly Act<typeof sites, Site>[] = [
  { words: 'Restart', icon: IconRefresh, does: 'siteRestart', how: restart },
  { words: 'Stop', icon: IconPlayerStop, does: 'siteStop', how: '?ask=stop' },
  { words: 'Start', icon: IconPlayerPlay, does: 'siteStart', how: start },
  { words: 'Move', icon: IconArrowRight, does: 'siteMove', how: '/settings?ask=move' },
  { words: 'Delete', icon: IconTrash, does: 'siteDelete', how: '/settings?ask=delete' },
]

/** By what the panel finds; where it finds nothing, by what may have been mistyped. */
const findSites = async (q: string): Promise<Site[]> => {
  const { items } = await api.siteList({ query: { q } })
  const candidates = items.length > 0 ? items : (await api.siteList({ query: {} })).items
  return candidates
    .map(site => ({ site, score: matchScore(q, `${site.title} ${site.slug}`, site.hostnames.join(' ')) }))
    .filter(({ score }) => score > 0 || items.length > 0)
    .toSorted((a, b) => b.score - a.score)
    .map(({ site }) => site)
}

export const sitePalette: PaletteOffer = {
  commands: [
    {
      title: 'Create site',
      keywords: 'new add wordpress',
      icon: IconPlus,
      to: '/sites/new',
      needs: sites.siteCreate.level,
    },
    { title: 'Stopped sites', note: 'Go to', icon: IconWorld, to: '/sites?status=stopped' },
  ],
  search: (q, searcher) =>
    searchKind(q, searcher, {
      host: 'site',
      actions: siteActions,
      acts,
      find: findSites,
      show: site => ({
        title: site.title,
        note: [site.hostnames[0] ?? site.slug, siteStatus(site).word].join(' · '),
        icon: IconWorld,
        to: `/sites/${site.slug}`,
      }),
    }),
}
