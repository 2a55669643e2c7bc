import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { reaches } from '#platform/contract/level.ts'
import { matchScore } from '#web/client/match-score.ts'
import type { Command, PaletteOffer, Searcher } from '#web/client/registration.ts'
import { useRegistry } from '#web/client/registry.ts'
import { useSession } from '#web/client/session.ts'

const PAUSE_MS = 150

/** The value once it has stood still: the panel is not asked for every letter. */
const useSettled = (value: string): string => {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}

/** Those that fit what was typed, best match first. */
const bestFirst = (commands: readonly Command[], typed: string): Command[] =>
  commands
    .map(command => ({ command, score: matchScore(typed, command.title, command.keywords) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => (typed === '' ? 0 : b.score - a.score))
    .map(({ command }) => command)

/** What features add, fetched when the palette is first opened. */
const usePaletteOffers = () => {
  const { palettes } = useRegistry()
  const { data = [] } = useQuery({
    queryKey: ['palette'],
    queryFn: () => Promise.all(palettes.map(load => load())),
    staleTime: Number.POSITIVE_INFINITY,
  })
  return data
}

const searchAll = async (offers: readonly PaletteOffer[], q: string, searcher: Searcher): Promise<Command[]> => {
  const inOrder = offers.toSorted((a, b) => (a.order ?? 0) - (b.order ?? 0))
  const asked = inOrder.flatMap(({ search }) => (search ? [search(q, searcher).catch(() => [])] : []))
  const found = await Promise.all(asked)
  return found.flat()
}

/** What the palette offers for a text: pages and acts with such a name, then what the features find. */
export const useFoundCommands = (typed: string, more: readonly Command[]) => {
  const access = useSession().data?.access ?? 'read-only'
  const registry = useRegistry()
  const offers = usePaletteOffers()
  const q = useSettled(typed.trim())
  const { data: found = [], isFetching } = useQuery({
    queryKey: ['search', q],
    queryFn: () => searchAll(offers, q, { access, registry }),
    enabled: q !== '' && offers.length > 0,
    placeholderData: keepPreviousData,
  })
  const pages = registry.entries.map(
    ({ title, icon, to, keywords = '' }): Command => ({ title, note: 'Go to', icon, to, keywords }),
  )
  const offered = [...pages, ...offers.flatMap(({ commands = [] }) => commands), ...more]
  const allowed = offered.filter(({ needs = 'none' }) => reaches(access, needs))
  const named = bestFirst(allowed, typed.trim())
  return { commands: [...named, ...(typed.trim() === '' ? [] : found)], isSearching: isFetching }
}
