import { ActionIcon } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useState } from 'react'
import classes from './CopyButton.module.css'
import { showToast } from './toasts.ts'

const SHOWN_MS = 1_500

/** Puts a text on the clipboard and says so. `label` names the text: "password", "address". */
export const CopyButton = ({ value, label }: { value: string; label: string }) => {
  const [copied, setCopied] = useState(false)
  const showCopied = () => {
    setCopied(true)
    setTimeout(() => setCopied(false), SHOWN_MS)
  }
  const copy = () =>
    navigator.clipboard
      .writeText(value)
      .then(showCopied, () =>
        showToast({ tone: 'bad', text: 'Your browser blocked copying. Select the text and copy it yourself.' }),
      )
  const Sign = copied ? IconCheck : IconCopy
  const name = copied ? `Copied the ${label}` : `Copy the ${label}`
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size="sm"
      c="dimmed"
      aria-label={name}
      title={name}
      onClick={() => void copy()}
    >
      <Sign size={16} aria-hidden="true" />
    </ActionIcon>
  )
}

/** A value that people take elsewhere, with its name and its button. */
export const CopyField = ({ value, label }: { value: string; label: string }) => (
  <div className={classes.field}>
    <span className={classes.label}>{label}</span>
    <code className={classes.value}>{value}</code>
    <CopyButton value={value} label={label.toLowerCase()} />
  </div>
)
