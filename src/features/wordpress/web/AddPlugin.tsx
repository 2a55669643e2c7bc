import { Button, Checkbox } from '@mantine/core'
import { IconPlus, IconPuzzle } from '@tabler/icons-react'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { catalog, type FoundPlugin } from '#features/catalog/contract.ts'
import type { Site } from '#features/sites/contract.ts'
import { clientOf } from '#web/client/api.ts'
import { useCan } from '#web/client/can.ts'
import { JobButton } from '#web/client/JobButton.tsx'
import { countText } from '#web/kit/counted.ts'
import { Dialog } from '#web/kit/Dialog.tsx'
import { Empty } from '#web/kit/Empty.tsx'
import { Loaded } from '#web/kit/Loaded.tsx'
import { OlderButton } from '#web/kit/OlderButton.tsx'
import { refused } from '#web/kit/refused.ts'
import { SettledInput } from '#web/kit/SettledInput.tsx'
import { Status } from '#web/kit/Status.tsx'
import { useFirstFocus } from '#web/kit/use-first-focus.ts'
import { useUrlState } from '#web/kit/use-url-state.ts'
import classes from './AddPlugin.module.css'
import { api } from './api.ts'
import { wordpressActions } from './can.ts'
import { FromCatalog } from './FromCatalog.tsx'

const { pluginSearch } = clientOf(catalog)
const ASK = 'add-plugin'
const SHORTEST = 2

const useFound = (q: string) =>
  useInfiniteQuery({
    queryKey: ['plugins', 'search', q],
    queryFn: ({ pageParam }) => pluginSearch({ query: { q, page: pageParam } }),
    initialPageParam: 1,
    getNextPageParam: ({ items, page }) => (items.length === 0 ? undefined : page + 1),
    placeholderData: keepPreviousData,
    enabled: q.length >= SHORTEST,
  })

interface FoundProps {
  site: Site
  plugin: FoundPlugin
  isInstalled: boolean
  activate: boolean
}

const Found = ({ site, plugin: { slug, name, version, description, activeInstalls }, ...props }: FoundProps) => {
  const verdict = useCan(wordpressActions)('wpPluginInstall', site)
  const body = { source: { kind: 'wporg' as const, slug }, activate: props.activate }
  const start = () => api.wpPluginInstall({ params: { slug: site.slug }, body })
  return (
    <li className={classes.found}>
      <div>
        <div className={classes.name}>{name}</div>
        <div>{description}</div>
        <div className={classes.more}>
          {slug} · {version} · {countText(activeInstalls)}+ sites
        </div>
      </div>
      {props.isInstalled ? (
        <Status tone="good" word="Installed" />
      ) : (
        <JobButton label="Install" name={`Install ${name}`} verdict={verdict} start={start} />
      )}
    </li>
  )
}

interface ResultsProps extends Omit<FoundProps, 'plugin' | 'isInstalled'> {
  q: string
  installed: ReadonlySet<string>
}

const Results = ({ q, installed, ...props }: ResultsProps) => {
  const query = useFound(q)
  if (q.length < SHORTEST)
    return (
      <>
        <p className={classes.more}>Type at least two letters.</p>
        <FromCatalog installed={installed} {...props} />
      </>
    )
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
                <Found key={found.slug} plugin={found} isInstalled={installed.has(found.slug)} {...props} />
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

const Search = (props: { site: Site; installed: ReadonlySet<string> }) => {
  const [q, setQ] = useState('')
  const [activate, setActivate] = useState(true)
  const first = useFirstFocus()
  return (
    <div className={classes.content}>
      <SettledInput label="Search WordPress.org" ref={first} value={q} onSettle={text => setQ(text.trim())} />
      <Checkbox
        label="Activate after installing"
        checked={activate}
        onChange={event => setActivate(event.currentTarget.checked)}
      />
      <Results {...props} q={q} activate={activate} />
    </div>
  )
}

/** Finds a plugin on WordPress.org or in the catalog and installs it. */
export const AddPlugin = ({ site, installed }: { site: Site; installed: ReadonlySet<string> }) => {
  const url = useUrlState()
  const { isOffered, isAllowed, reason } = useCan(wordpressActions)('wpPluginInstall', site)
  if (!isOffered) return null
  const open = () => isAllowed && url.push({ ask: ASK })
  return (
    <>
      <Button variant="default" size="xs" leftSection={<IconPlus size={14} />} {...refused(reason)} onClick={open}>
        Add plugin
      </Button>
      {url.of('ask') === ASK && (
        <Dialog title={`Add a plugin to ${site.title}`} kind="side" onClose={() => url.set({ ask: '' })}>
          <Search site={site} installed={installed} />
        </Dialog>
      )}
    </>
  )
}
