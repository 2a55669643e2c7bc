import { useQuery } from '@tanstack/react-query'
import type { Site } from '#features/sites/contract.ts'
import { Loaded } from '#web/kit/Loaded.tsx'
import { Section } from '#web/kit/Section.tsx'
import { Skeleton } from '#web/kit/Skeleton.tsx'
import { api } from './api.ts'

export const NotesTab = ({ site: { slug } }: { site: Site }) => {
  const query = useQuery({ queryKey: ['notes', slug], queryFn: () => api.noteList({ params: { slug } }) })
  return (
    <Section title="Notes">
      <Loaded query={query} skeleton={<Skeleton rows={2} height="3rem" />}>
        {({ items }) => items.map(({ id, text }) => <p key={id}>{text}</p>)}
      </Loaded>
    </Section>
  )
}
