import { Button, type ButtonProps, TextInput } from '@mantine/core'
import { type ReactNode, useId, useState } from 'react'
import { Problem } from '#platform/contract/problem.ts'
import classes from './Confirm.module.css'
import { Dialog } from './Dialog.tsx'
import { FormError } from './FormError.tsx'
import { Prose } from './Prose.tsx'
import { refused } from './refused.ts'
import { useSubmission } from './use-submission.ts'
import { useUrlState } from './use-url-state.ts'

interface ConfirmProps {
  title: string
  /** What will happen, one short sentence each. */
  effects: readonly string[]
  /** What the button says: a verb and its object. */
  verb: string
  /** The way out, where `Cancel` would be read as the act. */
  wayOut?: string
  /** Only where it cannot be undone: what the person has to type. */
  name?: string
  /** Why it cannot be done now; the button that asks shows it, and so does a dialog opened by its address. */
  refusal?: string | undefined
  /** Choices that belong to the act. */
  children?: ReactNode
  act: () => Promise<unknown>
  onClose: () => void
}

/** Says exactly what an act will do before it is done. */
export const Confirm = ({
  title,
  effects,
  verb,
  wayOut = 'Cancel',
  name,
  refusal,
  children,
  act,
  onClose,
}: ConfirmProps) => {
  const [typed, setTyped] = useState('')
  const formId = useId()
  const { formProps, problem, failures, isPending } = useSubmission(async () => {
    await act()
    onClose()
  })
  const isFinal = name !== undefined
  const blocked = refusal === undefined || isPending ? undefined : new Problem('conflict', refusal)
  return (
    <Dialog
      title={title}
      onClose={onClose}
      footer={
        <>
          <Button variant="default" onClick={onClose}>
            {wayOut}
          </Button>
          <Button
            type="submit"
            form={formId}
            {...(isFinal && { color: 'red' })}
            disabled={(isFinal && typed.trim() !== name) || blocked !== undefined}
            loading={isPending}
          >
            {verb}
          </Button>
        </>
      }
    >
      <form id={formId} className={classes.content} {...formProps}>
        <ul className={classes.effects}>
          {effects.map(effect => (
            <li key={effect}>
              <Prose text={effect} />
            </li>
          ))}
        </ul>
        {children}
        {isFinal && (
          <TextInput
            label={`This can't be undone. Type ${name} to continue`}
            autoComplete="off"
            spellCheck={false}
            value={typed}
            onChange={event => setTyped(event.currentTarget.value)}
          />
        )}
        <FormError key={failures} problem={problem ?? blocked} />
      </form>
    </Dialog>
  )
}

interface ConfirmButtonProps extends Omit<ConfirmProps, 'onClose'>, Omit<ButtonProps, 'title' | 'name' | 'children'> {
  label: string
  /** What the address of the page calls the question, so that a link can ask it: `?ask=delete`. */
  ask: string
}

/** A button that confirms before it acts. */
export const ConfirmButton = (props: ConfirmButtonProps) => {
  const { label, ask, title, effects, verb, wayOut = 'Cancel', name, refusal, children, act, ...button } = props
  const url = useUrlState()
  // An act may have opened another page, whose address is its own.
  const close = () => {
    if (new URLSearchParams(window.location.search).get('ask') === ask) url.set({ ask: '' })
  }
  return (
    <>
      <Button
        variant="default"
        size="xs"
        {...button}
        {...refused(refusal)}
        onClick={() => refusal === undefined && url.push({ ask })}
      >
        {label}
      </Button>
      {url.of('ask') === ask && (
        <Confirm
          {...{ title, effects, verb, wayOut, refusal, act }}
          {...(name !== undefined && { name })}
          onClose={close}
        >
          {children}
        </Confirm>
      )}
    </>
  )
}
