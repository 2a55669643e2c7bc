import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { Server } from '#features/servers/contract.ts'
import { api, toProblem } from '#web/api.ts'
import { useMay } from '#web/session.ts'
import { Card } from '#web/ui/Card.tsx'
import { FormError } from '#web/ui/FormError.tsx'
import { Section } from '#web/ui/Section.tsx'
import { CheckList, itemsOf } from './CheckList.tsx'

const RUNNING = [{ name: 'running', title: 'Looking at the machine and what runs on it', state: 'running' as const }]

/** Looks at connection, system and stack on demand. */
export const Checks = ({ server }: { server: Server }) => {
  const may = useMay()
  const test = useMutation({ mutationFn: () => api.serverTest({ params: { id: server.id } }) })
  if (!may('manage')) return null
  return (
    <Section
      title="Checks"
      about="Looks at the connection, the machine and what runs on it. Changes nothing."
      actions={
        <Button variant="default" size="xs" loading={test.isPending} onClick={() => test.mutate()}>
          Check now
        </Button>
      }
    >
      {test.error && <FormError problem={toProblem(test.error)} />}
      {(test.data || test.isPending) && (
        <Card>
          <div aria-live="polite">
            <CheckList items={test.isPending ? RUNNING : itemsOf(test.data?.checks ?? [])} />
          </div>
        </Card>
      )}
    </Section>
  )
}
