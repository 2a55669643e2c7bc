import { Alert, NativeSelect } from '@mantine/core'
import { IconWorldOff } from '@tabler/icons-react'
import { useState } from 'react'
import type { z } from 'zod'
import { CopyButton, CopyField } from '#web/kit/CopyButton.tsx'
import type { mcp, SetupApp } from '../contract.ts'
import classes from './AppSetup.module.css'

const TOKEN = 'YOUR_TOKEN'

export type Setup = z.infer<typeof mcp.mcpSetup.reply>

const SnippetView = ({ snippet: { title, text } }: { snippet: SetupApp['snippets'][number] }) => (
  <figure className={classes.snippet}>
    <figcaption className={classes.caption}>
      {title}
      <CopyButton value={text} label="snippet" />
    </figcaption>
    <pre className={classes.text}>{text}</pre>
  </figure>
)

const OnlyLocal = () => (
  <Alert variant="light" color="orange" p="sm" icon={<IconWorldOff aria-hidden="true" />}>
    This panel can't be reached from the internet over HTTPS, so apps that run in the cloud can't connect. Apps on this
    computer can.
  </Alert>
)

interface AppSetupProps {
  setup: Setup
  /** Where there is one, the snippets are ready to paste. */
  token?: string
}

/** How to connect each app. */
export const AppSetup = ({ setup: { url, isPublic, apps }, token }: AppSetupProps) => {
  const [chosen, choose] = useState<string>()
  const signIn = token === undefined ? 'browser' : 'token'
  const usable = apps.filter(app => app.signIn.includes(signIn))
  const app = usable.find(({ id }) => id === chosen) ?? usable.find(one => isPublic || one.snippets.length > 0)
  const snippets = (app?.snippets ?? []).filter(snippet => snippet.signIn === signIn)
  return (
    <div className={classes.setup}>
      <CopyField label="Address" value={url} />
      {!isPublic && <OnlyLocal />}
      <NativeSelect
        label="App"
        data={usable.map(({ id, name }) => ({ value: id, label: name }))}
        value={app?.id}
        onChange={event => choose(event.currentTarget.value)}
      />
      {token === undefined && (
        <ol className={classes.steps}>
          {app?.steps.map(step => (
            <li key={step}>{step}</li>
          ))}
        </ol>
      )}
      {snippets.map(snippet => (
        <SnippetView
          key={snippet.title}
          snippet={{ ...snippet, text: snippet.text.replaceAll(TOKEN, token ?? TOKEN) }}
        />
      ))}
    </div>
  )
}
