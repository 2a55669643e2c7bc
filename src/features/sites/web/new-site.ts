import type { z } from 'zod'
import { type Site, sites } from '#features/sites/contract.ts'
import { Problem } from '#platform/contract/problem.ts'
import { checked } from '#web/ui/field-errors.ts'

type Body = z.input<(typeof sites)['siteCreate']['body']>

/** What stands in the form. */
export interface NewSite {
  title: string
  /** Empty as long as it follows from the title. */
  slug: string
  serverId: string
  phpVersion: string
  domainMode: string
  domains: string
  adminUser: string
  adminEmail: string
  locale: string
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
    { path: 'domains', message: 'Please fill this in' },
  ])
}

/** What is sent, checked first. */
export const bodyOf = (form: NewSite): Body =>
  checked(sites.siteCreate.body, {
    title: form.title.trim(),
    slug: form.slug || slugOf(form.title),
    serverId: Number(form.serverId),
    phpVersion: form.phpVersion as Site['phpVersion'],
    domainMode: form.domainMode as Site['domainMode'],
    domains: form.domainMode === 'live' ? someNamesIn(form.domains) : [],
    adminUser: form.adminUser.trim(),
    adminEmail: form.adminEmail.trim(),
    locale: form.locale,
  })

const languages = new Intl.DisplayNames('en', { type: 'language' })

/** `de_DE` becomes `German (Germany)`; what nobody knows stays as it is. */
export const languageOf = (locale: string): string => {
  const [language, country] = locale.split('_')
  try {
    return languages.of(country ? `${language}-${country}` : (language ?? '')) ?? locale
  } catch {
    return locale
  }
}
