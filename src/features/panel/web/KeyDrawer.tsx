import { Anchor, Button, TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from 'react-router'
import { panel } from '#features/panel/contract.ts'
import { LEVEL_NAMES } from '#platform/contract/level.ts'
import { Dialog } from '#web/kit/Dialog.tsx'
import { Facts } from '#web/kit/Facts.tsx'
import { FormError } from '#web/kit/FormError.tsx'
import { checked } from '#web/kit/field-errors.ts'
import { Loaded } from '#web/kit/Loaded.tsx'
import { Section } from '#web/kit/Section.tsx'
import { showToast } from '#web/kit/toasts.ts'
import { useForm } from '#web/kit/use-form.ts'
import { When } from '#web/kit/When.tsx'
import { ActivityTable } from './ActivityTable.tsx'
import { mayDo } from './access.ts'
import { api } from './api.ts'
import { Expiry } from './Expiry.tsx'
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
    showToast({ tone: 'good', text: `Renamed to ${body.name}.` })
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
      title="Recent requests"
      actions={
        <Anchor component={Link} to={`/settings/activity?keyId=${keyId}`} size="sm">
          All requests
        </Anchor>
      }
    >
      <Loaded query={query}>
        {({ items }) => <ActivityTable items={items} now={query.dataUpdatedAt} kind="short" empty={<NoRequests />} />}
      </Loaded>
    </Section>
  )
}

const NoRequests = () => <p className={classes.none}>No requests yet, or none recent enough to be kept.</p>

const KeyView = ({ apiKey, now, onClose }: { apiKey: Key; now: number; onClose: () => void }) => (
  <div className={classes.view}>
    <Facts
      facts={[
        ['Access', LEVEL_NAMES[apiKey.access]],
        ['Token starts with', <code key="start">{apiKey.tokenStart}</code>],
        ['Created', <When key="made" at={apiKey.createdAt} now={now} />],
        ['Created by', apiKey.createdBy],
        ['Last used', apiKey.lastUsedAt === null ? 'Never' : <When key="used" at={apiKey.lastUsedAt} now={now} />],
        ['Last used from', apiKey.lastUsedFrom ?? undefined],
        ['Expires', <Expiry key="expires" at={apiKey.expiresAt} now={now} />],
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

/** One key next to the list: what it may do, what it did, and its end. */
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
            <p>This key doesn't exist or was revoked.</p>
          )
        }
      </Loaded>
    </Dialog>
  )
}
