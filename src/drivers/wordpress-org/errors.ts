/** Nobody answered, or nothing that makes sense; trying again later may help. */
export class WordpressOrgUnreachable extends Error {
  readonly code = 'wordpress_org_unreachable'

  constructor(url: string, reason: string, cause?: unknown) {
    super(`${new URL(url).host} gives no usable answer: ${reason}`, { cause })
    this.name = 'WordpressOrgUnreachable'
  }
}

/** The service answered that it has no such version. */
export class UnknownCore extends Error {
  readonly code = 'wordpress_core_unknown'

  constructor(version: string, locale: string) {
    super(`there is no WordPress ${JSON.stringify(version)} for ${JSON.stringify(locale)}`)
    this.name = 'UnknownCore'
  }
}

/** What came is not what was promised; it was thrown away. */
export class WrongChecksum extends Error {
  readonly code = 'wrong_checksum'

  constructor(what: string, expected: string, found: string) {
    super(`${what} has the checksum ${found}, but ${expected} was promised`)
    this.name = 'WrongChecksum'
  }
}

/** An archive with something in it that no release has: a link, a path that leads out, or far too much. */
export class UnsafeArchive extends Error {
  readonly code = 'unsafe_archive'

  constructor(reason: string) {
    super(`the archive is not unpacked: ${reason}`)
    this.name = 'UnsafeArchive'
  }
}
