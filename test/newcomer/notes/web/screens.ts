import { IconNotes } from '@tabler/icons-react'
import type { WebFeature } from '#web/client/registration.ts'

export const noteScreens: WebFeature = {
  tabs: {
    site: [
      {
        path: 'notes',
        label: 'Notes',
        icon: IconNotes,
        order: 70,
        load: async () => (await import('./NotesTab.tsx')).NotesTab,
      },
    ],
  },
  home: [{ order: 60, load: () => import('./NotesPart.tsx') }],
}
