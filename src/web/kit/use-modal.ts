import { type SyntheticEvent, useLayoutEffect, useRef } from 'react'

/** The properties of a `<dialog>` that is in front of the page as long as it is drawn. */
export const useModal = (onClose: () => void) => {
  const dialog = useRef<HTMLDialogElement>(null)
  // Closed before it leaves the page, because only then the focus goes back to where it was.
  useLayoutEffect(() => {
    const element = dialog.current
    element?.showModal()
    return () => element?.close()
  }, [])
  return {
    ref: dialog,
    closedby: 'any',
    // A dialog inside this one tells its end to this one too.
    onCancel: (event: SyntheticEvent) => {
      if (event.target !== event.currentTarget) return
      event.preventDefault()
      onClose()
    },
    // The browser may close it without asking.
    onClose: () => {
      if (!dialog.current?.open) onClose()
    },
  } as const
}
