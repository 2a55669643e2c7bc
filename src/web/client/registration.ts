import type { Icon } from '@tabler/icons-react'
import type { QueryClient } from '@tanstack/react-query'
import type { ComponentType } from 'react'
import type { Server } from '#features/servers/contract.ts'
import type { Site } from '#features/sites/contract.ts'
import type { Job } from '#platform/contract/job.ts'
import type { Access, Level } from '#platform/contract/level.ts'
import type { Registry } from './registry.ts'

/** A place in the sidebar. */
export interface Entry {
  title: string
  to: string
  icon: Icon
  /** Other words that find it in the palette. */
  keywords?: string
  /** Here and below: the smallest comes first. */
  order: number
  /** On a phone it stays in the bar, which has room for four; the others are under More. */
  inBar?: true
}

export interface Screen {
  /** As react-router writes it; `/*` at the end when the page has addresses of its own below. */
  path: string
  /** Its own file, fetched when it is first needed. */
  load: () => Promise<ComponentType>
  /** Guests are people who are not signed in. Members only when left out. */
  for?: 'members' | 'guests' | 'anyone'
  /** Members below this level are redirected to the address above: `'manage' satisfies (typeof sites)['siteCreate']['level']`. */
  needs?: Level
}

/** The pages that features add tabs to, and what a tab of each is given. */
export interface TabProps {
  site: { site: Site }
  server: { server: Server }
}
export type TabHost = keyof TabProps

export interface PageTab<P> {
  /** Its address below that of the page; empty for the tab that is shown first. */
  path: string
  label: string
  /** For the palette, which offers `Domains of …`. */
  icon: Icon
  order: number
  needs?: Level
  load: () => Promise<ComponentType<P>>
}

/** A page under Settings that is reached by a tab. */
export interface SettingsTab {
  label: string
  to: string
  order: number
}

/** A part of Home as its file has it. */
export interface HomePartModule {
  Part: ComponentType
  /** What goes into the head of the page. */
  Action?: ComponentType
  /** Reads what has to be known before Home is drawn, so that its parts come all at once and nothing jumps. */
  prepare?: (queryClient: QueryClient) => Promise<unknown>
}

export interface HomePart {
  order: number
  load: () => Promise<HomePartModule>
}

/**
 * What the command palette points to or does. An act that asks first has an address, where the page puts the question; one that
 * needs no question is done at once.
 */
export type Command = {
  title: string
  note?: string
  icon: Icon
  /** Other words that find it. */
  keywords?: string
  /** Left out for people below this level. */
  needs?: Level
  /** Why it cannot be done now; shown instead of the note. */
  refusal?: string
} & ({ to: string; act?: never } | { to?: never; act: () => Promise<{ job?: Job }> })

/** Who asks the palette, and what is registered. */
export interface Searcher {
  access: Access
  registry: Registry
}

/** What a feature adds to the palette. */
export interface PaletteOffer {
  /** What it finds is listed after what those with a smaller number find; 0 when left out. */
  order?: number
  commands?: readonly Command[]
  /** Answers what is typed, best first, at most a handful. */
  search?: (q: string, searcher: Searcher) => Promise<Command[]>
}

/** How a failed or canceled job is started once more: for jobs that are told all they need by where they act. */
export interface StartAgain {
  needs: Level
  start: (place: { slug: string; serverId: number }) => Promise<{ job: Job }>
}

/** What one feature adds to the browser interface. All of it is data or fetched when it is needed: it is in the first load. */
export interface WebFeature {
  entry?: Entry
  screens?: readonly Screen[]
  tabs?: { [H in TabHost]?: readonly PageTab<TabProps[H]>[] }
  settingsTabs?: readonly SettingsTab[]
  home?: readonly HomePart[]
  palette?: () => Promise<PaletteOffer>
  /** By the type of the job. */
  startAgain?: Readonly<Record<string, StartAgain>>
}
