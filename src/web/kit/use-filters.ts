import { useUrlState } from './use-url-state.ts'

/** The filters of a list, which live in the address under the names the API gives them; an empty one is not set. */
export const useFilters = <N extends string>(names: readonly N[]): Record<N, string> => {
  const url = useUrlState()
  return Object.fromEntries(names.map(name => [name, url.of(name)])) as Record<N, string>
}

export const isFiltered = (filters: Readonly<Record<string, string>>): boolean =>
  Object.values(filters).some(value => value !== '')

/** Those that are set, as a query takes them. */
export const givenFilters = (filters: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== ''))
