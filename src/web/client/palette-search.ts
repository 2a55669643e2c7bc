import type { Icon } from '@tabler/icons-react'
import type { Contract } from '#platform/contract/endpoint.ts'
import { reaches } from '#platform/contract/level.ts'
import { type Actions, verdictOf } from './can.ts'
import type { Command, Searcher, TabHost } from './registration.ts'

/** What the palette can do with one kind of thing. */
export interface Act<C extends Contract, T> {
  /** The words before the thing's name; the first of them asks for it. */
  words: string
  icon: Icon
  /** The endpoint that does it: who may, and when, is said once for buttons and palette. */
  does: keyof C & string
  /** Where it happens, below the thing's own address; or what is done at once. */
  how: string | ((thing: T) => ReturnType<NonNullable<Command['act']>>)
}

interface Kind<C extends Contract, T> {
  /** Its page: each tab is offered as `Domains of …`. */
  host: TabHost
  actions: Actions<C, T>
  acts: readonly Act<C, T>[]
  find: (q: string) => Promise<readonly T[]>
  /** The thing itself, as the palette shows it. */
  show: (thing: T) => Command & { to: string }
}

/** What is offered for a thing: its command, or none where that makes no sense or this person may not. */
interface Offer<T> {
  words: string
  /** Opens a page and changes nothing. */
  isPage: boolean
  commandOf: (thing: T) => Command[]
}

const FOUND = 6
const LEAST_LETTERS = 3

/** `rest bakery` and `bakery rest` ask to restart bakery; a page alone, such as `terminal`, asks for that of any. */
const offerIn = <T>(q: string, offers: readonly Offer<T>[]) => {
  const words = q.trim().toLowerCase().split(/\s+/)
  const readings = [
    {
      act: words[0] ?? '',
      name: words
        .slice(1)
        .join(' ')
        .replace(/^(?:of|on) /, ''),
    },
    { act: words.at(-1) ?? '', name: words.slice(0, -1).join(' ') },
  ]
  for (const { act, name } of readings) {
    const offer = offers.find(({ words: known }) => known.toLowerCase().startsWith(act))
    if (offer && act.length >= LEAST_LETTERS && (name !== '' || offer.isPage)) return { offer, name }
  }
  return undefined
}

const offersOf = <C extends Contract, T>(
  { host, actions, acts, show }: Kind<C, T>,
  { access, registry }: Searcher,
): Offer<T>[] => {
  const commandOf = (thing: T, words: string, icon: Icon, how: Act<C, T>['how']): Command => {
    const shown = show(thing)
    const command = { ...shown, title: `${words} ${shown.title}`, icon }
    if (typeof how === 'string') return { ...command, to: `${shown.to}${how}` }
    const { to: _, act: __, ...named } = command
    return { ...named, act: () => how(thing) }
  }
  const tabs = registry.tabs[host]
    .filter(({ path, needs = 'none' }) => path !== '' && reaches(access, needs))
    .map(({ label, icon, path }) => {
      const words = `${label} of`
      return { words, isPage: true, commandOf: (thing: T) => [commandOf(thing, words, icon, `/${path}`)] }
    })
  const deeds = acts.map(({ words, icon, does, how }) => ({
    words,
    isPage: false,
    commandOf: (thing: T): Command[] => {
      const { isOffered, reason } = verdictOf(actions, does, access, thing)
      if (!isOffered) return []
      return [{ ...commandOf(thing, words, icon, how), ...(reason !== undefined && { refusal: reason }) }]
    },
  }))
  return [...tabs, ...deeds]
}

/** Things by what they are called, what can be done with the only one, and `restart bakery`. */
export const searchKind = async <C extends Contract, T>(
  q: string,
  searcher: Searcher,
  kind: Kind<C, T>,
): Promise<Command[]> => {
  const { find, show } = kind
  const offers = offersOf(kind, searcher)
  const asked = offerIn(q, offers)
  const [called, meant] = await Promise.all([find(q), asked ? find(asked.name) : []])
  const [only] = called
  return [
    ...(asked ? meant.slice(0, FOUND).flatMap(thing => asked.offer.commandOf(thing)) : []),
    ...called.slice(0, FOUND).map(show),
    ...(only !== undefined && called.length === 1 ? offers.flatMap(({ commandOf }) => commandOf(only)) : []),
  ]
}
