import { Anchor, Button, TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from 'react-router'
import { panel } from '#features/panel/contract.ts'
import { LEVEL_NAMES } from '#platform/contract/level.ts'
import { api } from '#web/api.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Facts } from '#web/ui/Facts.tsx'
import { FormError } from '#web/ui/FormError.tsx'
import { checked } from '#web/ui/field-errors.ts'
import { Loaded } from '#web/ui/Loaded.tsx'
import { Section } from '#web/ui/Section.tsx'
import { showToast } from '#web/ui/toasts.ts'
import { useForm } from '#web/ui/use-form.ts'
import { When } from '#web/ui/When.tsx'
import { ActivityTable } from './ActivityTable.tsx'
import { mayDo } from './access.ts'
import classes from './KeyDrawer.module.css'
import { RevokeKey } from './RevokeKey.tsx'
import { type Key, useKeys } from './use-keys.ts'

const LATEST = 5

const RenameForm = ({ apiKey: { id, name } }: { apiKey: Key }) => {
  const queryClient = useQueryClient()
  const form = useForm({ name }, async values => {
    const body = checked(panel.keyUpdate.body, { name: values.name.trim() })
    await api.keyUpdate({ params: { id }, body })
    await queryClient.invalidateQueries({ queryKey: ['keys'] })
    showToast({ tone: 'good', text: `The key is called ${body.name} now.` })
  })
  return (
    <form className={classes.rename} {...form.formProps}>
      <TextInput label="Name" autoComplete="off" {...form.text('name')} />
      <Button type="submit" variant="default" disabled={!form.isDirty} loading={form.isPending}>
        Rename
      </Button>
      <FormError key={form.failures} problem={form.problem} fields={['name']} />
    </form>
  )
}

const LatestRequests = ({ keyId }: { keyId: string }) => {
  const query = useQuery({
    queryKey: ['activity', 'latest', keyId],
    queryFn: () => api.keyActivity({ query: { keyId, limit: LATEST } }),
  })
  return (
    <Section
      title="Latest requests"
      actions={
        <Anchor component={Link} to={`/settings/activity?keyId=${keyId}`} size="sm">
          All of them
        </Anchor>
      }
    >
      <Loaded query={query}>
        {({ items }) => <ActivityTable items={items} now={query.dataUpdatedAt} kind="short" empty={<NoRequests />} />}
      </Loaded>
    </Section>
  )
}

const NoRequests = () => <p className={classes.none}>It made no request yet, or none that is still kept.</p>

const KeyView = ({ apiKey, now, onClose }: { apiKey: Key; now: number; onClose: () => void }) => (
  <div className={classes.view}>
    <Facts
      facts={[
        ['May do', LEVEL_NAMES[apiKey.access]],
        ['Token begins with', <code key="start">{apiKey.tokenStart}</code>],
        ['Created', <When key="made" at={apiKey.createdAt} now={now} />],
        ['Created by', apiKey.createdBy],
        ['Last used', apiKey.lastUsedAt === null ? 'Never' : <When key="used" at={apiKey.lastUsedAt} now={now} />],
        ['From', apiKey.lastUsedFrom ?? undefined],
      ]}
    />
    <ul className={classes.may}>
      {mayDo[apiKey.access].map(text => (
        <li key={text}>{text}</li>
      ))}
    </ul>
    <RenameForm apiKey={apiKey} />
    <LatestRequests keyId={apiKey.id} />
    <RevokeKey apiKey={apiKey} onRevoked={onClose} />
  </div>
)

/** One key beside the list: what it may do, what it did, and its end. */
export const KeyDrawer = ({ id, onClose }: { id: string; onClose: () => void }) => {
  const query = useKeys()
  const found = query.data?.items.find(key => key.id === id)
  return (
    <Dialog kind="side" title={found?.name ?? 'API key'} onClose={onClose}>
      <Loaded query={query}>
        {() =>
          found ? (
            <KeyView apiKey={found} now={query.dataUpdatedAt} onClose={onClose} />
          ) : (
            <p>There is no such key, or it was revoked.</p>
          )
        }
      </Loaded>
    </Dialog>
  )
}
