import { useEffect, useRef } from 'react'

/** Puts the cursor into the first field of a page, and of every step that replaces it. */
export const useFirstFocus = () => {
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])
  return field
}
