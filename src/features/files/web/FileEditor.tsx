import { Alert, Button } from '@mantine/core'
import { IconAlertTriangle, IconFileUnknown } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useMemo, useRef, useState } from 'react'
import type { Site } from '#features/sites/contract.ts'
import { Problem } from '#platform/contract/problem.ts'
import { useCan } from '#web/client/can.ts'
import { Card } from '#web/kit/Card.tsx'
import { Empty } from '#web/kit/Empty.tsx'
import { FormError } from '#web/kit/FormError.tsx'
import { LeaveGuard } from '#web/kit/LeaveGuard.tsx'
import { Loaded } from '#web/kit/Loaded.tsx'
import { Skeleton } from '#web/kit/Skeleton.tsx'
import { showToast } from '#web/kit/toasts.ts'
import { useSubmission } from '#web/kit/use-submission.ts'
import { api } from './api.ts'
import { fileActions } from './can.ts'
import classes from './Editor.module.css'
import type { Start } from './editor/CodeField.tsx'
import type { Mistake } from './editor/mistake.ts'
import { FileFrame } from './FileFrame.tsx'
import { type FileText, writeText } from './file-text.ts'
import { nameOf } from './paths.ts'
import { useFile } from './use-files.ts'

/** The library behind it is fetched when the first file is opened. */
const CodeField = lazy(async () => ({ default: (await import('./editor/CodeField.tsx')).CodeField }))

/** What the editor began with; it begins again with every reload. */
interface Opened {
  etag: string
  text: FileText
  times: number
}

interface EditFormProps {
  slug: string
  path: string
  loaded: Opened
  /** What the file is on the server now. */
  currentEtag: string
  onReload: () => void
}

const mistakeIn = (problem: Problem | undefined): Mistake | undefined => {
  const { line } = (problem?.details ?? {}) as { line?: unknown }
  if (problem?.code !== 'syntax_error' || typeof line !== 'number') return undefined
  return { line, message: problem.message }
}

const Changed = ({ onReload, onOverwrite }: { onReload: () => void; onOverwrite: () => void }) => (
  <Alert
    color="orange"
    variant="light"
    icon={<IconAlertTriangle aria-hidden="true" />}
    title="The file was changed on the server"
  >
    <div className={classes.acts}>
      <span className={classes.state}>Someone else saved it since you opened it.</span>
      <Button size="xs" variant="default" onClick={onReload}>
        Discard and load it again
      </Button>
      <Button size="xs" variant="light" color="red" onClick={onOverwrite}>
        Overwrite it
      </Button>
    </div>
  </Alert>
)

const EditForm = ({ slug, path, loaded, currentEtag, onReload }: EditFormProps) => {
  const queryClient = useQueryClient()
  const [saved, setSaved] = useState({ text: loaded.text.text, etag: loaded.etag })
  const [start, setStart] = useState<Start>(saved)
  const [text, setText] = useState(saved.text)
  /** A save right after a key comes before the next drawing. */
  const written = useRef(text)
  const overwrites = useRef(false)
  const isDirty = text !== saved.text
  const form = useSubmission(async () => {
    const query = { path, ...(path.endsWith('.php') && { lint: 'php' as const }) }
    const condition = overwrites.current ? {} : { ifMatch: saved.etag }
    overwrites.current = false
    const sent = written.current
    const upload = writeText(sent, loaded.text.lineEnd)
    const { etag } = await api.fileWrite({ params: { slug }, query, upload, ...condition })
    setSaved({ text: sent, etag })
    showToast({ tone: 'good', text: `${nameOf(path)} saved.` })
    await queryClient.invalidateQueries({ queryKey: ['sites', 'file', slug, path] })
  })
  const mistake = useMemo(() => mistakeIn(form.problem), [form.problem])
  const element = form.formProps.ref
  const isLost =
    form.problem?.code === 'precondition_failed' ||
    (isDirty && !form.isPending && ![saved.etag, loaded.etag].includes(currentEtag))
  const change = (next: string) => {
    written.current = next
    setText(next)
  }
  const overwrite = () => {
    overwrites.current = true
    element.current?.requestSubmit()
  }
  return (
    <form className={classes.editor} {...form.formProps}>
      <LeaveGuard isDirty={isDirty && !form.isPending} />
      {isLost && <Changed onReload={onReload} onOverwrite={overwrite} />}
      {form.problem?.code !== 'precondition_failed' && (
        <FormError key={form.failures} problem={form.problem && new Problem(form.problem.code, form.problem.message)} />
      )}
      {loaded.text.isMixed && <p className={classes.state}>Line endings are mixed. Saving makes them equal.</p>}
      <Suspense fallback={<div className={classes.sheet} aria-busy="true" />}>
        <CodeField
          name={nameOf(path)}
          {...{ start, mistake }}
          onChange={change}
          onSave={() => element.current?.requestSubmit()}
        />
      </Suspense>
      <div className={classes.acts}>
        <output className={classes.state}>{isDirty ? 'You have unsaved changes.' : 'Saved'}</output>
        <Button variant="default" disabled={!isDirty} onClick={() => setStart({ text: saved.text })}>
          Discard
        </Button>
        <Button type="submit" loading={form.isPending} disabled={!isDirty}>
          Save
        </Button>
      </div>
    </form>
  )
}

/** A file of a site, to be read and changed. */
export const FileEditor = ({ site: { slug }, path }: { site: Site; path: string }) => {
  const query = useFile(slug, path)
  const [opened, setOpened] = useState<Opened>()
  const mayWrite = useCan(fileActions)('fileWrite').isOffered
  const now = query.data
  if (!opened && now?.text) setOpened({ etag: now.etag, text: now.text, times: 1 })
  const reload = async () => {
    const { data } = await query.refetch()
    if (data?.text) setOpened({ etag: data.etag, text: data.text, times: (opened?.times ?? 0) + 1 })
  }
  return (
    <FileFrame {...{ slug, path }}>
      <Loaded query={query} skeleton={<Skeleton rows={1} height="24rem" />}>
        {({ etag, text }) =>
          text === undefined || !mayWrite ? (
            <Card flush>
              <Empty icon={IconFileUnknown} title="This file can't be edited here">
                It isn't text in UTF-8. Download it instead.
              </Empty>
            </Card>
          ) : (
            opened && (
              <EditForm
                key={opened.times}
                {...{ slug, path }}
                loaded={opened}
                currentEtag={etag}
                onReload={() => void reload()}
              />
            )
          )
        }
      </Loaded>
    </FileFrame>
  )
}
