import { getSite } from '#features/sites/index.ts'
import { newId } from '#platform/db/id.ts'
import type { Handlers } from '#platform/http/handlers.ts'
import type { notes } from './contract.ts'
import { insertNote, listNotes } from './note-store.ts'
import type { NoteTable } from './tables.ts'

const show = ({ id, text, created_at: createdAt }: NoteTable) => ({ id, text, createdAt })

export const noteRoutes: Handlers<typeof notes> = {
  async noteList({ params: { slug } }, { db }) {
    await getSite(db, slug)
    return { items: (await listNotes(db, slug)).map(show) }
  },

  async noteCreate({ params: { slug }, body: { text } }, { db, now }) {
    await getSite(db, slug)
    const note = { id: newId(now()), site_slug: slug, text, created_at: now() }
    await insertNote(db, note)
    return { note: show(note) }
  },
}
