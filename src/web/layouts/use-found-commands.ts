import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { reaches } from '#platform/contract/level.ts'
import type { Command } from '#web/screen.ts'
import { features } from '#web/screens.ts'
import { useSession } from '#web/session.ts'

const PAUSE_MS = 150
const LAST = 1_000

/** The value once it has stood still: the panel is not asked for every letter. */
const useSettled = (value: string): string => {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}

const pagesAndActs: readonly Command[] = features
  .toSorted((a, b) => (a.entry?.order ?? LAST) - (b.entry?.order ?? LAST))
  .flatMap(({ entry, commands = [] }) => [
    ...(entry ? [{ title: entry.title, note: 'Go to', icon: entry.icon, to: entry.to }] : []),
    ...commands,
  ])

/** Every word of what was typed begins a word of the title. */
const fits = (title: string, typed: string) => {
  const words = title.toLowerCase().split(/\s+/)
  return typed
    .toLowerCase()
    .split(/\s+/)
    .every(part => words.some(word => word.startsWith(part)))
}

const searchAll = async (q: string): Promise<Command[]> => {
  const asked = features.flatMap(({ search }) => (search ? [search(q).catch(() => [])] : []))
  const found = await Promise.all(asked)
  return found.flat()
}

/** What the palette offers for a text: pages and acts with such a name, then what the features find. */
export const useFoundCommands = (typed: string, more: readonly Command[]) => {
  const { data: session } = useSession()
  const q = useSettled(typed.trim())
  const { data: found = [], isFetching } = useQuery({
    queryKey: ['search', q],
    queryFn: () => searchAll(q),
    enabled: q !== '',
    placeholderData: keepPreviousData,
  })
  const mayUse = ({ needs = 'none' }: Command) => reaches(session?.access ?? 'none', needs)
  const named = [...pagesAndActs, ...more].filter(command => fits(command.title, typed.trim()))
  return { commands: [...named, ...(typed.trim() === '' ? [] : found)].filter(mayUse), isSearching: isFetching }
}
