import type { KeyboardEvent } from 'react'

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 }

const hasModifier = ({ altKey, ctrlKey, metaKey, shiftKey }: KeyboardEvent) => altKey || ctrlKey || metaKey || shiftKey

/** Up and Down move the focus among the links of a list. Says whether it was one of them. */
export const moveFocus = (event: KeyboardEvent<HTMLElement>): boolean => {
  const step = STEPS[event.key]
  if (step === undefined || hasModifier(event)) return false
  const links = [...event.currentTarget.querySelectorAll<HTMLElement>('tbody a, li a')]
  const row = event.target instanceof Element ? event.target.closest('tr, li') : null
  const next = links[links.findIndex(link => link.closest('tr, li') === row) + step]
  event.preventDefault()
  next?.focus()
  return true
}
