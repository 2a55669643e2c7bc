import type { Owner } from '#platform/host/host.ts'

const ownerOf = (number: number): Owner => ({ uid: number, gid: number })

/**
 * Whom processes and files on a server belong to. No two services and no two sites share a number, because the kernel
 * counts many things per user: epoll and inotify watches, keys, pipes. The block lies above the accounts of a Debian
 * system (up to 65535) and below those that it hands to other containers (from 100000).
 */
export const OWNERS = {
  edge: ownerOf(69_000),
  /** Reserved for the FTP server. Transfers belong to the site they are for. */
  ftp: ownerOf(69_010),
  /** Reserved for what searches the files of sites for malware. */
  scanner: ownerOf(69_020),
  /** What sends the mail of sites, and what signs it. */
  relay: ownerOf(69_030),
  signer: ownerOf(69_040),
} as const

/** One number per site of the whole fleet, so that a site keeps its own on every server. */
export const SITE_NUMBERS = { first: 70_000, last: 99_999 } as const

/** Refuses anything outside the range: 0 would be root. */
export const siteOwner = ({ uid }: { readonly uid: number }): Owner => {
  if (!Number.isInteger(uid) || uid < SITE_NUMBERS.first || uid > SITE_NUMBERS.last)
    throw new Error(`${uid} is not the number of a site`)
  return ownerOf(uid)
}
