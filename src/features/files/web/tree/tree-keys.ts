import type { KeyboardEvent } from 'react'
import { moveFocus } from '../move-focus.ts'

/** The row of what has the focus, with the button that opens it. */
const rowOf = (element: EventTarget) => {
  const item = element instanceof Element ? element.closest('li') : null
  const toggle = item?.querySelector<HTMLButtonElement>('button[aria-expanded]')
  return { item, toggle, isOpen: toggle?.getAttribute('aria-expanded') === 'true' }
}

const linkIn = (item: Element | null | undefined) => item?.querySelector<HTMLElement>('a')

/** Arrow keys as in other trees: Right opens or goes in, Left closes or goes out. */
export const treeKeys = (event: KeyboardEvent<HTMLElement>): void => {
  if (moveFocus(event)) return
  if (event.key !== 'ArrowRight' && event.key !== 'ArrowLeft') return
  event.preventDefault()
  const { item, toggle, isOpen } = rowOf(event.target)
  const opens = event.key === 'ArrowRight'
  if (opens !== isOpen) toggle?.click()
  else if (opens) linkIn(item?.querySelector('li'))?.focus()
  else linkIn(item?.parentElement?.closest('li'))?.focus()
}
