import type { ReactNode } from 'react'
import classes from './Footnote.module.css'

/** A small line below what it is about. */
export const Footnote = ({ children }: { children: ReactNode }) => <p className={classes.footnote}>{children}</p>
