import { Anchor } from '@mantine/core'
import { Link } from 'react-router'
import { Dialog } from '#web/kit/Dialog.tsx'
import { Loaded } from '#web/kit/Loaded.tsx'
import { Status } from '#web/kit/Status.tsx'
import { useUrlState } from '#web/kit/use-url-state.ts'
import { statusOf } from './describe.ts'
import { JobActions } from './JobActions.tsx'
import classes from './JobDrawer.module.css'
import { JobView } from './JobView.tsx'
import { useJob } from './use-job.ts'

const OpenDrawer = ({ id, onClose }: { id: string; onClose: () => void }) => {
  const query = useJob(id)
  const job = query.data?.job
  return (
    <Dialog kind="side" title={job?.label ?? 'Job'} onClose={onClose}>
      <Loaded query={query}>
        {data => (
          <div className={classes.content}>
            <div className={classes.head}>
              <Status {...statusOf(data.job)} />
              <Anchor component={Link} to={`/jobs/${id}`} size="sm">
                Open full page
              </Anchor>
              <span className={classes.actions}>
                <JobActions job={data.job} />
              </span>
            </div>
            <JobView {...data} />
          </div>
        )}
      </Loaded>
    </Dialog>
  )
}

/** The job named in the address (`?job=…`), next to whatever page is open. */
export const JobDrawer = () => {
  const url = useUrlState()
  const id = url.of('job')
  return id !== '' && <OpenDrawer key={id} id={id} onClose={() => url.push({ job: '' })} />
}
