import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useNavigate } from 'react-router'
import type { z } from 'zod'
import { Card } from '#web/kit/Card.tsx'
import { checked } from '#web/kit/field-errors.ts'
import { Page } from '#web/kit/Page.tsx'
import { showToast } from '#web/kit/toasts.ts'
import { offsite } from '../contract.ts'
import { api } from './api.ts'
import { DestinationForm } from './DestinationForm.tsx'
import { accessOf } from './fields.ts'
import classes from './Offsite.module.css'
import { PassphraseCard } from './PassphraseCard.tsx'
import { type DestinationValues, newValues, requestOf } from './values.ts'

type Made = z.output<(typeof offsite)['destinationCreate']['reply']>

const test = ({ provider, filled }: DestinationValues) =>
  api.destinationTry({ body: checked(offsite.destinationTry.body, { provider, ...accessOf(provider, filled) }) })

/** Adds a destination; an encrypted one shows its passphrase once. */
export const NewDestinationPage = () => {
  const [made, setMade] = useState<Made>()
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const create = async (values: DestinationValues) => {
    const wanted = { provider: values.provider, ...requestOf(values) }
    const destination = await api.destinationCreate({ body: checked(offsite.destinationCreate.body, wanted) })
    await queryClient.invalidateQueries({ queryKey: ['destinations'] })
    showToast({ tone: 'good', text: `${destination.name} added.` })
    if (destination.passphrase) setMade(destination)
    else await navigate(`/offsite/${destination.id}`)
  }
  return (
    <Page title="Add destination" back={{ label: 'Offsite copies', to: '/offsite' }}>
      {made?.passphrase ? (
        <Card>
          <div className={classes.stack}>
            <PassphraseCard name={made.name} passphrase={made.passphrase} />
            <div>
              <Button component={Link} to={`/offsite/${made.id}`}>
                I have saved it
              </Button>
            </div>
          </div>
        </Card>
      ) : (
        <DestinationForm initial={newValues()} verb="Add destination" test={test} onSubmit={create} />
      )}
    </Page>
  )
}
