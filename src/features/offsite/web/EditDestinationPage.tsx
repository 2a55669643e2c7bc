import { useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams } from 'react-router'
import { Card } from '#web/kit/Card.tsx'
import { checked } from '#web/kit/field-errors.ts'
import { Loaded } from '#web/kit/Loaded.tsx'
import { Page } from '#web/kit/Page.tsx'
import { showToast } from '#web/kit/toasts.ts'
import { type Destination, offsite } from '../contract.ts'
import { api } from './api.ts'
import { DestinationForm } from './DestinationForm.tsx'
import { useDestination } from './use-destinations.ts'
import { type DestinationValues, requestOf, valuesOf } from './values.ts'

const hasCopies = ({ copies }: Destination) => Object.values(copies).some(count => count > 0)

/** Changes a destination. Secrets that are left empty stay. */
export const EditDestinationPage = () => {
  const { id = '' } = useParams()
  const query = useDestination(id)
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const save = async (values: DestinationValues) => {
    const body = checked(offsite.destinationUpdate.body, requestOf(values))
    const saved = await api.destinationUpdate({ params: { id }, body })
    await queryClient.invalidateQueries({ queryKey: ['destinations'] })
    showToast({ tone: 'good', text: 'Destination saved.' })
    await navigate(saved.passphrase ? `/offsite/${id}?ask=passphrase` : `/offsite/${id}`)
  }
  return (
    <Page title="Edit destination" back={{ label: query.data?.name ?? 'Destination', to: `/offsite/${id}` }}>
      <Loaded query={query}>
        {destination =>
          destination === null ? (
            <Card>This destination was removed.</Card>
          ) : (
            <DestinationForm
              initial={valuesOf(destination)}
              saved={{ secretsSet: destination.secretsSet, hasCopies: hasCopies(destination) }}
              verb="Save"
              test={() => api.destinationTest({ params: { id }, body: {} })}
              onSubmit={save}
            />
          )
        }
      </Loaded>
    </Page>
  )
}
