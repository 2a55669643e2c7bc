import { Button, type ButtonProps } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { Confirm } from '#web/kit/Confirm.tsx'
import { OwnPasswordField } from './OwnPasswordField.tsx'

interface ActProps {
  title: string
  /** What will happen, one short sentence each. */
  effects: readonly string[]
  verb: string
  /** Only where it cannot be undone: what the person has to type. */
  name?: string
  /** Choices that belong to the act. */
  children?: ReactNode
  act: (password: string) => Promise<unknown>
}

const ConfirmWithPassword = ({ act, onClose, children, ...confirm }: ActProps & { onClose: () => void }) => {
  const [password, setPassword] = useState('')
  return (
    <Confirm {...confirm} act={() => act(password)} onClose={onClose}>
      {children}
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
  children,
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
          {...{ title, effects, verb, act, children }}
          {...(name !== undefined && { name })}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  )
}
