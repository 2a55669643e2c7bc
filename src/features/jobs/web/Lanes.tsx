import type { Job } from '#platform/contract/job.ts'
import { useServerNames } from '#web/client/servers.ts'
import { Section } from '#web/kit/Section.tsx'
import { duration } from '#web/kit/time.ts'
import { useUrlState } from '#web/kit/use-url-state.ts'
import { laneName, placeOf, stepOf } from './describe.ts'
import classes from './Lanes.module.css'
import { Progress } from './Progress.tsx'
import { useActiveJobs } from './use-active-jobs.ts'

const LaneJob = ({ job, lane, now }: { job: Job; lane: string; now: number }) => {
  const url = useUrlState()
  const serverName = useServerNames()
  const others = job.lanes.filter(other => other !== lane).map(other => laneName(other, serverName))
  const waited = `waiting for ${duration(Math.max(0, now - job.createdAt))}`
  const note = stepOf(job) ?? (others.length > 0 ? `${waited}, also in ${others.join(', ')}` : waited)
  return (
    <li>
      <button type="button" className={classes.job} onClick={() => url.push({ job: job.id })}>
        <span className={classes.label}>
          {job.label}
          {job.siteSlug && <span className={classes.place}> {placeOf(job)}</span>}
        </span>
        <span className={classes.note}>{note}</span>
        {job.status === 'running' && <Progress job={job} />}
      </button>
    </li>
  )
}

/** Jobs by what they wait for: the first of each lane runs, the others go in this order. */
const lanesOf = (items: readonly Job[]): [string, Job[]][] => {
  const names = [...new Set(items.flatMap(({ lanes }) => lanes))].toSorted()
  return names.map(lane => [lane, items.filter(({ lanes }) => lanes.includes(lane))])
}

/** What runs, and what waits for what. */
export const Lanes = () => {
  const { data, dataUpdatedAt } = useActiveJobs()
  const serverName = useServerNames()
  if (!data || data.items.length === 0) return null
  return (
    <Section title="Now" about="Each lane runs one job at a time, in this order.">
      <div className={classes.lanes}>
        {lanesOf(data.items).map(([lane, jobs]) => (
          <section key={lane} className={classes.lane} aria-label={laneName(lane, serverName)}>
            <h3 className={classes.name}>{laneName(lane, serverName)}</h3>
            <ol className={classes.list}>
              {jobs.map(job => (
                <LaneJob key={job.id} job={job} lane={lane} now={dataUpdatedAt} />
              ))}
            </ol>
          </section>
        ))}
      </div>
    </Section>
  )
}
