import { Button } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Problem } from '#platform/contract/problem.ts'
import { toProblem } from '#web/api.ts'
import { FormError } from './FormError.tsx'
import classes from './Loaded.module.css'
import { Skeleton } from './Skeleton.tsx'

interface LoadedProps<T> {
  query: UseQueryResult<T>
  /** What to show until the answer is there. */
  skeleton?: ReactNode
  children: (data: T) => ReactNode
}

const NoAnswer = ({ query, problem }: { query: UseQueryResult; problem: Problem }) => (
  <div className={classes.problem}>
    <FormError problem={problem} />
    {/* What does not exist will not exist a moment later. */}
    {problem.code !== 'not_found' && (
      <Button variant="default" size="xs" loading={query.isFetching} onClick={() => void query.refetch()}>
        Try again
      </Button>
    )}
  </div>
)

/** What the panel answered; a skeleton before, and why and what to do when it did not. Old data stays in view. */
export const Loaded = <T,>({ query, skeleton = <Skeleton rows={3} />, children }: LoadedProps<T>) => (
  <>
    {query.error && <NoAnswer query={query} problem={toProblem(query.error)} />}
    {query.data !== undefined ? children(query.data) : !query.error && skeleton}
  </>
)
