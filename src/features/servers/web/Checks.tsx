import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { Server } from '#features/servers/contract.ts'
import { useCan } from '#web/client/can.ts'
import { Card } from '#web/kit/Card.tsx'
import { FormError } from '#web/kit/FormError.tsx'
import { toProblem } from '#web/kit/problem.ts'
import { Section } from '#web/kit/Section.tsx'
import { api } from './api.ts'
import { CheckList, itemsOf } from './CheckList.tsx'
import { serverActions } from './can.ts'

const RUNNING = [{ name: 'running', title: 'Checking the server', state: 'running' as const }]

/** Looks at connection, system and stack on demand. */
export const Checks = ({ server }: { server: Server }) => {
  const can = useCan(serverActions)
  const test = useMutation({ mutationFn: () => api.serverTest({ params: { id: server.id } }) })
  if (!can('serverTest', server).isOffered) return null
  return (
    <Section
      title="Checks"
      about="Checks the connection, the machine and its services. Changes nothing."
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
