import { Button } from '@mantine/core'
import { IconPuzzle } from '@tabler/icons-react'
import { keepPreviousData, useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { countText } from '#web/kit/counted.ts'
import { Dialog } from '#web/kit/Dialog.tsx'
import { Empty } from '#web/kit/Empty.tsx'
import { Loaded } from '#web/kit/Loaded.tsx'
import { OlderButton } from '#web/kit/OlderButton.tsx'
import { toProblem } from '#web/kit/problem.ts'
import { SettledInput } from '#web/kit/SettledInput.tsx'
import { Status } from '#web/kit/Status.tsx'
import { showToast } from '#web/kit/toasts.ts'
import { useFirstFocus } from '#web/kit/use-first-focus.ts'
import { useUrlState } from '#web/kit/use-url-state.ts'
import type { FoundPlugin } from '../contract.ts'
import classes from './AddFromDirectory.module.css'
import { api } from './api.ts'

const ASK = 'add'
const SHORTEST = 2
const LONGEST_NAME = 100

const useFound = (q: string) =>
  useInfiniteQuery({
    queryKey: ['plugins', 'search', q],
    queryFn: ({ pageParam }) => api.pluginSearch({ query: { q, page: pageParam } }),
    initialPageParam: 1,
    getNextPageParam: ({ items, page }) => (items.length === 0 ? undefined : page + 1),
    placeholderData: keepPreviousData,
    enabled: q.length >= SHORTEST,
  })

const Found = ({ plugin, isThere }: { plugin: FoundPlugin; isThere: boolean }) => {
  const { slug, name, version, description, activeInstalls } = plugin
  const queryClient = useQueryClient()
  const adding = useMutation({
    mutationFn: () =>
      api.pluginAdd({ body: { kind: 'wporg', slug, name: name.trim().slice(0, LONGEST_NAME) || slug } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['plugins'] }),
    onError: error => showToast({ tone: 'bad', text: toProblem(error).message }),
  })
  return (
    <li className={classes.found}>
      <div>
        <div className={classes.name}>{name}</div>
        <div>{description}</div>
        <div className={classes.more}>
          {slug} · {version} · {activeInstalls === 0 ? 'fewer than 10 sites' : `${countText(activeInstalls)}+ sites`}
        </div>
      </div>
      {isThere ? (
        <Status tone="good" word="In the catalog" />
      ) : (
        <Button
          variant="default"
          size="xs"
          aria-label={`Add ${name}`}
          loading={adding.isPending}
          onClick={() => adding.mutate()}
        >
          Add
        </Button>
      )}
    </li>
  )
}

const Results = ({ q, known }: { q: string; known: ReadonlySet<string> }) => {
  const query = useFound(q)
  if (q.length < SHORTEST) return <p className={classes.more}>Type at least two letters.</p>
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
            <ul className={classes.list} aria-label="Plugins found">
              {plugins.map(found => (
                <Found key={found.slug} plugin={found} isThere={known.has(found.slug)} />
              ))}
            </ul>
            {plugins.length < (pages[0]?.total ?? 0) && query.hasNextPage && (
              <OlderButton query={query} label="Show more plugins" />
            )}
          </>
        )
      }}
    </Loaded>
  )
}

/** Finds a plugin on WordPress.org and adds it to the catalog. */
export const AddFromDirectory = ({ known }: { known: ReadonlySet<string> }) => {
  const url = useUrlState()
  const [q, setQ] = useState('')
  const first = useFirstFocus()
  return (
    <>
      <Button size="sm" onClick={() => url.push({ ask: ASK })}>
        Add from WordPress.org
      </Button>
      {url.of('ask') === ASK && (
        <Dialog title="Add a plugin to the catalog" kind="side" onClose={() => url.set({ ask: '' })}>
          <div className={classes.content}>
            <SettledInput label="Search WordPress.org" ref={first} value={q} onSettle={text => setQ(text.trim())} />
            <Results q={q} known={known} />
          </div>
        </Dialog>
      )}
    </>
  )
}
