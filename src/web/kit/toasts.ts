import { useSyncExternalStore } from 'react'

export interface Toast {
  tone: 'good' | 'bad'
  text: string
  link?: { label: string; to: string }
}

export interface ShownToast extends Toast {
  id: number
}

const SHOWN_MS = 6_000
const AT_MOST = 4

let shown: readonly ShownToast[] = []
let lastId = 0
const listeners = new Set<() => void>()

const show = (next: readonly ShownToast[]) => {
  shown = next
  for (const listener of listeners) listener()
}

export const dismissToast = (id: number): void => show(shown.filter(toast => toast.id !== id))

/** Tells of something that has ended. Good news goes by itself; bad news stays until it was read. */
export const showToast = (toast: Toast): void => {
  lastId += 1
  const id = lastId
  show([...shown, { ...toast, id }].slice(-AT_MOST))
  if (toast.tone === 'good') setTimeout(() => dismissToast(id), SHOWN_MS)
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export const useToasts = (): readonly ShownToast[] =>
  useSyncExternalStore(
    subscribe,
    () => shown,
    () => shown,
  )
