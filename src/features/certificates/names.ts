import { Hostname } from '#platform/contract/identifiers.ts'
import { Problem } from '#platform/contract/problem.ts'

/** As many as public authorities put into one certificate. */
const MAX_NAMES = 100

/** Browsers trust `localhost` and what is below it as they are, and no authority knows these names. */
export const needsCertificate = (name: string): boolean => name !== 'localhost' && !name.endsWith('.localhost')

/** For every name directly below another one. */
export const isWildcard = (name: string): boolean => name.startsWith('*.')

const parentOf = (name: string): string => (isWildcard(name) ? name.slice(2) : name)

/** Whether a certificate with this name, which may be a wildcard, is good for a hostname. */
export const coversName = (name: string, hostname: string): boolean =>
  name === hostname || (isWildcard(name) && hostname.slice(hostname.indexOf('.') + 1) === parentOf(name))

/** The names of one certificate, spelled in one way only, so that equal sets are equal texts. */
export const certificateNames = (names: readonly string[]): string[] => {
  const refused = names.find(
    name => !Hostname.safeParse(parentOf(name)).success || !parentOf(name).includes('.') || !needsCertificate(name),
  )
  if (refused !== undefined) {
    throw new Problem(
      'validation_error',
      'Certificates are for public lowercase hostnames, such as blog.example.com.',
      { name: refused },
    )
  }
  const sorted = [...new Set(names)].toSorted()
  if (sorted.length === 0 || sorted.length > MAX_NAMES) {
    throw new Problem('validation_error', `A certificate covers 1 to ${MAX_NAMES} domains.`, { count: sorted.length })
  }
  return sorted
}
