import { Alert, Button } from '@mantine/core'
import { IconShieldQuestion } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { Card } from '#web/kit/Card.tsx'
import { Loaded } from '#web/kit/Loaded.tsx'
import { Page } from '#web/kit/Page.tsx'
import { type Asked, mcp } from '../contract.ts'
import { api } from './api.ts'
import { ConsentForm } from './ConsentForm.tsx'
import classes from './NewConnectionPage.module.css'

const Consent = ({ asked }: { asked: Asked }) => {
  const query = useQuery({ queryKey: ['consent', asked], queryFn: () => api.mcpConsentGet({ query: asked }) })
  return (
    <Loaded query={query}>
      {({ clientName, returnsTo, denyTo, proof }) => (
        <Card>
          <div className={classes.form}>
            <Alert variant="light" p="sm" icon={<IconShieldQuestion aria-hidden="true" />}>
              An app named {clientName} wants to use this panel. Your answer goes to {returnsTo}. Continue only if you
              have just connected that app yourself.
            </Alert>
            <ConsentForm asked={asked} clientName={clientName} denyTo={denyTo} proof={proof} />
          </div>
        </Card>
      )}
    </Loaded>
  )
}

const Unusable = () => (
  <Card>
    <div className={classes.form}>
      <p className={classes.text}>The app sent an incomplete request. Remove the connection there and add it again.</p>
      <div>
        <Button component="a" href="/settings/ai" variant="default">
          Go to AI connections
        </Button>
      </div>
    </div>
  </Card>
)

/** Where a person decides what an AI app may do, before it gets any access. What else the app says is ignored. */
export const ConsentPage = () => {
  const [search] = useSearchParams()
  const known = [...search].filter(([name]) => name in mcp.mcpConsentGet.query.shape)
  const asked = mcp.mcpConsentGet.query.safeParse(Object.fromEntries(known))
  return (
    <Page title="Connect an AI app">
      <div className={classes.column}>{asked.success ? <Consent asked={asked.data} /> : <Unusable />}</div>
    </Page>
  )
}
