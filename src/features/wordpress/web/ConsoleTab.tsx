import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { Site } from '#features/sites/contract.ts'
import { useCan } from '#web/client/can.ts'
import { Card } from '#web/kit/Card.tsx'
import { FormError } from '#web/kit/FormError.tsx'
import { Section } from '#web/kit/Section.tsx'
import { useForm } from '#web/kit/use-form.ts'
import { api } from './api.ts'
import classes from './ConsoleTab.module.css'
import { wordpressActions } from './can.ts'
import { splitWords } from './split-words.ts'

interface Ran {
  id: number
  line: string
  text: string
  ok: boolean
}

const Output = ({ ran: { line, text, ok } }: { ran: Ran }) => (
  <li className={classes.ran} data-ok={ok}>
    <code className={classes.line}>{line}</code>
    <pre className={classes.text}>{text || 'No output'}</pre>
  </li>
)

interface ConsoleProps {
  title: string
  about: string
  label: string
  example: string
  refusal: string | undefined
  run: (line: string) => Promise<Omit<Ran, 'id' | 'line'>>
}

/** A line to type, and below it what the lines before it answered, newest first. */
const Console = ({ title, about, label, example, refusal, run }: ConsoleProps) => {
  const [history, setHistory] = useState<readonly Ran[]>([])
  const form = useForm({ line: '' }, async ({ line }) => {
    const ran = await run(line.trim())
    setHistory(before => [{ id: before.length, line: line.trim(), ...ran }, ...before])
  })
  return (
    <Section title={title} about={about}>
      <form {...form.formProps} className={classes.form}>
        <TextInput
          className={classes.field ?? ''}
          aria-label={label}
          placeholder={example}
          spellCheck={false}
          autoComplete="off"
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

/** WP-CLI and the REST API of a site. */
export const ConsoleTab = ({ site }: { site: Site }) => {
  const can = useCan(wordpressActions)
  const params = { slug: site.slug }
  return (
    <>
      <Console
        title="WP-CLI"
        about="Type a command without wp in front. It is stopped after 55 seconds."
        label="WP-CLI command"
        example="plugin list"
        refusal={can('wpCli', site).reason}
        run={async line => {
          const { stdout, stderr, exitCode } = await api.wpCli({ params, body: { args: splitWords(line) } })
          return { text: `${stdout}${stderr}`, ok: exitCode === 0 }
        }}
      />
      <Console
        title="REST API"
        about="Sends a GET request to a route of the site."
        label="REST route"
        example="/wp/v2/posts"
        refusal={can('wpRest', site).reason}
        run={async route => {
          const { status, body, error } = await api.wpRest({ params, body: { route } })
          const shown = typeof body === 'string' ? body : JSON.stringify(body, null, 2)
          return { text: error ?? `${status}\n${shown}`, ok: error === null && status === 200 }
        }}
      />
    </>
  )
}
