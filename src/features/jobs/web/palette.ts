import { IconListCheck, IconPlayerPlay } from '@tabler/icons-react'
import type { PaletteOffer } from '#web/client/registration.ts'
import { api } from './api.ts'
import { placeOf, statusOf } from './describe.ts'

const FOUND = 5

export const jobPalette: PaletteOffer = {
  // Jobs have the names of sites, so these would come before the sites themselves.
  order: 1,
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
