import { Alert } from '@mantine/core'
import { IconAlertCircle } from '@tabler/icons-react'
import type { Job } from '#platform/contract/job.ts'
import { Prose } from '#web/kit/Prose.tsx'
import classes from './JobFailure.module.css'

/** What scrolls must be reachable by keyboard. */
const scrolls = { tabIndex: 0 }

/** Why a job failed, once and in words; what the site or server said is folded away. */
export const JobFailure = ({ error }: { error: Job['error'] }) =>
  error && (
    <Alert color="red" variant="light" p="sm" icon={<IconAlertCircle aria-hidden="true" />}>
      <span className={classes.message}>
        <Prose text={error.message} />
      </span>
      {error.output !== null && error.output !== '' && (
        <details className={classes.details}>
          <summary>Technical details</summary>
          <pre {...scrolls} className={classes.output}>
            {error.output}
          </pre>
        </details>
      )}
    </Alert>
  )
