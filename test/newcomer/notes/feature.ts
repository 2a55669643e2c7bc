import { defineFeature } from '#platform/feature.ts'
import { notes } from './contract.ts'
import { countNotes, deleteNotes } from './note-store.ts'
import { notesPart } from './notes-part.ts'
import { noteRoutes } from './routes.ts'

export const feature = defineFeature({
  name: 'notes',
  group: 'Notes',
  uses: ['panel', 'stack', 'sites'],
  contract: notes,
  routes: noteRoutes,
  hooks: {
    overview: async scope => ({ counts: { notes: await countNotes(scope.db) }, attention: [] }),
    siteDeleting: (scope, { site }) => deleteNotes(scope.db, site.slug),
    stackParts: async () => [notesPart],
  },
})
