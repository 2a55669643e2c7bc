import { readFileSync } from 'node:fs'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g

/** This process trusts the authorities of the file, apart from those it trusts anyway, whenever it asks others over TLS. */
export const trustAuthorities = (file: string): void => {
  const added = readFileSync(file, 'utf8').match(CERTIFICATE) ?? []
  setDefaultCACertificates([...getCACertificates('default'), ...added])
}
