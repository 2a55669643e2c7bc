import { IconCalendarPlus, IconCalendarTime } from '@tabler/icons-react'
import type { PaletteOffer } from '#web/client/registration.ts'
import { api } from './api.ts'
import { planInWords } from './words.ts'

const FOUND = 5

export const schedulePalette: PaletteOffer = {
  commands: [{ title: 'New schedule', note: 'Create', icon: IconCalendarPlus, to: '/schedules/new', needs: 'manage' }],
  search: async q => {
    const { items } = await api.scheduleList()
    return items
      .filter(({ name }) => name.toLowerCase().includes(q.toLowerCase()))
      .slice(0, FOUND)
      .map(schedule => ({
        title: schedule.name,
        note: planInWords(schedule),
        icon: IconCalendarTime,
        to: `/schedules/${schedule.id}`,
      }))
  },
}
