import type { Leftover } from './contract.ts'

/** What there is on a server that looks like a part of a site. */
export interface Found {
  /** With the slug in their label. */
  readonly containers: readonly { readonly name: string; readonly slug: string }[]
  readonly networks: readonly { readonly name: string; readonly slug: string }[]
  readonly folders: readonly { readonly slug: string; readonly isLabelled: boolean }[]
  readonly databases: readonly { readonly name: string; readonly isLabelled: boolean }[]
  readonly accounts: readonly string[]
  /** By their id. */
  readonly certificates: readonly string[]
}

/** What there should be. */
export interface Expected {
  /** Sites that live on the server, and those that have a copy there. */
  readonly slugs: ReadonlySet<string>
  /** Of these sites; their accounts are called the same. */
  readonly databases: ReadonlySet<string>
  readonly certificates: ReadonlySet<string>
}

/** What is there and belongs to nothing. A site without a row may still be someone's, so a person decides about it. */
export const findLeftovers = (found: Found, expected: Expected): Leftover[] => {
  const labelled = new Set(found.databases.filter(({ isLabelled }) => isLabelled).map(({ name }) => name))
  const belongs = ({ slug }: { slug: string }) => expected.slugs.has(slug)
  return [
    ...found.containers.filter(one => !belongs(one)).map(({ name }) => leftover('container', name, true)),
    ...found.networks.filter(one => !belongs(one)).map(({ name }) => leftover('network', name, true)),
    ...found.folders.filter(one => !belongs(one)).map(({ slug, isLabelled }) => leftover('folder', slug, isLabelled)),
    // The account goes first: its database is what says that both are the panel's.
    ...found.accounts
      .filter(name => !expected.databases.has(name))
      .map(name => leftover('account', name, labelled.has(name))),
    ...found.databases
      .filter(({ name }) => !expected.databases.has(name))
      .map(({ name, isLabelled }) => leftover('database', name, isLabelled)),
    ...found.certificates.filter(id => !expected.certificates.has(id)).map(id => leftover('certificate', id, true)),
  ]
}

const leftover = (kind: Leftover['kind'], name: string, removable: boolean): Leftover => ({ kind, name, removable })
