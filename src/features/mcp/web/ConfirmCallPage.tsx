import { Alert, Button } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useParams } from 'react-router'
import { Card } from '#web/kit/Card.tsx'
import { CopyField } from '#web/kit/CopyButton.tsx'
import { FormError } from '#web/kit/FormError.tsx'
import { Loaded } from '#web/kit/Loaded.tsx'
import { Page } from '#web/kit/Page.tsx'
import { useSubmission } from '#web/kit/use-submission.ts'
import { api } from './api.ts'
import classes from './ConfirmCallPage.module.css'

const Code = ({ code }: { code: string }) => (
  <div className={classes.content}>
    <p className={classes.text}>Give this code to the app. It works once, for this call only.</p>
    <CopyField label="Code" value={code} />
  </div>
)

interface QuestionProps {
  id: string
  connectionName: string
  effect: string
  onAgreed: (code: string) => void
}

const Question = ({ id, connectionName, effect, onAgreed }: QuestionProps) => {
  const { formProps, problem, failures, isPending } = useSubmission(async () => {
    onAgreed((await api.mcpConfirmationApprove({ params: { id } })).code)
  })
  return (
    <form className={classes.content} {...formProps}>
      <Alert variant="light" color="red" p="sm" icon={<IconAlertTriangle aria-hidden="true" />}>
        {connectionName} wants to make a dangerous call. Allow it only if you know why.
      </Alert>
      <pre className={classes.effect}>{effect}</pre>
      <FormError key={failures} problem={problem} />
      <div className={classes.acts}>
        <Button type="submit" color="red" loading={isPending}>
          Allow once
        </Button>
        <Button component={Link} to="/settings/ai" variant="default">
          Cancel
        </Button>
      </div>
    </form>
  )
}

/** Where a person agrees to a dangerous call of an app that can't ask by itself. */
export const ConfirmCallPage = () => {
  const { id = '' } = useParams()
  const [code, setCode] = useState<string>()
  const query = useQuery({
    queryKey: ['confirmations', id],
    queryFn: () => api.mcpConfirmationGet({ params: { id } }),
  })
  return (
    <Page title="Confirm a dangerous call" back={{ label: 'AI connections', to: '/settings/ai' }}>
      <div className={classes.column}>
        <Loaded query={query}>
          {({ confirmation: { connectionName, effect, isOpen } }) => (
            <Card>
              {code !== undefined && <Code code={code} />}
              {code === undefined && isOpen && (
                <Question id={id} connectionName={connectionName} effect={effect} onAgreed={setCode} />
              )}
              {code === undefined && !isOpen && (
                <p className={classes.text}>This call was made already, or it is too late. Ask the app to try again.</p>
              )}
            </Card>
          )}
        </Loaded>
      </div>
    </Page>
  )
}
