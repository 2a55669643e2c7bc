import type { ReactNode } from 'react'
import classes from './ActRow.module.css'

interface ActRowProps {
  title: string
  /** What it does, in a sentence or two. */
  about: ReactNode
  /** The button, and what has to be chosen before. */
  children: ReactNode
}

/** One act of a settings page, inside a flush `Card`: what it is called, what it does, and its control. */
export const ActRow = ({ title, about, children }: ActRowProps) => (
  <div className={classes.row}>
    <div className={classes.text}>
      <h3 className={classes.title}>{title}</h3>
      <p className={classes.about}>{about}</p>
    </div>
    <div className={classes.control}>{children}</div>
  </div>
)
