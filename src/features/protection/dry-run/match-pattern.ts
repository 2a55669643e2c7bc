import { Problem } from '#platform/contract/problem.ts'
import { type Part, partsOf } from './pattern-parts.ts'

/** So that the longest text takes some ten milliseconds at most. */
const MOST_STATES = 2000

type State =
  | { readonly one: (code: number) => boolean; readonly next: number }
  | { readonly place: (text: string, at: number) => boolean; readonly next: number }
  | { readonly either: readonly [number, number] }

const END = -1

/**
 * Whether a pattern is found in a text, in time that grows with the length of both and no more: all ways are followed at once,
 * character by character, and never back.
 */
export const matcherOf = (pattern: string): ((text: string) => boolean) => {
  const states: State[] = []
  const start = build(states, partsOf(pattern), END)
  return text => isFoundIn(text, states, start)
}

const add = (states: State[], state: State): number => {
  if (states.push(state) > MOST_STATES)
    throw new Problem('validation_error', 'A pattern repeats too much to be tried. It can be saved.')
  return states.length - 1
}

/** The states of a part that lead to `next`; returns where they begin. */
const build = (states: State[], part: Part, next: number): number => {
  if (part.type === 'one') return add(states, { one: part.fits, next })
  if (part.type === 'place') return add(states, { place: part.fits, next })
  if (part.type === 'row') return part.parts.reduceRight((after, each) => build(states, each, after), next)
  if (part.type === 'times') return buildTimes(states, part, next)
  const starts = part.parts.map(each => build(states, each, next))
  return starts.reduceRight((other, each) => add(states, { either: [each, other] }))
}

const buildTimes = (states: State[], part: Part & { type: 'times' }, next: number): number => {
  let after = next
  if (part.most === Infinity) {
    // The loop leads back to a state whose place is only known once its own part is there.
    const loop: { either: [number, number] } = { either: [next, next] }
    after = add(states, loop)
    loop.either[0] = build(states, part.part, after)
  } else
    for (let more = part.least; more < part.most; more++)
      after = add(states, { either: [build(states, part.part, after), next] })
  for (let count = 0; count < part.least; count++) after = build(states, part.part, after)
  return after
}

const isFoundIn = (text: string, states: readonly State[], start: number): boolean => {
  const metAt = new Int32Array(states.length).fill(-1)
  let open: number[] = []
  for (let at = 0; at <= text.length; at++) {
    const here: number[] = []
    const waiting = [...open, start]
    for (let index = waiting.pop(); index !== undefined; index = waiting.pop()) {
      if (index === END) return true
      const state = states[index]
      if (!state || metAt[index] === at) continue
      metAt[index] = at
      if ('either' in state) waiting.push(...state.either)
      else if ('one' in state) here.push(index)
      else if (state.place(text, at)) waiting.push(state.next)
    }
    const code = text.charCodeAt(at)
    open = here.flatMap(index => {
      const state = states[index]
      return state && 'one' in state && at < text.length && state.one(code) ? [state.next] : []
    })
  }
  return false
}
