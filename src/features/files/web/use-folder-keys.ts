import { type KeyboardEvent, type MouseEvent, useRef } from 'react'
import { useNavigate } from 'react-router'
import { moveFocus } from './move-focus.ts'
import { folderAddress, nameOf, parentOf } from './paths.ts'

/** Fields and dialogs in the list keep their keys. */
const isTyping = ({ target }: KeyboardEvent) =>
  target instanceof Element && target.closest('dialog, select, textarea, input:not([type="checkbox"])') !== null

/** Keys in the list of a folder: Up and Down move, Enter opens, Backspace goes to the parent. The focus stays in the list. */
export const useFolderKeys = (path: string) => {
  const navigate = useNavigate()
  const box = useRef<HTMLElement>(null)
  /** The folder that someone left from within the list. */
  const left = useRef<string>(undefined)
  const onClick = ({ target }: MouseEvent<HTMLElement>) => {
    if (target instanceof Element && target.closest('tbody a')) left.current = path
  }
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (isTyping(event) || moveFocus(event) || event.key !== 'Backspace' || path === '') return
    event.preventDefault()
    left.current = path
    void navigate(folderAddress(parentOf(path)))
  }
  /** For the list that is shown now: the focus comes along, to the folder that was left or to the first row. */
  const takeFocus = () => {
    const before = left.current
    left.current = undefined
    if (before === undefined || before === path) return
    const links = [...(box.current?.querySelectorAll<HTMLElement>('tbody a') ?? [])]
    const same = parentOf(before) === path ? links.find(link => link.textContent === nameOf(before)) : undefined
    const target = same ?? links[0] ?? box.current
    target?.focus()
  }
  return { box, takeFocus, listeners: { onClick, onKeyDown } }
}
