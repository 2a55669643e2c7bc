import { Anchor, Button, NativeSelect, TextInput } from '@mantine/core'
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

/** What to look for, below the folder that is open. */
export const SearchForm = () => {
  const url = useUrlState()
  const form = useForm({ find: url.of('find'), in: url.of('in') || 'name' }, async values => {
    url.push({ find: values.find.trim(), in: values.in, file: '' })
  })
  return (
    <form className={classes.search} {...form.formProps}>
      <TextInput aria-label="Search files" placeholder="Search this folder" autoComplete="off" {...form.text('find')} />
      <NativeSelect aria-label="Search in" data={MODES} {...form.text('in')} />
      <Button type="submit" variant="default" disabled={form.values.find.trim() === ''}>
        Search
      </Button>
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
  q: string
  mode: 'name' | 'content'
}

/** What was found. It is not asked for again by itself: searching takes the server some work. */
export const FoundFiles = ({ slug, path, q, mode }: FoundFilesProps) => {
  const url = useUrlState()
  const query = useQuery({
    queryKey: ['files-found', slug, path, q, mode],
    queryFn: () => api.fileSearch({ params: { slug }, query: { path, q, mode } }),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  return (
    <Section
      title={`Search results for ${q}`}
      actions={
        <Button size="xs" variant="default" onClick={() => url.push({ find: '', in: '' })}>
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
