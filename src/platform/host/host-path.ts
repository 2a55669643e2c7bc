import { isAbsolute } from 'node:path'
import { InvalidWord } from './errors.ts'
import { refuseUnsendable } from './quote.ts'

/** A path that would mean different things in different folders, or could not be sent, means nothing on a host. */
export const refuseBadPath = (path: string): void => {
  refuseUnsendable(path)
  if (!isAbsolute(path)) throw new InvalidWord('a path on a host starts with /')
}
