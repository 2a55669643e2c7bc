import { useQuery } from '@tanstack/react-query'
import { Loaded } from '#web/kit/Loaded.tsx'
import { Section } from '#web/kit/Section.tsx'
import { Skeleton } from '#web/kit/Skeleton.tsx'
import { When } from '#web/kit/When.tsx'
import { api } from './api.ts'
import classes from './Releases.module.css'

/** What is new in each release, newest first. */
export const Releases = () => {
  const query = useQuery({ queryKey: ['system', 'releases'], queryFn: () => api.systemReleases() })
  return (
    <Section title="Releases">
      <Loaded query={query} skeleton={<Skeleton rows={2} height="4rem" />}>
        {({ items }) =>
          items.length === 0 ? (
            <p>No releases are known yet. Set the release feed in the settings, then check for updates.</p>
          ) : (
            items.map(({ version, publishedAt, notes }) => (
              <article key={version} className={classes.release}>
                <h3>{version}</h3>
                <When at={publishedAt} now={query.dataUpdatedAt} />
                <p className={classes.notes}>{notes === '' ? 'No notes.' : notes}</p>
              </article>
            ))
          )
        }
      </Loaded>
    </Section>
  )
}
