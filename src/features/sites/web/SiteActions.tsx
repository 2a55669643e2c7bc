import { Button } from '@mantine/core'
import { IconExternalLink } from '@tabler/icons-react'
import type { Site } from '#features/sites/contract.ts'
import { SignInButton } from '#features/wordpress/web/index.ts'
import { useCan, type Verdict } from '#web/client/can.ts'
import { JobButton } from '#web/client/JobButton.tsx'
import { useFollowJob } from '#web/client/use-follow-job.ts'
import { ConfirmButton } from '#web/kit/Confirm.tsx'
import { api } from './api.ts'
import { siteActions } from './can.ts'

const StopButton = ({ site: { slug, title }, verdict }: { site: Site; verdict: Verdict }) => {
  const follow = useFollowJob()
  return (
    verdict.isOffered && (
      <ConfirmButton
        label="Stop"
        ask="stop"
        refusal={verdict.reason}
        title={`Stop ${title}?`}
        verb="Stop site"
        effects={[
          'Visitors see an error (503) until you start it again.',
          "Its scheduled tasks don't run.",
          'Files and database are not changed.',
        ]}
        act={() => follow(api.siteStop({ params: { slug } }))}
      />
    )
  )
}

/** What is done to a site most often. */
export const SiteActions = ({ site }: { site: Site }) => {
  const can = useCan(siteActions)
  const { slug, status, url } = site
  const params = { slug }
  return (
    <>
      <StopButton site={site} verdict={can('siteStop', site)} />
      <JobButton label="Restart" verdict={can('siteRestart', site)} start={() => api.siteRestart({ params })} />
      <JobButton label="Start" verdict={can('siteStart', site)} start={() => api.siteStart({ params })} />
      {status === 'running' && <SignInButton site={site} />}
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
