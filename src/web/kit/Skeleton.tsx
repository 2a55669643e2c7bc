import { VisuallyHidden } from '@mantine/core'
import classes from './Skeleton.module.css'

interface SkeletonProps {
  /** As many as will probably come. */
  rows?: number
  /** Of one row, as CSS says it. */
  height?: string
}

/** The place of what is on its way, at the size it will have, so that nothing jumps. */
export const Skeleton = ({ rows = 1, height = '3.25rem' }: SkeletonProps) => (
  <div className={classes.rows} aria-busy="true">
    <VisuallyHidden>Loading</VisuallyHidden>
    {Array.from({ length: rows }, (_, row) => (
      <div key={row} className={classes.row} style={{ height }} />
    ))}
  </div>
)
