import type { Icon } from '@tabler/icons-react'
import type { Level } from '#platform/contract/level.ts'
import type { Command } from '#web/screen.ts'

/** What the palette can do with one kind of thing. */
export interface Act<T> {
  /** The words before the thing's name; the first of them asks for it. */
  words: string
  icon: Icon
  needs?: Level
  /** Whether it makes sense now. */
  fits?: (thing: T) => boolean
  /** Where it happens, below the thing's own address; or what is done at once. */
  how: string | ((thing: T) => ReturnType<NonNullable<Command['act']>>)
}

interface Kind<T> {
  acts: readonly Act<T>[]
  find: (q: string) => Promise<readonly T[]>
  /** The thing itself, as the palette shows it. */
  show: (thing: T) => Command & { to: string }
}

const FOUND = 6
const LEAST_LETTERS = 3

/** `rest bakery` asks to restart what is called bakery; undefined where the text begins with no act, or names nothing. */
const actIn = <T>(q: string, acts: readonly Act<T>[]) => {
  const [first = '', ...others] = q.trim().toLowerCase().split(/\s+/)
  const name = others.join(' ').replace(/^of /, '')
  const act = acts.find(({ words }) => words.toLowerCase().startsWith(first))
  return act && first.length >= LEAST_LETTERS && name !== '' ? { act, name } : undefined
}

/** Things by what they are called, what can be done with the only one, and `restart bakery`. */
export const searchKind = async <T>(q: string, { acts, find, show }: Kind<T>): Promise<Command[]> => {
  const offer = ({ words, icon, needs, fits, how }: Act<T>, thing: T): Command[] => {
    if (fits && !fits(thing)) return []
    const shown = show(thing)
    const command = { ...shown, title: `${words} ${shown.title}`, icon, ...(needs && { needs }) }
    if (typeof how === 'string') return [{ ...command, to: `${shown.to}${how}` }]
    const { to: _, act: __, ...named } = command
    return [{ ...named, act: () => how(thing) }]
  }
  const asked = actIn(q, acts)
  const [called, meant] = await Promise.all([find(q), asked ? find(asked.name) : []])
  const [only] = called
  return [
    ...(asked ? meant.slice(0, FOUND).flatMap(thing => offer(asked.act, thing)) : []),
    ...called.slice(0, FOUND).map(show),
    ...(only !== undefined && called.length === 1 ? acts.flatMap(act => offer(act, only)) : []),
  ]
}
