import { Button } from '@mantine/core'
import { IconExternalLink } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import type { Site } from '#features/sites/contract.ts'
import type { Job } from '#platform/contract/job.ts'
import { api, toProblem } from '#web/api.ts'
import { useMay } from '#web/session.ts'
import { ConfirmButton } from '#web/ui/Confirm.tsx'
import { showToast } from '#web/ui/toasts.ts'
import { useFollowJob } from '#web/ui/use-follow-job.ts'

interface JobButtonProps {
  label: string
  disabled: boolean
  start: () => Promise<{ job: Job }>
}

/** A button for what needs no question: it starts a job and tells how it ended. */
const JobButton = ({ label, disabled, start }: JobButtonProps) => {
  const follow = useFollowJob()
  const starting = useMutation({
    mutationFn: () => follow(start()),
    onError: error => showToast({ tone: 'bad', text: toProblem(error).message }),
  })
  return (
    <Button
      variant="default"
      size="xs"
      disabled={disabled}
      loading={starting.isPending}
      onClick={() => starting.mutate()}
    >
      {label}
    </Button>
  )
}

const StopButton = ({ site: { slug, title }, disabled }: { site: Site; disabled: boolean }) => {
  const follow = useFollowJob()
  return (
    <ConfirmButton
      label="Stop"
      ask="stop"
      disabled={disabled}
      title={`Stop ${title}?`}
      verb="Stop the site"
      effects={[
        'Visitors get an error (503) until it is started again.',
        'Its scheduled tasks do not run.',
        'Files and database stay as they are.',
      ]}
      act={() => follow(api.siteStop({ params: { slug } }))}
    />
  )
}

/** What is done to a site most often. Nothing can be started while a job works on it. */
export const SiteActions = ({ site }: { site: Site }) => {
  const may = useMay()
  const { slug, status, url } = site
  const params = { slug }
  const isBusy = site.jobId !== null
  return (
    <>
      {may('manage') && status === 'running' && (
        <>
          <StopButton site={site} disabled={isBusy} />
          <JobButton label="Restart" disabled={isBusy} start={() => api.siteRestart({ params })} />
        </>
      )}
      {may('manage') && status === 'stopped' && (
        <JobButton label="Start" disabled={isBusy} start={() => api.siteStart({ params })} />
      )}
      {status === 'running' && (
        <Button
          component="a"
          href={url}
          target="_blank"
          rel="noreferrer"
          size="xs"
          rightSection={<IconExternalLink size={14} aria-hidden="true" />}
        >
          Open site
        </Button>
      )}
    </>
  )
}
