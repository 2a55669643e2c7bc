import { NativeSelect } from '@mantine/core'
import { useState } from 'react'
import type { Site } from '#features/sites/contract.ts'
import { useCan } from '#web/client/can.ts'
import { useFollowJob } from '#web/client/use-follow-job.ts'
import { ActRow } from '#web/kit/ActRow.tsx'
import { ConfirmButton } from '#web/kit/Confirm.tsx'
import { api } from './api.ts'
import { siteActions } from './can.ts'
import { useSiteOptions } from './use-sites.ts'

const FinalizeButton = ({ site: { slug, title }, refusal }: { site: Site; refusal: string | undefined }) => {
  const follow = useFollowJob()
  return (
    <ConfirmButton
      label="Finish the last move"
      ask="finish-move"
      refusal={refusal}
      title={`Finish the move of ${title}?`}
      verb="Finish the move"
      effects={[
        'The old server stops forwarding visitors.',
        'The copy of files and database on the old server is permanently deleted.',
        "You can't finish while DNS still points to the old server. Once all domains point to the new one, it finishes by itself overnight.",
      ]}
      act={() => follow(api.siteMoveFinalize({ params: { slug } }), { show: true })}
    />
  )
}

/** Another server for a site, and the end of the last move. */
export const MoveRow = ({ site }: { site: Site }) => {
  const follow = useFollowJob()
  const can = useCan(siteActions)
  const finish = can('siteMoveFinalize', site)
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
            ? `Currently on ${from}. Domains stay the same. The old server forwards visitors until you finish the move.`
            : `Currently on ${from}. No other server is set up.`
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
              label="Move"
              ask="move"
              refusal={can('siteMove', site).reason}
              title={`Move ${site.title} to ${target.name}?`}
              verb={`Move to ${target.name}`}
              effects={[
                `Files and database are copied to ${target.name} while the site keeps running.`,
                'At the switch, visitors wait for a few seconds.',
                `${from} forwards visitors until DNS points to the new server. The log lists the records to change.`,
                'If anything fails before the switch, the site stays where it is.',
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
      {finish.isOffered && (
        <ActRow
          title="Finish the last move"
          about="The old server still has a copy and forwards visitors. Update the DNS records, then finish."
        >
          <FinalizeButton site={site} refusal={finish.reason} />
        </ActRow>
      )}
    </>
  )
}
