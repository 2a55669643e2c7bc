import { IconListCheck, IconPlayerPlay } from '@tabler/icons-react'
import { api } from '#web/api.ts'
import type { Screens } from '#web/screen.ts'
import { placeOf, statusOf } from './describe.ts'

const FOUND = 5

export const jobScreens: Screens = {
  entry: { title: 'Jobs', to: '/jobs', icon: IconListCheck, order: 40 },
  screens: [
    { path: '/jobs', load: async () => (await import('./JobsPage.tsx')).JobsPage },
    { path: '/jobs/:id', load: async () => (await import('./JobPage.tsx')).JobPage },
  ],
  commands: [{ title: 'Failed jobs', note: 'Go to', icon: IconListCheck, to: '/jobs?status=failed' }],
  search: async q => {
    const { items } = await api.jobList({ query: { q, limit: FOUND } })
    return items.map(job => ({
      title: job.label,
      note: [placeOf(job), statusOf(job).word].filter(Boolean).join(' · '),
      icon: IconPlayerPlay,
      to: `/jobs/${job.id}`,
    }))
  },
}
