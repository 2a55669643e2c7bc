import { ROOT } from '#features/servers/index.ts'

export const SITES_FOLDER = `${ROOT}/sites`

export const siteFolder = (slug: string): string => `${SITES_FOLDER}/${slug}`
/** Tells a folder of a site from one that someone else has created there. */
export const folderLabel = (slug: string): string => `${siteFolder(slug)}/.fleetpress-site`
/** What visitors see and what WordPress may write to. */
export const htmlFolder = (slug: string): string => `${siteFolder(slug)}/html`
/** Read by the site as /etc/hosts. */
export const hostsFile = (slug: string): string => `${siteFolder(slug)}/hosts`
/** Read by the site as /etc/passwd and /etc/group. */
export const passwdFile = (slug: string): string => `${siteFolder(slug)}/passwd`
export const groupFile = (slug: string): string => `${siteFolder(slug)}/group`
/** Read by the site as /etc/fleetpress/protection. */
export const protectionFolder = (slug: string): string => `${siteFolder(slug)}/protection`
/** Unpacked WordPress, one folder per version and language, to copy new sites from. */
export const CORE_FOLDER = `${ROOT}/core`
export const coreFolder = (version: string, locale: string): string => `${CORE_FOLDER}/${version}-${locale}`
