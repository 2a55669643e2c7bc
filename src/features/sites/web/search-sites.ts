import {
  IconArrowRight,
  IconListCheck,
  IconPlayerPlay,
  IconPlayerStop,
  IconRefresh,
  IconSettings,
  IconTrash,
  IconWorld,
  IconWorldWww,
} from '@tabler/icons-react'
import type { Site } from '#features/sites/contract.ts'
import { type Act, searchKind } from '#web/acts.ts'
import { api } from '#web/api.ts'
import type { Command } from '#web/screen.ts'
import { siteStatus } from './status.ts'

const isRunning = ({ status }: Site) => status === 'running'
const isStopped = ({ status }: Site) => status === 'stopped'
const restart = ({ slug }: Site) => api.siteRestart({ params: { slug } })
const start = ({ slug }: Site) => api.siteStart({ params: { slug } })

const acts: readonly Act<Site>[] = [
  { words: 'Domains of', icon: IconWorldWww, how: '/domains' },
  { words: 'Jobs of', icon: IconListCheck, how: '/jobs' },
  { words: 'Settings of', icon: IconSettings, needs: 'manage', how: '/settings' },
  { words: 'Restart', icon: IconRefresh, needs: 'manage', fits: isRunning, how: restart },
  { words: 'Stop', icon: IconPlayerStop, needs: 'manage', fits: isRunning, how: '?ask=stop' },
  { words: 'Start', icon: IconPlayerPlay, needs: 'manage', fits: isStopped, how: start },
  { words: 'Move', icon: IconArrowRight, needs: 'full', how: '/settings?ask=move' },
  { words: 'Delete', icon: IconTrash, needs: 'full', how: '/settings?ask=delete' },
]

export const searchSites = (q: string): Promise<Command[]> =>
  searchKind<Site>(q, {
    acts,
    find: async text => (await api.siteList({ query: { q: text } })).items,
    show: site => ({
      title: site.title,
      note: [site.hostnames[0] ?? site.slug, siteStatus(site).word].join(' · '),
      icon: IconWorld,
      to: `/sites/${site.slug}`,
    }),
  })
