import { Button, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { z } from 'zod'
import { type Server, type Storage, servers } from '#features/servers/contract.ts'
import { useFollowJob } from '#web/client/use-follow-job.ts'
import { bytesText } from '#web/kit/bytes.ts'
import { Card } from '#web/kit/Card.tsx'
import { ConfirmButton } from '#web/kit/Confirm.tsx'
import { FormError } from '#web/kit/FormError.tsx'
import { checked } from '#web/kit/field-errors.ts'
import { Loaded } from '#web/kit/Loaded.tsx'
import { Section } from '#web/kit/Section.tsx'
import { useForm } from '#web/kit/use-form.ts'
import { useUrlState } from '#web/kit/use-url-state.ts'
import { api } from './api.ts'
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
            title: ok ? `Backups can move to ${path}` : `Backups can't move to ${path}`,
            state: ok ? 'good' : 'bad',
            message: wordsOf(candidate),
            ...(problem !== null && { todo: problem }),
          },
        ]}
      />
      {ok && (
        <ConfirmButton
          variant="filled"
          label="Move backups"
          ask="move"
          title={`Move the backups of ${server.name}?`}
          verb="Move backups"
          effects={[
            `Every backup is copied from \`${server.backupRoot}\` to \`${path}\` and verified byte by byte.`,
            'Then the server switches to the new folder, and the old copy is deleted.',
            'Jobs on this server wait until it is done. Sites keep running.',
            'If it fails, the backups stay where they are.',
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
      title="Move backups"
      about="For example, to another disk on this server. The panel checks first that they fit."
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
            Check folder
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
