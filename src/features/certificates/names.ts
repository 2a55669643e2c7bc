import { Hostname } from '#platform/contract/identifiers.ts'
import { Problem } from '#platform/contract/problem.ts'

/** As many as public authorities put into one certificate. */
const MAX_NAMES = 100

/** Browsers trust `localhost` and what is below it as they are, and no authority knows these names. */
export const needsCertificate = (name: string): boolean => name !== 'localhost' && !name.endsWith('.localhost')

/** The names of one certificate, spelled in one way only, so that equal sets are equal texts. */
export const certificateNames = (names: readonly string[]): string[] => {
  const refused = names.find(
    name => !Hostname.safeParse(name).success || !name.includes('.') || !needsCertificate(name),
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
