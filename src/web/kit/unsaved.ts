const holders = new Set<symbol>()

/** Whether something was typed that is not saved yet. */
export const hasUnsavedChanges = (): boolean => holders.size > 0

/** Notes unsaved changes until the returned function is called. */
export const holdUnsaved = (): (() => void) => {
  const holder = Symbol('unsaved changes')
  holders.add(holder)
  return () => void holders.delete(holder)
}
