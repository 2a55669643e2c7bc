import { Button } from '@mantine/core'
import { bytesText, percentText } from '#web/kit/bytes.ts'
import { Card } from '#web/kit/Card.tsx'
import { counted } from '#web/kit/counted.ts'
import { Meter } from '#web/kit/Meter.tsx'
import { Section } from '#web/kit/Section.tsx'
import classes from './Files.module.css'
import type { Upload, useUploads } from './use-uploads.ts'

const SHOWN = 8

const isOpen = ({ state }: Upload) => state === 'waiting' || state === 'sending'

const stateText = ({ state, sentBytes, file, problem }: Upload): string => {
  if (state === 'failed') return problem ?? 'Failed'
  if (state === 'sending') return `${bytesText(sentBytes)} of ${bytesText(file.size)}`
  return { waiting: 'Waiting', done: 'Uploaded', canceled: 'Canceled' }[state]
}

type Uploads = ReturnType<typeof useUploads>

const Row = ({ upload, cancel, replace }: { upload: Upload } & Pick<Uploads, 'cancel' | 'replace'>) => (
  <li className={classes.upload}>
    <span className={classes.note}>
      {upload.path} · {stateText(upload)}
    </span>
    {isOpen(upload) && (
      <Button size="compact-xs" variant="subtle" onClick={() => cancel(upload.id)}>
        Cancel
      </Button>
    )}
    {upload.state === 'failed' && (
      <Button size="compact-xs" variant="default" onClick={() => replace(upload)}>
        {upload.isTaken ? 'Replace' : 'Try again'}
      </Button>
    )}
  </li>
)

/** What is on its way, what failed first, and how far all of it is. */
export const UploadList = ({ uploads, cancel, replace, clear }: Uploads) => {
  if (uploads.length === 0) return null
  const total = uploads.reduce((sum, { file }) => sum + file.size, 0)
  const sent = uploads.reduce((sum, { sentBytes, state, file }) => sum + (state === 'done' ? file.size : sentBytes), 0)
  const share = total === 0 ? 1 : sent / total
  const left = uploads.filter(isOpen).length
  const rank = ({ state }: Upload) => ['failed', 'sending', 'waiting', 'canceled', 'done'].indexOf(state)
  const shown = uploads.toSorted((a, b) => rank(a) - rank(b)).slice(0, SHOWN)
  return (
    <Section
      title="Uploads"
      actions={
        left === 0 && (
          <Button size="xs" variant="default" onClick={clear}>
            Clear
          </Button>
        )
      }
    >
      <Card>
        <ul className={classes.list} aria-live="polite">
          <li>
            <Meter
              isProgress
              label={left === 0 ? 'Finished' : `${counted(left, 'file')} left`}
              share={share}
              text={percentText(share)}
            />
          </li>
          {shown.map(upload => (
            <Row key={upload.id} {...{ upload, cancel, replace }} />
          ))}
          {uploads.length > SHOWN && <li className={classes.note}>and {uploads.length - SHOWN} more</li>}
        </ul>
      </Card>
    </Section>
  )
}
