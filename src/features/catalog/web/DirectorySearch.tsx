import { IconPuzzle } from '@tabler/icons-react'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { countText } from '#web/kit/counted.ts'
import { Empty } from '#web/kit/Empty.tsx'
import { Loaded } from '#web/kit/Loaded.tsx'
import { OlderButton } from '#web/kit/OlderButton.tsx'
import { SettledInput } from '#web/kit/SettledInput.tsx'
import { useFirstFocus } from '#web/kit/use-first-focus.ts'
import type { FoundPlugin } from '../contract.ts'
import { api } from './api.ts'
import classes from './PluginRow.module.css'
import { PluginRow, PluginRows } from './PluginRow.tsx'

const SHORTEST = 2

const useFound = (q: string) =>
  useInfiniteQuery({
    queryKey: ['plugins', 'search', q],
    queryFn: ({ pageParam }) => api.pluginSearch({ query: { q, page: pageParam } }),
    initialPageParam: 1,
    getNextPageParam: ({ items, page }) => (items.length === 0 ? undefined : page + 1),
    placeholderData: keepPreviousData,
    enabled: q.length >= SHORTEST,
  })

const moreOf = ({ slug, version, activeInstalls }: FoundPlugin): string => {
  const sites = activeInstalls === 0 ? 'fewer than 10 sites' : `${countText(activeInstalls)}+ sites`
  return `${slug} · ${version} · ${sites}`
}

type ActFor = (plugin: FoundPlugin) => ReactNode

const Results = ({ q, actFor }: { q: string; actFor: ActFor }) => {
  const query = useFound(q)
  return (
    <Loaded query={query}>
      {({ pages }) => {
        const plugins = [...new Map(pages.flatMap(({ items }) => items).map(found => [found.slug, found])).values()]
        if (plugins.length === 0)
          return (
            <Empty icon={IconPuzzle} title="No matching plugins">
              WordPress.org has none for these words.
            </Empty>
          )
        return (
          <>
            <PluginRows label="Plugins found">
              {plugins.map(found => (
                <PluginRow
                  key={found.slug}
                  name={found.name}
                  about={found.description}
                  more={moreOf(found)}
                  act={actFor(found)}
                />
              ))}
            </PluginRows>
            {plugins.length < (pages[0]?.total ?? 0) && query.hasNextPage && (
              <OlderButton query={query} label="Show more plugins" />
            )}
          </>
        )
      }}
    </Loaded>
  )
}

interface DirectorySearchProps {
  /** What can be done with a plugin that was found. */
  children: ActFor
  options?: ReactNode
  /** Shown until something is searched for. */
  before?: ReactNode
}

/** Finds plugins on WordPress.org. */
export const DirectorySearch = ({ children, options, before }: DirectorySearchProps) => {
  const [q, setQ] = useState('')
  const first = useFirstFocus()
  return (
    <div className={classes.content}>
      <SettledInput label="Search WordPress.org" ref={first} value={q} onSettle={text => setQ(text.trim())} />
      {options}
      {q.length < SHORTEST ? (
        <>
          <p className={classes.more}>Type at least two letters.</p>
          {before}
        </>
      ) : (
        <Results q={q} actFor={children} />
      )}
    </div>
  )
}
