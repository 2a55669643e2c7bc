import { Button } from '@mantine/core'
import { Link } from 'react-router'
import { JobActions, JobView, statusOf, useJob } from '#features/jobs/web/index.ts'
import type { Server } from '#features/servers/contract.ts'
import { Card } from '#web/kit/Card.tsx'
import { Loaded } from '#web/kit/Loaded.tsx'
import { Section } from '#web/kit/Section.tsx'
import { Skeleton } from '#web/kit/Skeleton.tsx'
import { Status } from '#web/kit/Status.tsx'
import classes from './SetupJob.module.css'

const Next = ({ server, isReady }: { server: Server; isReady: boolean }) => (
  <div className={classes.next}>
    <p className={classes.words}>{isReady ? `${server.name} is ready for its first site.` : `${server.name} added.`}</p>
    <Button component={Link} to={`/servers/${server.id}`} variant={isReady ? 'default' : 'filled'}>
      Open server
    </Button>
    {isReady && (
      <Button component={Link} to={`/sites/new?serverId=${server.id}`}>
        Create site
      </Button>
    )}
  </div>
)

const FollowedJob = ({ server, jobId }: { server: Server; jobId: string }) => {
  const query = useJob(jobId)
  const job = query.data?.job
  return (
    <Section
      title="Setup"
      actions={
        job && (
          <span className={classes.state}>
            <Status {...statusOf(job)} />
            <JobActions job={job} />
          </span>
        )
      }
    >
      {job?.status === 'succeeded' && (
        <Card>
          <Next server={server} isReady />
        </Card>
      )}
      <Card>
        <Loaded query={query} skeleton={<Skeleton rows={4} />}>
          {data => <JobView {...data} />}
        </Loaded>
      </Card>
    </Section>
  )
}

/** A server on its way: the log of its setup as it is written, and where to go from there. */
export const SetupJob = ({ server, jobId }: { server: Server; jobId: string | undefined }) =>
  jobId === undefined ? (
    <Card>
      <Next server={server} isReady={false} />
    </Card>
  ) : (
    <FollowedJob server={server} jobId={jobId} />
  )
