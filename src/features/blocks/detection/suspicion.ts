import type { Reason } from '../contract.ts'
import type { EdgeRequest } from './parse-request.ts'

const LOGIN = /\/wp-login\.php\/*$/
const XMLRPC = /\/xmlrpc\.php\/*$/
/** A page with broken images is not an attack. */
const PART_OF_A_PAGE = /\.(?:avif|css|gif|ico|jpe?g|js|map|mp4|png|svg|webm|webp|woff2?|ttf|eot)$/i
/** What browsers and phones look for by themselves. */
const ASKED_BY_BROWSERS =
  /^\/(?:\.well-known\/|apple-app-site-association|browserconfig\.xml|robots\.txt|ads\.txt|app-ads\.txt|sitemap[\w.-]*\.xml)/

/** What makes a request suspicious; undefined for most. */
export const suspicionOf = (request: EdgeRequest): Reason | undefined => {
  const { site, method, path, status, blockedBy } = request
  // The address is blocked already.
  if (blockedBy === 'address') return undefined
  if (blockedBy !== '') return 'refused'
  if (site === '') return undefined
  if (method === 'POST' && LOGIN.test(path)) return isFailedLogin(request) ? 'failed-logins' : undefined
  if (method === 'POST' && XMLRPC.test(path)) return 'xmlrpc'
  if (status !== 404 || PART_OF_A_PAGE.test(path) || ASKED_BY_BROWSERS.test(path)) return undefined
  return 'probing'
}

/** WordPress redirects who got the password right, and shows its form again to everyone else. */
const isFailedLogin = ({ query, status }: EdgeRequest): boolean => {
  const action = new URLSearchParams(query).get('action') ?? 'login'
  return status === 200 && action === 'login'
}
