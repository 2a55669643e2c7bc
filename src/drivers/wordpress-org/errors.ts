import { KnownError } from '#platform/contract/known-error.ts'

/** No one answered, or nothing that makes sense; trying again later may help. */
export class WordpressOrgUnreachable extends KnownError {
  readonly code = 'wordpress_org_unreachable'

  constructor(url: string, reason: string, cause?: unknown) {
    super(`${new URL(url).host} returned an unusable response: ${reason}`, { cause })
  }
}

/** The service answered that it has no such version. */
export class UnknownCore extends KnownError {
  readonly code = 'wordpress_core_unknown'

  constructor(version: string, locale: string) {
    super(`there is no WordPress ${JSON.stringify(version)} for ${JSON.stringify(locale)}`)
  }
}

/** What came is not what was promised; it was deleted. */
export class WrongChecksum extends KnownError {
  readonly code = 'wrong_checksum'

  constructor(what: string, expected: string, found: string) {
    super(`${what} has the checksum ${found}, but ${expected} was expected`)
  }
}

/** An archive with something in it that no release has: a link, a path that leads out, or far too much. */
export class UnsafeArchive extends KnownError {
  readonly code = 'unsafe_archive'

  constructor(reason: string, cause?: unknown) {
    super(`the archive is unsafe: ${reason}`, { cause })
  }
}

/** The directory has no such plugin or theme. */
export class UnknownItem extends KnownError {
  readonly code = 'wordpress_item_unknown'

  constructor(kind: string, slug: string) {
    super(`WordPress.org has no ${kind} ${JSON.stringify(slug.slice(0, 100))}`)
  }
}

export class UnknownPackage extends KnownError {
  readonly code = 'wordpress_package_unknown'

  constructor(path: string) {
    super(`WordPress.org has no package ${path}`)
  }
}
