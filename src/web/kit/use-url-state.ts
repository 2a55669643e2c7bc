import { useSearchParams } from 'react-router'

interface UrlState {
  /** The value in the address, or what stands for its absence. */
  of: (name: string) => string
  /** Changes some values at once; an empty one leaves the address. */
  set: (values: Record<string, string>) => void
  /** As `set`, but the browser's back button undoes it: for what opens and closes. */
  push: (values: Record<string, string>) => void
}

/** What a person chose on a page lives in its address: filters, sorting, drawers. */
export const useUrlState = (): UrlState => {
  const [search, setSearch] = useSearchParams()
  const change = (values: Record<string, string>, replace: boolean) =>
    setSearch(
      () => {
        // As it is now: what asked for the change may have waited for an answer since it was drawn.
        const next = new URLSearchParams(window.location.search)
        for (const [name, value] of Object.entries(values)) {
          if (value === '') next.delete(name)
          else next.set(name, value)
        }
        return next
      },
      { replace, preventScrollReset: true },
    )
  return {
    of: name => search.get(name) ?? '',
    set: values => change(values, true),
    push: values => change(values, false),
  }
}
