import type { Site } from '#features/sites/contract.ts'
import { useCan } from '#web/client/can.ts'
import { useFollowJob } from '#web/client/use-follow-job.ts'
import { ConfirmButton } from '#web/kit/Confirm.tsx'
import { counted } from '#web/kit/counted.ts'
import type { WordpressItem, WordpressStatus } from '../inventory/contract.ts'
import type { TaskOp } from '../tasks/contract.ts'
import { api } from './api.ts'
import { wordpressActions } from './can.ts'

const opsOf = ({ core, plugins, themes }: WordpressStatus): TaskOp[] => {
  const outdated = (kind: 'plugin' | 'theme', items: readonly WordpressItem[]): TaskOp[] =>
    items.filter(({ update }) => update !== null).map(({ name }) => ({ kind, slug: name, action: 'update' }))
  const ofCore: TaskOp[] = core?.update ? [{ kind: 'core', action: 'update' }] : []
  return [...outdated('plugin', plugins), ...outdated('theme', themes), ...ofCore]
}

/** Updates all that has an update, one after the other. */
export const UpdateAll = ({ site, status }: { site: Site; status: WordpressStatus }) => {
  const { isOffered, reason } = useCan(wordpressActions)('wpBulk', site)
  const follow = useFollowJob()
  const ops = opsOf(status)
  const updates = counted(ops.length, 'update')
  return (
    isOffered &&
    ops.length > 0 && (
      <ConfirmButton
        label={`Install ${updates}`}
        ask="update-all"
        refusal={reason}
        title={`Install ${updates} on ${site.title}?`}
        verb={`Install ${updates}`}
        effects={[
          'The site is backed up first.',
          'Each one is installed by itself, and the site is checked after it.',
          'One that breaks the site is rolled back. The others stay.',
        ]}
        act={() =>
          follow(api.wpBulk({ params: { slug: site.slug }, body: { ops, backupFirst: true } }), { show: true })
        }
      />
    )
  )
}
