import { IconCalendarTime } from '@tabler/icons-react'
import type { WebFeature } from '#web/client/registration.ts'
import type { schedules } from '../contract.ts'

export const scheduleScreens: WebFeature = {
  entry: { title: 'Schedules', to: '/schedules', icon: IconCalendarTime, order: 42 },
  screens: [
    { path: '/schedules', load: async () => (await import('./SchedulesPage.tsx')).SchedulesPage },
    {
      path: '/schedules/new',
      load: async () => (await import('./NewSchedulePage.tsx')).NewSchedulePage,
      needs: 'manage' satisfies (typeof schedules)['scheduleCreate']['level'],
    },
    { path: '/schedules/:id', load: async () => (await import('./SchedulePage.tsx')).SchedulePage },
    {
      path: '/schedules/:id/edit',
      load: async () => (await import('./EditSchedulePage.tsx')).EditSchedulePage,
      needs: 'manage' satisfies (typeof schedules)['scheduleUpdate']['level'],
    },
  ],
  palette: async () => (await import('./palette.ts')).schedulePalette,
}
