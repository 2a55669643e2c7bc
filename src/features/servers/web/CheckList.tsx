import { VisuallyHidden } from '@mantine/core'
import { IconCircleCheck, IconCircleDashed, IconCircleX, IconLoader2 } from '@tabler/icons-react'
import type { Check } from '#features/servers/contract.ts'
import { Prose } from '#web/kit/Prose.tsx'
import classes from './CheckList.module.css'

export interface CheckItem {
  name: string
  title: string
  state: 'waiting' | 'running' | 'good' | 'bad'
  message?: string
  /** What to do about it. */
  todo?: string
}

const signs = {
  waiting: { icon: IconCircleDashed, word: 'Not checked yet' },
  running: { icon: IconLoader2, word: 'Checking' },
  good: { icon: IconCircleCheck, word: 'OK' },
  bad: { icon: IconCircleX, word: 'Failed' },
} as const

export const itemsOf = (checks: readonly Check[]): CheckItem[] =>
  checks.map(({ name, title, message, ok, todo }) => ({
    name,
    title,
    message,
    state: ok ? 'good' : 'bad',
    ...(todo !== null && { todo }),
  }))

/** What was looked at, one after the other, and what to do where it is not right. */
export const CheckList = ({ items }: { items: readonly CheckItem[] }) => (
  <ol className={classes.list}>
    {items.map(({ name, title, state, message, todo }) => {
      const { icon: Sign, word } = signs[state]
      return (
        <li key={name} className={classes.item} data-state={state}>
          <Sign size={20} className={classes.sign} aria-hidden="true" />
          <div className={classes.text}>
            <VisuallyHidden>{word}: </VisuallyHidden>
            <div className={classes.title}>{title}</div>
            {message && <div className={classes.message}>{message}</div>}
            {todo && (
              <div className={classes.todo}>
                <Prose text={todo} />
              </div>
            )}
          </div>
        </li>
      )
    })}
  </ol>
)
