import type { ReactNode } from 'react'
import classes from './PluginRow.module.css'

interface PluginRowProps {
  name: string
  about?: string
  /** Folder, version and the like, in one line. */
  more: string
  act: ReactNode
}

/** A plugin to choose, with what can be done with it. */
export const PluginRow = ({ name, about, more, act }: PluginRowProps) => (
  <li className={classes.found}>
    <div>
      <div className={classes.name}>{name}</div>
      {about !== undefined && <div>{about}</div>}
      <div className={classes.more}>{more}</div>
    </div>
    {act}
  </li>
)

export const PluginRows = ({ label, children }: { label: string; children: ReactNode }) => (
  <ul className={classes.list} aria-label={label}>
    {children}
  </ul>
)
