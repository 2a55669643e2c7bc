import type { ReactNode } from 'react'
import classes from './Card.module.css'

/** A sheet with a border; `flush` for tables and lists that bring their own padding. */
export const Card = ({ flush = false, children }: { flush?: boolean; children: ReactNode }) => (
  <div className={classes.card} data-flush={flush || undefined}>
    {children}
  </div>
)
