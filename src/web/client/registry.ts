import { type ComponentType, createContext, createElement, lazy, use } from 'react'
import { awaitReload } from './connection.ts'
import type {
  Entry,
  HomePart,
  PageTab,
  PaletteOffer,
  Screen,
  SettingsTab,
  StartAgain,
  TabHost,
  TabProps,
  WebFeature,
} from './registration.ts'

type Drawn<T, P> = T & { Component: ComponentType<P> }
type Tabs = { readonly [H in TabHost]: readonly Drawn<PageTab<TabProps[H]>, TabProps[H]>[] }

/** Everything that features registered, in the order it is shown. */
export interface Registry {
  entries: readonly Entry[]
  screens: readonly Drawn<Screen, object>[]
  tabs: Tabs
  settingsTabs: readonly SettingsTab[]
  home: readonly HomePart[]
  palettes: readonly (() => Promise<PaletteOffer>)[]
  startAgain: Readonly<Record<string, StartAgain>>
}

const inOrder = <T extends { order: number }>(items: readonly T[]): readonly T[] =>
  items.toSorted((a, b) => a.order - b.order)

/** React shows what stands in for a lazy component for 300 ms or more, so one that was fetched before is drawn at once. */
const drawn = <P extends object, T extends { load: () => Promise<ComponentType<P>> }>(item: T): Drawn<T, P> => {
  let fetched: ComponentType<P> | undefined
  const load = async (): Promise<ComponentType<P>> => {
    fetched = await item.load()
    return fetched
  }
  const Lazy: ComponentType<P> = lazy(async () => ({ default: await load().catch(awaitReload) }))
  return { ...item, load, Component: props => createElement(fetched ?? Lazy, props) }
}

const LAST = 1_000

export const registryOf = (features: readonly WebFeature[]): Registry => {
  const tabsOf = <H extends TabHost>(host: H): Tabs[H] =>
    inOrder(features.flatMap(({ tabs }) => tabs?.[host] ?? [])).map(tab =>
      drawn<TabProps[H], PageTab<TabProps[H]>>(tab),
    ) as unknown as Tabs[H]
  return {
    entries: inOrder(features.flatMap(({ entry }) => entry ?? [])),
    screens: features.flatMap(({ screens = [] }) => screens.map(screen => drawn<object, Screen>(screen))),
    tabs: { site: tabsOf('site'), server: tabsOf('server') },
    settingsTabs: inOrder(features.flatMap(({ settingsTabs = [] }) => settingsTabs)),
    home: inOrder(features.flatMap(({ home = [] }) => home)),
    palettes: features
      .toSorted((a, b) => (a.entry?.order ?? LAST) - (b.entry?.order ?? LAST))
      .flatMap(({ palette }) => palette ?? []),
    startAgain: Object.assign({}, ...features.map(feature => feature.startAgain ?? {})),
  }
}

/** Features find here what others registered, without knowing them. */
export const RegistryContext = createContext<Registry>(registryOf([]))

export const useRegistry = (): Registry => use(RegistryContext)
