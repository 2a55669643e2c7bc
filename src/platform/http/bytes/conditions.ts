import type { IncomingHttpHeaders } from 'node:http'
import { Problem } from '#platform/contract/problem.ts'

/** Which versions a header names: their ETags without quotes, or any at all. */
export type Versions = '*' | readonly string[]

/** What a caller thinks is there: `If-Match` names what it must be, `If-None-Match` what it must not be. */
export interface Conditions {
  ifMatch: Versions | undefined
  ifNoneMatch: Versions | undefined
}

const LIST = /^(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"(?:\s*,\s*(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*")*$/
const ONE = /(W\/)?"([^"]*)"/g

/** A condition that cannot be read is refused: to leave it out would overwrite what it was to protect. */
const versionsIn = (name: string, value: string | undefined): Versions | undefined => {
  const text = value?.trim()
  if (text === undefined || text === '*') return text
  if (LIST.test(text)) return [...text.matchAll(ONE)].map(([, , tag = '']) => tag)
  throw new Problem('validation_error', `The header ${name} takes ETags in quotes, as the API sent them, or *.`, [
    { in: 'header', path: name, message: 'is not a list of ETags in quotes' },
  ])
}

export const conditionsOf = (headers: IncomingHttpHeaders): Conditions => ({
  ifMatch: versionsIn('If-Match', headers['if-match']),
  ifNoneMatch: versionsIn('If-None-Match', headers['if-none-match']),
})

/** Whether what is there now, if anything is, is one of these. */
export const isAmong = (versions: Versions, current: string | undefined): boolean =>
  current !== undefined && (versions === '*' || versions.includes(current))

/** Refuses a change when what is there is not what the caller thinks. `current` is undefined when nothing is. */
export const requireConditions = ({ ifMatch, ifNoneMatch }: Conditions, current: string | undefined): void => {
  const details = { etag: current ?? null }
  if (ifMatch !== undefined && !isAmong(ifMatch, current))
    throw new Problem(
      'precondition_failed',
      'It was changed in the meantime. Reload it, then repeat the change.',
      details,
    )
  if (ifNoneMatch !== undefined && isAmong(ifNoneMatch, current))
    throw new Problem(
      'precondition_failed',
      'It already exists. Choose another name, or change the existing one.',
      details,
    )
}
