import { Button, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { z } from 'zod'
import { type Server, type Storage, servers } from '#features/servers/contract.ts'
import { api } from '#web/api.ts'
import { bytesText } from '#web/ui/bytes.ts'
import { Card } from '#web/ui/Card.tsx'
import { ConfirmButton } from '#web/ui/Confirm.tsx'
import { FormError } from '#web/ui/FormError.tsx'
import { checked } from '#web/ui/field-errors.ts'
import { Loaded } from '#web/ui/Loaded.tsx'
import { Section } from '#web/ui/Section.tsx'
import { useFollowJob } from '#web/ui/use-follow-job.ts'
import { useForm } from '#web/ui/use-form.ts'
import { useUrlState } from '#web/ui/use-url-state.ts'
import { CheckList } from './CheckList.tsx'
import classes from './MoveBackups.module.css'

type Candidate = NonNullable<z.output<typeof Storage>['candidate']>

const useCandidate = (id: number, path: string) =>
  useQuery({
    queryKey: ['servers', id, 'storage', path],
    queryFn: () => api.serverStorage({ params: { id }, query: { path } }),
    enabled: path !== '',
    staleTime: 0,
  })

const wordsOf = ({ filesystem, freeBytes, totalBytes }: Candidate): string =>
  [
    filesystem === null ? '' : `On ${filesystem}`,
    freeBytes === null || totalBytes === null ? '' : `${bytesText(freeBytes)} of ${bytesText(totalBytes)} free`,
  ]
    .filter(Boolean)
    .join(', ')

const Verdict = ({ server, candidate }: { server: Server; candidate: Candidate }) => {
  const follow = useFollowJob()
  const { path, ok, problem } = candidate
  return (
    <div className={classes.verdict}>
      <CheckList
        items={[
          {
            name: path,
            title: ok ? `Backups can move to ${path}` : `Backups cannot move to ${path}`,
            state: ok ? 'good' : 'bad',
            message: wordsOf(candidate),
            ...(problem !== null && { todo: problem }),
          },
        ]}
      />
      {ok && (
        <ConfirmButton
          variant="filled"
          label="Move the backups"
          ask="move"
          title={`Move the backups of ${server.name}?`}
          verb="Move the backups"
          effects={[
            `Every backup is copied from \`${server.backupRoot}\` to \`${path}\`, and each byte is compared.`,
            'Only then the server uses the new folder, and the old copy is removed.',
            'Jobs on this server wait meanwhile. Its sites go on.',
            'When it fails, the backups stay where they are.',
          ]}
          act={() =>
            follow(api.serverRelocateBackups({ params: { id: server.id }, body: { to: path } }), { show: true })
          }
        />
      )}
    </div>
  )
}

/** Another folder for the backups: first looked at, then moved to. */
export const MoveBackups = ({ server }: { server: Server }) => {
  const url = useUrlState()
  const path = url.of('path')
  const candidate = useCandidate(server.id, path)
  const { formProps, text, problem, failures } = useForm({ to: path }, async values => {
    const { to } = checked(servers.serverRelocateBackups.body, { to: values.to.trim() })
    if (to === path) await candidate.refetch()
    else url.set({ path: to })
  })
  return (
    <Section
      title="Move them"
      about="To another disk of the same server, for instance. First the panel looks whether they fit."
    >
      <Card>
        <form {...formProps} className={classes.form}>
          <TextInput
            className={classes.field ?? ''}
            label="New folder"
            placeholder="/mnt/disk/backups"
            spellCheck={false}
            {...text('to')}
          />
          <Button type="submit" variant="default" loading={candidate.isFetching}>
            Look at it
          </Button>
        </form>
        <FormError key={failures} problem={problem} fields={['to']} />
        {path !== '' && (
          <Loaded query={candidate} skeleton={null}>
            {data => data.candidate && <Verdict server={server} candidate={data.candidate} />}
          </Loaded>
        )}
      </Card>
    </Section>
  )
}
