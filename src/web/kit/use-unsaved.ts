import { useEffect } from 'react'
import { holdUnsaved } from './unsaved.ts'

/** Notes unsaved changes as long as they are there; the browser then asks before it closes or reloads the page. */
export const useUnsaved = (isDirty: boolean): void => {
  useEffect(() => {
    if (!isDirty) return undefined
    const release = holdUnsaved()
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => {
      release()
      window.removeEventListener('beforeunload', ask)
    }
  }, [isDirty])
}
