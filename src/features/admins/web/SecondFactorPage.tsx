import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { useRecheckSession, useSession } from '#web/client/session.ts'
import { Card } from '#web/kit/Card.tsx'
import { Page } from '#web/kit/Page.tsx'
import { showToast } from '#web/kit/toasts.ts'
import classes from './SecondFactorPage.module.css'
import { BeginStep } from './second-factor/BeginStep.tsx'
import { CodesStep } from './second-factor/CodesStep.tsx'
import { type Begun, ScanStep } from './second-factor/ScanStep.tsx'

/** Sets up the second factor: password, app, recovery codes. */
export const SecondFactorPage = () => {
  const { data: session } = useSession()
  const queryClient = useQueryClient()
  const recheckSession = useRecheckSession()
  const navigate = useNavigate()
  const [begun, setBegun] = useState<Begun>()
  const [codes, setCodes] = useState<string[]>()
  if (!session) return null
  const finish = async () => {
    await recheckSession()
    await queryClient.invalidateQueries({ queryKey: ['sessions'] })
    await navigate('/settings/account')
    showToast({ tone: 'good', text: 'Two-factor authentication is on. You need a code each time you sign in.' })
  }
  return (
    <Page title="Two-factor authentication" back={{ label: 'Your account', to: '/settings/account' }}>
      <div className={classes.column}>
        <Card>
          {codes ? (
            <CodesStep codes={codes} email={session.admin.email} onDone={finish} />
          ) : begun ? (
            <ScanStep begun={begun} onEnabled={setCodes} />
          ) : (
            <BeginStep isReplacing={session.admin.totp} onBegun={setBegun} />
          )}
        </Card>
      </div>
    </Page>
  )
}
