import { Button } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Problem } from '#platform/contract/problem.ts'
import { FormError } from './FormError.tsx'
import classes from './Loaded.module.css'
import { toProblem, UNREACHABLE } from './problem.ts'
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
export const Loaded = <T,>({ query, skeleton = <Skeleton rows={3} />, children }: LoadedProps<T>) => {
  const problem = query.error ? toProblem(query.error) : undefined
  // The frame of the page says once that the panel is out of reach, and loads this again when it is back.
  const isUnreachable = problem?.message === UNREACHABLE
  return (
    <>
      {problem && !isUnreachable && <NoAnswer query={query} problem={problem} />}
      {query.data !== undefined ? children(query.data) : (!problem || isUnreachable) && skeleton}
    </>
  )
}
