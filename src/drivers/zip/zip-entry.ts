import { KnownError } from '#platform/contract/known-error.ts'

/** What an archive says of one of its entries. Nothing of it is believed before `checkEntries`. */
export interface ZipEntry {
  readonly name: string
  readonly isFolder: boolean
  readonly isPlain: boolean
  readonly isEncrypted: boolean
  readonly method: number
  readonly packedBytes: number
  readonly unpackedBytes: number
  /** Where its local header begins. */
  readonly offset: number
}

export const STORED = 0
export const DEFLATED = 8

/** An archive that no one should unpack. */
export class UnsafeZip extends KnownError {
  readonly code = 'unsafe_archive'

  constructor(reason: string, path = '') {
    super(`The archive isn't safe: ${reason}. Nothing was unpacked.`, { output: path })
  }
}

/** Bytes that are no zip archive, or one that is cut off. */
export class NotZip extends KnownError {
  readonly code = 'not_archive'

  constructor(cause?: unknown) {
    super("This isn't a zip archive that can be read.", { cause })
  }
}
