import { useServerNames } from '#web/client/servers.ts'
import { Dialog } from '#web/kit/Dialog.tsx'
import { Facts } from '#web/kit/Facts.tsx'
import { Section } from '#web/kit/Section.tsx'
import { Status } from '#web/kit/Status.tsx'
import { When } from '#web/kit/When.tsx'
import type { Decision } from '../contract.ts'
import classes from './Blocks.module.css'
import { OUTCOME_WORDS, REASON_WORDS } from './words.ts'

interface DecisionDrawerProps {
  decision: Decision
  now: number
  onClose: () => void
}

/** One decision with its evidence. */
export const DecisionDrawer = ({ decision, now, onClose }: DecisionDrawerProps) => {
  const nameOf = useServerNames()
  const { address, reason, outcome, why, count, windowMinutes, sites, serverId, at, requests } = decision
  return (
    <Dialog kind="side" title={address} onClose={onClose}>
      <div className={classes.stack}>
        <Facts
          facts={[
            ['Decision', <Status key="outcome" {...OUTCOME_WORDS[outcome]} />],
            ['Why', why],
            ['Found', `${REASON_WORDS[reason]}: ${count} within ${windowMinutes} min`],
            ['Sites', sites.length === 0 ? undefined : sites.join(', ')],
            ['Server', nameOf(serverId)],
            ['When', <When key="at" at={at} now={now} />],
          ]}
        />
        {requests !== null && (
          <Section title="Last requests">
            <ul className={classes.requests}>
              {requests.map((request, index) => (
                <li key={`${request.at} ${index}`}>
                  <code>
                    {request.method} {request.path}
                  </code>{' '}
                  {request.status} on {request.siteSlug} · {request.userAgent}
                </li>
              ))}
            </ul>
          </Section>
        )}
      </div>
    </Dialog>
  )
}
