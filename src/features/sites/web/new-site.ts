import type { z } from 'zod'
import { type ProtectionLevel, type Site, sites } from '#features/sites/contract.ts'
import { Problem } from '#platform/contract/problem.ts'
import { checked } from '#web/kit/field-errors.ts'

type Body = z.input<(typeof sites)['siteCreate']['body']>

/** What stands in the form. */
export interface NewSite {
  title: string
  /** Follows the title until it is changed. */
  slug: string
  serverId: string
  phpVersion: string
  domainMode: string
  domains: string
  adminUser: string
  adminEmail: string
  locale: string
  /** Empty for the fleet default. */
  protection: string
  /** Of the catalog. */
  pluginIds: readonly string[]
}

const LONGEST_SLUG = 40

/** `Café Mirabelle` becomes `cafe-mirabelle`. */
export const slugOf = (title: string): string =>
  title
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, LONGEST_SLUG)
    .replace(/^-+|-+$/g, '')

/** The title changes, and the short name with it as long as no one typed another. */
export const retitled = ({ title, slug }: Pick<NewSite, 'title' | 'slug'>, next: string): Partial<NewSite> =>
  slug === slugOf(title) ? { title: next, slug: slugOf(next) } : { title: next }

const DRAFT = 'fleetpress.new-site'

/** What was typed for a site that could not be created outlives a reload, for this tab only. */
export const keepDraft = (form: NewSite): void => sessionStorage.setItem(DRAFT, JSON.stringify(form))

export const keptDraft = (): NewSite | undefined => {
  const text = sessionStorage.getItem(DRAFT)
  return text === null
    ? undefined
    : ({ pluginIds: [], protection: '', ...(JSON.parse(text) as Partial<NewSite>) } as NewSite)
}

/** Names as people paste them: on lines, or with commas or spaces between. */
export const namesIn = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/[\s,;]+/)
    .filter(name => name !== '')

/** The same, for a field that must not be empty. */
export const someNamesIn = (text: string): string[] => {
  const names = namesIn(text)
  if (names.length > 0) return names
  throw new Problem('validation_error', 'Check the marked fields.', [
    { path: 'domains', message: 'This field is required' },
  ])
}

/** What is sent, checked first. */
export const bodyOf = (form: NewSite): Body =>
  checked(sites.siteCreate.body, {
    title: form.title.trim(),
    slug: form.slug,
    serverId: Number(form.serverId),
    phpVersion: form.phpVersion as Site['phpVersion'],
    domainMode: form.domainMode as Site['domainMode'],
    domains: form.domainMode === 'live' ? someNamesIn(form.domains) : [],
    adminUser: form.adminUser.trim(),
    adminEmail: form.adminEmail.trim(),
    locale: form.locale,
    pluginIds: [...form.pluginIds],
    ...(form.protection !== '' && { protection: form.protection as ProtectionLevel }),
  })

const languages = new Intl.DisplayNames('en', { type: 'language' })

/** `de_DE` becomes `German (Germany)`; what no one knows stays as it is. */
export const languageOf = (locale: string): string => {
  const [language, country] = locale.split('_')
  try {
    return languages.of(country ? `${language}-${country}` : (language ?? '')) ?? locale
  } catch {
    return locale
  }
}
