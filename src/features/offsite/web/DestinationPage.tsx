import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Link, useParams } from 'react-router'
import { typeWords } from '#features/backups/web/index.ts'
import { useCan } from '#web/client/can.ts'
import { Card } from '#web/kit/Card.tsx'
import { Facts } from '#web/kit/Facts.tsx'
import { Loaded } from '#web/kit/Loaded.tsx'
import { Page } from '#web/kit/Page.tsx'
import { refused } from '#web/kit/refused.ts'
import { Status } from '#web/kit/Status.tsx'
import { showToast } from '#web/kit/toasts.ts'
import type { Destination } from '../contract.ts'
import { api } from './api.ts'
import { Copies } from './Copies.tsx'
import { destinationActions } from './can.ts'
import classes from './Offsite.module.css'
import { RemoveDestination } from './RemoveDestination.tsx'
import { ShowPassphrase } from './ShowPassphrase.tsx'
import { TestButton } from './TestButton.tsx'
import { useDestination } from './use-destinations.ts'
import { placeOf, providerWords, retentionWords, standingOf } from './words.ts'

const Acts = ({ destination }: { destination: Destination }) => {
  const { id, name, enabled } = destination
  const can = useCan(destinationActions)
  const queryClient = useQueryClient()
  const update = can('destinationUpdate', destination)
  const toggle = async () => {
    await api.destinationUpdate({ params: { id }, body: { enabled: !enabled } })
    await queryClient.invalidateQueries({ queryKey: ['destinations'] })
    showToast({ tone: 'good', text: `${name} ${enabled ? 'disabled' : 'enabled'}.` })
  }
  return (
    <>
      {can('destinationPassphrase', destination).isOffered && destination.encryption && (
        <ShowPassphrase destination={destination} />
      )}
      {update.isOffered && (
        <>
          <Button
            variant="default"
            size="xs"
            {...refused(update.reason)}
            onClick={() => update.isAllowed && void toggle()}
          >
            {enabled ? 'Disable' : 'Enable'}
          </Button>
          <Button component={Link} to={`/offsite/${id}/edit`} variant="default" size="xs">
            Edit
          </Button>
        </>
      )}
      {can('destinationDelete', destination).isOffered && <RemoveDestination destination={destination} />}
    </>
  )
}

const Overview = ({ destination }: { destination: Destination }) => {
  const canTest = useCan(destinationActions)('destinationTest', destination).isOffered
  const { id } = destination
  return (
    <div className={classes.stack}>
      <Card>
        <div className={classes.stack}>
          <Facts
            facts={[
              ['Status', <Status key="status" {...standingOf(destination)} />],
              ['Last error', destination.lastError],
              ['Provider', providerWords[destination.provider]],
              ['Location', placeOf(destination)],
              ['Encryption', destination.encryption ? 'On' : 'Off'],
              ['Copied', destination.copyTypes.map(type => typeWords[type]).join(', ')],
              ['Kept', retentionWords(destination)],
            ]}
          />
          {canTest && <TestButton test={() => api.destinationTest({ params: { id }, body: {} })} />}
        </div>
      </Card>
      <Copies destination={destination} />
    </div>
  )
}

/** One destination: how it stands, and the copies there. */
export const DestinationPage = () => {
  const { id = '' } = useParams()
  const query = useDestination(id)
  return (
    <Page
      title={query.data?.name ?? 'Destination'}
      back={{ label: 'Offsite copies', to: '/offsite' }}
      actions={query.data && <Acts destination={query.data} />}
    >
      <Loaded query={query}>
        {destination =>
          destination === null ? <Card>This destination was removed.</Card> : <Overview destination={destination} />
        }
      </Loaded>
    </Page>
  )
}
