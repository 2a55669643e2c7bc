import { Alert, VisuallyHidden } from '@mantine/core'
import { IconAlertCircle } from '@tabler/icons-react'
import { fieldWords } from '#platform/contract/plain-messages.ts'
import type { Problem } from '#platform/contract/problem.ts'
import classes from './FormError.module.css'
import { faultsOf } from './field-errors.ts'
import { Prose } from './Prose.tsx'

interface FormErrorProps {
  problem: Problem | undefined
  /** Fields of the form that show their own error. */
  fields?: readonly string[]
}

const plain = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined

/** The details of a problem as short lines; what has no short form is left to the panel's log. */
const detailLines = ({ details }: Problem): string[] => {
  if (typeof details !== 'object' || details === null) return [plain(details) ?? ''].filter(text => text !== '')
  return Object.entries(details).flatMap(([name, value]) => {
    const text = plain(value)
    if (text === undefined) return []
    return Array.isArray(details) ? [text] : [`${fieldWords(name)}: ${text}`]
  })
}

/** Says what went wrong and what to do next, and is read out as soon as it appears. */
export const FormError = ({ problem, fields = [] }: FormErrorProps) => {
  if (!problem) return null
  const faults = faultsOf(problem)
  const elsewhere = faults.filter(({ path }) => !fields.includes(path))
  if (faults.length > 0 && elsewhere.length === 0) {
    return <VisuallyHidden role="alert">Check the marked fields.</VisuallyHidden>
  }
  const lines =
    faults.length > 0
      ? elsewhere.map(({ path, message }) => `${fieldWords(path)} ${message}`.trim())
      : detailLines(problem)
  return (
    <Alert color="red" variant="light" p="sm" icon={<IconAlertCircle aria-hidden="true" />}>
      <span className={classes.message}>
        <Prose text={problem.message} />
      </span>
      {lines.length > 0 && (
        <ul className={classes.details}>
          {lines.map(line => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      )}
    </Alert>
  )
}
