import { ROOT } from '#features/servers/index.ts'

export const WWW_DATA = { uid: 33, gid: 33 } as const

export const siteFolder = (slug: string): string => `${ROOT}/sites/${slug}`
/** What visitors see and what WordPress may write to. */
export const htmlFolder = (slug: string): string => `${siteFolder(slug)}/html`
/** Unpacked WordPress, one folder per version and language, to copy new sites from. */
export const CORE_FOLDER = `${ROOT}/core`
export const coreFolder = (version: string, locale: string): string => `${CORE_FOLDER}/${version}-${locale}`
