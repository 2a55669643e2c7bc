import { Button } from '@mantine/core'
import { useContext, useEffect, useState } from 'react'
import { UNSAFE_NavigationContext as NavigationContext, type To } from 'react-router'
import { Dialog } from './Dialog.tsx'
import { useUnsaved } from './use-unsaved.ts'

type Leave = () => void
type Move = (to: To, ...rest: unknown[]) => void

/** The part of the browser's Navigation API that is used here; not every browser has it. */
interface Traversal extends Event {
  navigationType: string
  destination: { key: string; url: string }
}

const navigation = () => (window as { navigation?: EventTarget & { traverseTo: (key: string) => unknown } }).navigation

const isElsewhere = (to: To | string): boolean =>
  new URL(typeof to === 'string' ? to : (to.pathname ?? ''), window.location.href).pathname !== window.location.pathname

/** Back and forward, where the browser lets a page ask. */
const guardTraversal = (ask: (leave: Leave) => void): Leave => {
  let isLeaving = false
  const onNavigate = (event: Event) => {
    const { navigationType, destination, cancelable } = event as Traversal
    if (navigationType !== 'traverse' || !cancelable || isLeaving || !isElsewhere(destination.url)) return
    event.preventDefault()
    ask(() => {
      isLeaving = true
      navigation()?.traverseTo(destination.key)
    })
  }
  navigation()?.addEventListener('navigate', onNavigate)
  return () => navigation()?.removeEventListener('navigate', onNavigate)
}

/** Asks before another page takes the place of one with unsaved changes. */
export const LeaveGuard = ({ isDirty }: { isDirty: boolean }) => {
  const { navigator } = useContext(NavigationContext)
  const [leave, setLeave] = useState<Leave>()
  useUnsaved(isDirty)
  useEffect(() => {
    if (!isDirty) return undefined
    const ask = (go: Leave) => setLeave(() => go)
    // Plain routes have no blocker of their own, so the two ways to another page are asked here.
    const { push, replace } = navigator
    const guarded =
      (move: Move): Move =>
      (to, ...rest) =>
        isElsewhere(to) ? ask(() => move(to, ...rest)) : move(to, ...rest)
    Object.assign(navigator, { push: guarded(push as Move), replace: guarded(replace as Move) })
    const endTraversal = guardTraversal(ask)
    return () => {
      Object.assign(navigator, { push, replace })
      endTraversal()
    }
  }, [isDirty, navigator])
  if (!leave) return null
  const close = () => setLeave(undefined)
  return (
    <Dialog
      title="Discard unsaved changes?"
      onClose={close}
      footer={
        <>
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button
            onClick={() => {
              close()
              leave()
            }}
          >
            Discard
          </Button>
        </>
      }
    >
      What you typed on this page will be lost.
    </Dialog>
  )
}
