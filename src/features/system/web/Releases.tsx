import { IconPackage } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Card } from '#web/kit/Card.tsx'
import { Empty } from '#web/kit/Empty.tsx'
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
            <Card flush>
              <Empty icon={IconPackage} title="No releases yet">
                Enter the address of a release feed in the settings, under Panel updates. Then check for updates.
              </Empty>
            </Card>
          ) : (
            <Card>
              {items.map(({ version, publishedAt, notes }) => (
                <article key={version} className={classes.release}>
                  <h3>{version}</h3>
                  <When at={publishedAt} now={query.dataUpdatedAt} />
                  <p className={classes.notes}>{notes === '' ? 'No notes.' : notes}</p>
                </article>
              ))}
            </Card>
          )
        }
      </Loaded>
    </Section>
  )
}
