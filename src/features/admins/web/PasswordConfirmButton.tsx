import { Button, type ButtonProps } from '@mantine/core'
import { useState } from 'react'
import { Confirm } from '#web/ui/Confirm.tsx'
import { OwnPasswordField } from './OwnPasswordField.tsx'

interface ActProps {
  title: string
  /** What will happen, one short sentence each. */
  effects: readonly string[]
  verb: string
  /** Only where it cannot be undone: what the person has to type. */
  name?: string
  act: (password: string) => Promise<unknown>
}

const ConfirmWithPassword = ({ act, onClose, ...confirm }: ActProps & { onClose: () => void }) => {
  const [password, setPassword] = useState('')
  return (
    <Confirm {...confirm} act={() => act(password)} onClose={onClose}>
      <OwnPasswordField name="password" value={password} onChange={event => setPassword(event.currentTarget.value)} />
    </Confirm>
  )
}

/** A button that says what it will do, and asks for the password of the person who does it. */
export const PasswordConfirmButton = ({
  label,
  title,
  effects,
  verb,
  name,
  act,
  ...button
}: ActProps & { label: string } & Omit<ButtonProps, 'title' | 'name' | 'children'>) => {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button variant="default" size="xs" {...button} onClick={() => setOpen(true)}>
        {label}
      </Button>
      {isOpen && (
        <ConfirmWithPassword
          {...{ title, effects, verb, act }}
          {...(name !== undefined && { name })}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  )
}
