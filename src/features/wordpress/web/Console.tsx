import { Button, TextInput } from '@mantine/core'
import { Card } from '#web/kit/Card.tsx'
import { FormError } from '#web/kit/FormError.tsx'
import { Section } from '#web/kit/Section.tsx'
import { useForm } from '#web/kit/use-form.ts'
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
  const form = useForm({ line: '' }, async (values, reset) => {
    const line = values.line.trim()
    add({ line, ...(await run(line)) })
    reset()
  })
  const recall = useRecall(history, line => form.set({ line }))
  return (
    <Section title={title} about={about}>
      <form {...form.formProps} className={classes.form}>
        <TextInput
          className={classes.field ?? ''}
          aria-label={label}
          placeholder={example}
          spellCheck={false}
          autoComplete="off"
          onKeyDown={recall.onKeyDown}
          {...form.text('line')}
        />
        <Button
          type="submit"
          loading={form.isPending}
          disabled={refusal !== undefined || form.values.line.trim() === ''}
          title={refusal}
        >
          Run
        </Button>
      </form>
      <FormError key={form.failures} problem={form.problem} fields={['line']} />
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
