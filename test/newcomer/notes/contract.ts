import { z } from 'zod'
import { contract } from '#platform/contract/endpoint.ts'
import { Id, Label, SiteSlug } from '#platform/contract/identifiers.ts'

const params = z.object({ slug: SiteSlug })

export const Note = z.object({ id: Id, text: z.string(), createdAt: z.number() })

/** Notes that people keep about a site. */
export const notes = contract({
  noteList: {
    method: 'GET',
    path: '/api/sites/:slug/notes',
    level: 'read-only',
    summary: 'List the notes about a site',
    params,
    reply: z.object({ items: z.array(Note) }),
  },
  noteCreate: {
    method: 'POST',
    path: '/api/sites/:slug/notes',
    level: 'manage',
    summary: 'Add a note about a site',
    params,
    body: z.strictObject({ text: Label }),
    reply: z.object({ note: Note }),
  },
})
