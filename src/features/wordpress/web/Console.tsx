import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import { Card } from '#web/kit/Card.tsx'
import { FormError } from '#web/kit/FormError.tsx'
import { Section } from '#web/kit/Section.tsx'
import { useSubmission } from '#web/kit/use-submission.ts'
import classes from './Console.module.css'
import { type Ran, useHistory, useRecall } from './use-history.ts'

const Output = ({ ran: { line, text, ok } }: { ran: Ran }) => (
  <li className={classes.ran} data-ok={ok}>
    <code className={classes.line}>{line}</code>
    <pre className={classes.text}>{text || 'No output'}</pre>
  </li>
)

interface ConsoleProps {
  slug: string
  title: string
  about: string
  label: string
  example: string
  refusal: string | undefined
  run: (line: string) => Promise<Pick<Ran, 'text' | 'ok'>>
}

/** A line to type, and below it what the lines before it answered, newest first. */
export const Console = ({ slug, title, about, label, example, refusal, run }: ConsoleProps) => {
  const { history, add } = useHistory(slug, label)
  const [line, setLine] = useState('')
  const recall = useRecall(history, setLine)
  const { formProps, isPending, failures, problem, errorOf } = useSubmission(async () => {
    const typed = line.trim()
    add({ line: typed, ...(await run(typed)) })
    setLine('')
    recall.forget()
  })
  return (
    <Section title={title} about={about}>
      <form {...formProps} className={classes.form}>
        <TextInput
          className={classes.field ?? ''}
          aria-label={label}
          placeholder={example}
          spellCheck={false}
          autoComplete="off"
          name="line"
          value={line}
          error={errorOf('line')}
          onChange={event => setLine(event.currentTarget.value)}
          onKeyDown={recall.onKeyDown}
        />
        <Button
          type="submit"
          loading={isPending}
          disabled={refusal !== undefined || line.trim() === ''}
          title={refusal}
        >
          Run
        </Button>
      </form>
      <FormError key={failures} problem={problem} fields={['line']} />
      {history.length > 0 && (
        <Card flush>
          <ul className={classes.history} aria-label={`Output of ${label}`} aria-live="polite">
            {history.map(ran => (
              <Output key={ran.id} ran={ran} />
            ))}
          </ul>
        </Card>
      )}
    </Section>
  )
}
