import type { ReactNode } from 'react'
import classes from './Facts.module.css'

/** What is known about something, name by name. What no one knows yet is left out. */
export const Facts = ({ facts }: { facts: readonly (readonly [name: string, value: ReactNode])[] }) => (
  <dl className={classes.facts}>
    {facts.map(
      ([name, value]) =>
        value !== null &&
        value !== undefined && (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ),
    )}
  </dl>
)
