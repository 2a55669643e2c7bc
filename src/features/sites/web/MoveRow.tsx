import { NativeSelect } from '@mantine/core'
import { useState } from 'react'
import type { Site } from '#features/sites/contract.ts'
import { api } from '#web/api.ts'
import { ActRow } from '#web/ui/ActRow.tsx'
import { ConfirmButton } from '#web/ui/Confirm.tsx'
import { useFollowJob } from '#web/ui/use-follow-job.ts'
import { useSiteOptions } from './use-sites.ts'

interface MoveRowProps {
  site: Site
  isBusy: boolean
}

const FinalizeButton = ({ site: { slug, title }, isBusy }: MoveRowProps) => {
  const follow = useFollowJob()
  return (
    <ConfirmButton
      label="Finish the last move"
      ask="finish-move"
      disabled={isBusy}
      title={`Finish the move of ${title}?`}
      verb="Finish the move"
      effects={[
        'The old server forwards visitors no more.',
        'The copy of files and database on the old server is deleted for good.',
        'It is refused while DNS leads a name to the old server. In the night after all names lead to the new one it is done by itself.',
      ]}
      act={() => follow(api.siteMoveFinalize({ params: { slug } }), { show: true })}
    />
  )
}

/** Another server for a site, and the end of the last move. */
export const MoveRow = ({ site, isBusy }: MoveRowProps) => {
  const follow = useFollowJob()
  const { data } = useSiteOptions()
  const targets = data?.servers.filter(({ id, ready }) => ready && id !== site.serverId) ?? []
  const [chosen, setChosen] = useState('')
  const target = targets.find(({ id }) => String(id) === chosen) ?? targets[0]
  const from = data?.servers.find(({ id }) => id === site.serverId)?.name ?? 'its server'
  return (
    <>
      <ActRow
        title="Move to another server"
        about={
          targets.length > 0
            ? `It lives on ${from}. It keeps its names; the old server forwards visitors until the move is finished.`
            : `It lives on ${from}, and no other server is set up to take it.`
        }
      >
        {target && (
          <>
            <NativeSelect
              size="xs"
              aria-label="New server"
              value={String(target.id)}
              onChange={event => setChosen(event.currentTarget.value)}
              data={targets.map(({ id, name }) => ({ value: String(id), label: name }))}
            />
            <ConfirmButton
              label="Move…"
              ask="move"
              disabled={isBusy}
              title={`Move ${site.title} to ${target.name}?`}
              verb={`Move to ${target.name}`}
              effects={[
                `Files and database are copied to ${target.name} while the site goes on running.`,
                'At the end visitors wait for a few seconds; then they get their pages from there.',
                `${from} forwards visitors until DNS leads to the new server. The log names the records to change.`,
                'If anything fails before the change-over, the site stays where it is.',
              ]}
              act={() =>
                follow(api.siteMove({ params: { slug: site.slug }, body: { targetServerId: target.id } }), {
                  show: true,
                })
              }
            />
          </>
        )}
      </ActRow>
      {site.parkedOn !== null && (
        <ActRow
          title="Finish the last move"
          about="The old server still holds a copy and forwards visitors. Change the DNS records, then finish."
        >
          <FinalizeButton site={site} isBusy={isBusy} />
        </ActRow>
      )}
    </>
  )
}
