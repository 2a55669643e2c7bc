import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '#web/api.ts'
import { Card } from '#web/ui/Card.tsx'
import { Choice } from '#web/ui/Choice.tsx'
import { CopyButton } from '#web/ui/CopyButton.tsx'
import { Loaded } from '#web/ui/Loaded.tsx'
import { Section } from '#web/ui/Section.tsx'
import classes from './AuthorizeKey.module.css'

const WAYS = [
  { value: 'key', word: 'The key' },
  { value: 'command', word: 'As a command' },
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
      title="1. Let the panel in"
      about={
        way === 'key'
          ? 'Give this key to your provider when you order the machine, or add it to authorized_keys there.'
          : 'Run this on the machine, as the account the panel signs in with.'
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
