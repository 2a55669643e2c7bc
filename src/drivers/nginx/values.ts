import { isIP, isIPv6 } from 'node:net'
import { InvalidEdgeValue } from './errors.ts'

const SLUG = /^[a-z0-9][a-z0-9-]{0,62}$/
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/
const RULE = /^[a-z0-9][a-z0-9:-]{0,79}$/
const COOKIE_NAME = /^[A-Za-z0-9_]{1,64}$/
const HEADER_NAME = /^[A-Za-z][A-Za-z0-9-]{0,63}$/
const PREFIX = /^(?:0|[1-9]\d{0,2})$/

export const checkSlug = (field: string, value: string): string =>
  SLUG.test(value) ? value : refuse(field, 'can only contain lowercase letters, digits and hyphens, at most 63')

/** In the form that requests are compared with: small letters, international names already encoded. */
export const checkHostname = (field: string, value: string): string =>
  value.length <= 253 && value.split('.').every(label => LABEL.test(label)) && isIP(value) === 0
    ? value
    : refuse(field, 'is not a lowercase hostname')

export const checkPort = (field: string, value: number): number =>
  Number.isInteger(value) && value >= 1 && value <= 65_535 ? value : refuse(field, 'is not a port')

/** An address and a port as nginx writes them. */
export const endpoint = (field: string, address: string, port: number): string => {
  if (isIP(address) === 0 || address.includes('%')) refuse(field, 'is not an address')
  return `${isIPv6(address) ? `[${address}]` : address}:${checkPort(field, port)}`
}

export const checkNetwork = (field: string, value: string): string => {
  const [address = '', prefix, ...more] = value.split('/')
  const family = address.includes('%') ? 0 : isIP(address)
  const isPrefix = prefix === undefined || (PREFIX.test(prefix) && Number(prefix) <= (family === 4 ? 32 : 128))
  return family !== 0 && isPrefix && more.length === 0 ? value : refuse(field, 'is not an address or network')
}

export const checkHeaderName = (field: string, value: string): string =>
  HEADER_NAME.test(value) ? value : refuse(field, 'is not a header name')

export const checkRuleName = (field: string, value: string): string =>
  RULE.test(value) ? value : refuse(field, 'is not the name of a rule')

/** Only what can be part of the name of a variable. */
export const checkCookieName = (field: string, value: string): string =>
  COOKIE_NAME.test(value) ? value : refuse(field, 'can only contain letters, digits and _')

export const checkPath = (field: string, value: string): string =>
  value.startsWith('/') && !value.split('/').includes('..') ? value : refuse(field, 'is not an absolute path')

const refuse = (field: string, rule: string): never => {
  throw new InvalidEdgeValue(field, rule)
}
