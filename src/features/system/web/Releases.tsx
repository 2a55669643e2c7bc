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

type Release = Awaited<ReturnType<typeof api.systemReleases>>['items'][number]

const useReleases = () => useQuery({ queryKey: ['system', 'releases'], queryFn: () => api.systemReleases() })

const ReleaseNotes = ({ release, now }: { release: Release; now: number }) => (
  <article className={classes.release}>
    <h3>{release.version}</h3>
    <When at={release.publishedAt} now={now} />
    <p className={classes.notes}>{release.notes === '' ? 'No notes.' : release.notes}</p>
  </article>
)

/** What came with an update: every release after the old version, up to the new one. */
export const WhatIsNew = ({ from, to }: { from: string; to: string }) => {
  const query = useReleases()
  const releases = query.data?.items ?? []
  const first = releases.findIndex(({ version }) => version === to)
  const old = releases.findIndex(({ version }) => version === from)
  const came = first === -1 ? [] : releases.slice(first, old === -1 ? first + 1 : old)
  if (came.length === 0) return null
  return (
    <Section title={`What is new in ${to}`}>
      {came.map(release => (
        <ReleaseNotes key={release.version} release={release} now={query.dataUpdatedAt} />
      ))}
    </Section>
  )
}

/** What is new in each release, newest first. */
export const Releases = () => {
  const query = useReleases()
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
              {items.map(release => (
                <ReleaseNotes key={release.version} release={release} now={query.dataUpdatedAt} />
              ))}
            </Card>
          )
        }
      </Loaded>
    </Section>
  )
}
