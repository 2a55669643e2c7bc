import { Dialog } from '#web/kit/Dialog.tsx'
import { Loaded } from '#web/kit/Loaded.tsx'
import { Section } from '#web/kit/Section.tsx'
import { Skeleton } from '#web/kit/Skeleton.tsx'
import { Status } from '#web/kit/Status.tsx'
import { When } from '#web/kit/When.tsx'
import type { DkimKey, MailDomain } from '../domains/contract.ts'
import { DomainActions } from './DomainActions.tsx'
import { DomainRecords } from './DomainRecords.tsx'
import classes from './Mail.module.css'
import { useDkimKeys } from './use-mail.ts'
import { keyWords } from './words.ts'

const Key = ({ dkimKey: { selector, state, createdAt, deletedAfter }, now }: { dkimKey: DkimKey; now: number }) => (
  <li>
    <div className={classes.head}>
      <code>{selector}</code>
      <Status {...keyWords[state]} />
    </div>
    <p className={classes.note}>
      Created <When at={createdAt} now={now} />
      {deletedAfter !== null && (
        <>
          . Its record is needed until <When at={deletedAfter} now={now} />
        </>
      )}
    </p>
  </li>
)

/** The verdicts of a domain, what to publish, and its keys. */
export const DomainDrawer = ({ domain, onClose }: { domain: MailDomain; onClose: () => void }) => {
  const query = useDkimKeys()
  const { siteSlugs } = domain
  return (
    <Dialog kind="side" title={domain.domain} onClose={onClose}>
      <p className={classes.note}>
        {siteSlugs.length > 0 ? `Sent by ${siteSlugs.join(', ')}` : 'No site sends from it'}
      </p>
      <Loaded query={query} skeleton={<Skeleton rows={6} />}>
        {({ items }) => {
          const keys = items.filter(key => key.domain === domain.domain)
          return (
            <div className={classes.drawer}>
              <DomainActions domain={domain.domain} keys={keys} />
              <DomainRecords domain={domain} />
              {keys.length > 0 && (
                <Section title="DKIM keys">
                  <ul className={classes.records}>
                    {keys.map(key => (
                      <Key key={key.selector} dkimKey={key} now={query.dataUpdatedAt} />
                    ))}
                  </ul>
                </Section>
              )}
            </div>
          )
        }}
      </Loaded>
    </Dialog>
  )
}
