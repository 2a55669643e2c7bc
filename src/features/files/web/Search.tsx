import { Anchor, Button, Checkbox, NativeSelect, TextInput } from '@mantine/core'
import { IconSearchOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { Card } from '#web/kit/Card.tsx'
import { Empty } from '#web/kit/Empty.tsx'
import { Loaded } from '#web/kit/Loaded.tsx'
import { Section } from '#web/kit/Section.tsx'
import { useForm } from '#web/kit/use-form.ts'
import { useUrlState } from '#web/kit/use-url-state.ts'
import { api } from './api.ts'
import classes from './Files.module.css'
import { fileAddress, folderAddress } from './paths.ts'

const MODES = [
  { value: 'name', label: 'Names' },
  { value: 'content', label: 'Contents' },
]

const FLAG = 'true'

/** What the address says of a search. */
export const searchIn = ({ of }: Pick<ReturnType<typeof useUrlState>, 'of'>) => ({
  q: of('find'),
  mode: of('in') === 'content' ? ('content' as const) : ('name' as const),
  ...(of('case') === FLAG && { case: FLAG as 'true' }),
  ...(of('regex') === FLAG && { regex: FLAG as 'true' }),
  ...(of('include') !== '' && { include: of('include') }),
})

/** What to look for, below the folder that is open. */
export const SearchForm = () => {
  const url = useUrlState()
  const before = {
    find: url.of('find'),
    in: url.of('in') || 'name',
    case: url.of('case') === FLAG,
    regex: url.of('regex') === FLAG,
    include: url.of('include'),
  }
  const form = useForm(before, async ({ find, in: mode, include, ...flags }) => {
    const said = { case: flags.case ? FLAG : '', regex: flags.regex ? FLAG : '' }
    url.push({ find: find.trim(), in: mode, include: include.trim(), ...said, file: '' })
  })
  const isAsked = form.values.find.trim() !== ''
  return (
    <form className={classes.search} {...form.formProps}>
      <TextInput aria-label="Search files" placeholder="Search this folder" autoComplete="off" {...form.text('find')} />
      <NativeSelect aria-label="Search in" data={MODES} {...form.text('in')} />
      <Button type="submit" variant="default" disabled={!isAsked}>
        Search
      </Button>
      {isAsked && (
        <div className={classes.options}>
          <TextInput
            aria-label="Only files named"
            placeholder="Only files such as *.php"
            size="xs"
            autoComplete="off"
            spellCheck={false}
            {...form.text('include')}
          />
          <Checkbox size="xs" label="Match case" {...form.flag('case')} />
          <Checkbox size="xs" label="Regular expression" {...form.flag('regex')} />
        </div>
      )}
    </form>
  )
}

interface Match {
  path: string
  kind: string
  line: number | null
  text: string | null
}

const Matches = ({ matches }: { matches: readonly Match[] }) => (
  <Card>
    <ul className={classes.list}>
      {matches.map(({ path, kind, line, text }) => (
        <li key={`${path}:${line}`}>
          <Anchor component={Link} size="sm" to={kind === 'folder' ? folderAddress(path) : fileAddress(path)}>
            {path}
            {line !== null && `:${line}`}
          </Anchor>
          {text !== null && <div className={`${classes.note} ${classes.mono}`}>{text}</div>}
        </li>
      ))}
    </ul>
  </Card>
)

interface FoundFilesProps {
  slug: string
  path: string
  search: ReturnType<typeof searchIn>
}

/** What was found. It is not asked for again by itself: searching takes the server some work. */
export const FoundFiles = ({ slug, path, search }: FoundFilesProps) => {
  const url = useUrlState()
  const query = useQuery({
    queryKey: ['files-found', slug, path, search],
    queryFn: () => api.fileSearch({ params: { slug }, query: { path, ...search } }),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  return (
    <Section
      title={`Search results for ${search.q}`}
      actions={
        <Button
          size="xs"
          variant="default"
          onClick={() => url.push({ find: '', in: '', case: '', regex: '', include: '' })}
        >
          Close search
        </Button>
      }
    >
      <Loaded query={query}>
        {({ matches, truncated, timedOut }) => (
          <>
            {(truncated || timedOut) && (
              <p className={classes.note}>
                {timedOut ? 'The search was stopped after 20 seconds.' : 'Only the first 500 matches are shown.'}
              </p>
            )}
            {matches.length === 0 ? (
              <Card flush>
                <Empty icon={IconSearchOff} title="No matching files">
                  Search in a folder further up, or for something shorter.
                </Empty>
              </Card>
            ) : (
              <Matches matches={matches} />
            )}
          </>
        )}
      </Loaded>
    </Section>
  )
}
