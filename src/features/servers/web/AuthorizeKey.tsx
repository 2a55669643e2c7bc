import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Card } from '#web/kit/Card.tsx'
import { Choice } from '#web/kit/Choice.tsx'
import { CopyButton } from '#web/kit/CopyButton.tsx'
import { Loaded } from '#web/kit/Loaded.tsx'
import { Section } from '#web/kit/Section.tsx'
import classes from './AuthorizeKey.module.css'
import { api } from './api.ts'

const WAYS = [
  { value: 'key', word: 'Key' },
  { value: 'command', word: 'Command' },
] as const

/** Words as long as those of every key of this kind: they keep the place while the key is on its way. */
const ROOM = [11, 68, 10].map(letters => 'x'.repeat(letters)).join(' ')

const commandOf = (publicKey: string) =>
  `mkdir -p -m 700 ~/.ssh && echo '${publicKey.trim()}' >> ~/.ssh/authorized_keys && chmod 600 ~/.ssh/authorized_keys`

/** The key that lets the panel in, as it is or as a command to paste on the machine. */
export const AuthorizeKey = () => {
  const [way, setWay] = useState<(typeof WAYS)[number]['value']>('key')
  const key = useQuery({ queryKey: ['ssh-key'], queryFn: () => api.serverSshPublicKey(), staleTime: Infinity })
  return (
    <Section
      title="1. Give the panel access"
      about={
        way === 'key'
          ? 'Give this key to your provider when you order the machine, or add it to authorized_keys.'
          : 'Run this on the machine, as the user the panel signs in with.'
      }
      actions={<Choice label="How to show the key" options={WAYS} value={way} onChange={setWay} />}
    >
      <Card>
        <Loaded query={key} skeleton={<code className={classes.coming}>{ROOM}</code>}>
          {({ publicKey }) => {
            const text = way === 'key' ? publicKey.trim() : commandOf(publicKey)
            return (
              <div className={classes.row}>
                <code className={classes.key}>{text}</code>
                <CopyButton value={text} label={way} />
              </div>
            )
          }}
        </Loaded>
      </Card>
    </Section>
  )
}
