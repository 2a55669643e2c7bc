import { ActionIcon, TextInput } from '@mantine/core'
import { IconDownload, IconSearch } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import type { JobLogLine } from '#platform/contract/job.ts'
import classes from './JobLog.module.css'

interface JobLogProps {
  lines: readonly JobLogLine[]
  fileName: string
  isLive: boolean
}

const clock = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' })
const NEAR_END_PX = 40

const download = (lines: readonly JobLogLine[], fileName: string) => {
  const text = lines.map(line => `${new Date(line.at).toISOString()} ${line.stream} ${line.text}\n`)
  const address = URL.createObjectURL(new Blob(text, { type: 'text/plain' }))
  const link = document.createElement('a')
  link.href = address
  link.download = fileName
  link.click()
  URL.revokeObjectURL(address)
}

/** Keeps the newest line in sight, unless the person has scrolled up to read. */
const useTail = () => {
  const box = useRef<HTMLOListElement>(null)
  const isAtEnd = useRef(true)
  useEffect(() => {
    const list = box.current
    if (list && isAtEnd.current) list.scrollTop = list.scrollHeight
  })
  const onScroll = () => {
    const list = box.current
    if (list) isAtEnd.current = list.scrollHeight - list.scrollTop - list.clientHeight < NEAR_END_PX
  }
  // What scrolls must be reachable by keyboard.
  return { ref: box, onScroll, tabIndex: 0 }
}

/** The log of a job: it follows its end and can be searched and downloaded. */
export const JobLog = ({ lines, fileName, isLive }: JobLogProps) => {
  const [wanted, setWanted] = useState('')
  const tail = useTail()
  const found = lines.filter(({ text }) => text.toLowerCase().includes(wanted.trim().toLowerCase()))
  return (
    <div className={classes.frame}>
      <div className={classes.bar}>
        <TextInput
          size="xs"
          className={classes.search ?? ''}
          aria-label="Search the log"
          placeholder="Search the log"
          leftSection={<IconSearch size={14} aria-hidden="true" />}
          value={wanted}
          onChange={event => setWanted(event.currentTarget.value)}
        />
        <span className={classes.count}>
          {wanted.trim() === '' ? `${lines.length} lines` : `${found.length} of ${lines.length} lines`}
        </span>
        <ActionIcon
          variant="default"
          size={30}
          aria-label="Download the log"
          title="Download the log"
          onClick={() => download(lines, fileName)}
        >
          <IconDownload size={16} aria-hidden="true" />
        </ActionIcon>
      </div>
      <ol {...tail} className={classes.log} aria-label="Log">
        {found.map(line => (
          <li key={line.seq} data-stream={line.stream}>
            <time dateTime={new Date(line.at).toISOString()}>{clock.format(line.at)}</time>
            <span>{line.text}</span>
          </li>
        ))}
        {found.length === 0 && (
          <li className={classes.none}>
            {lines.length > 0 ? 'No matching lines.' : isLive ? 'No output yet.' : 'No output.'}
          </li>
        )}
      </ol>
    </div>
  )
}
