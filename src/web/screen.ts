import type { Icon } from '@tabler/icons-react'
import type { ComponentType } from 'react'
import type { Job } from '#platform/contract/job.ts'
import type { Level } from '#platform/contract/level.ts'

/** A place in the sidebar. */
export interface Entry {
  title: string
  to: string
  icon: Icon
  /** Entries are shown from the smallest to the largest. */
  order: number
}

export interface Screen {
  /** As react-router writes it; `/*` at the end when the page has addresses of its own below. */
  path: string
  /** Its own file, fetched when it is first needed. */
  load: () => Promise<ComponentType>
}

/**
 * What the command palette leads to or does. An act that asks first has an address, where the page puts the question; one that
 * needs no question is done at once.
 */
export type Command = {
  title: string
  note?: string
  icon: Icon
  /** Left out for people below this level. */
  needs?: Level
} & ({ to: string; act?: never } | { to?: never; act: () => Promise<{ job?: Job }> })

/** What one feature adds to the browser interface. */
export interface Screens {
  entry?: Entry
  screens: readonly Screen[]
  commands?: readonly Command[]
  /** Answers what is typed into the palette, best first, at most a handful. */
  search?: (q: string) => Promise<Command[]>
}
