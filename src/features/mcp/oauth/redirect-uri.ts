const LOOPBACK = ['localhost', '127.0.0.1', '[::1]']
/** Addresses that a browser runs, opens from its disk, or sends over an open line. */
const REFUSED = [
  'http:',
  'ws:',
  'wss:',
  'ftp:',
  'file:',
  'javascript:',
  'data:',
  'blob:',
  'about:',
  'view-source:',
  'vbscript:',
]

/**
 * Where an app may be sent back to: a site over HTTPS, a program on the person's own computer, or an app that the
 * system opens by the scheme it registered.
 */
export const isRedirectUri = (text: string): boolean => {
  if (!URL.canParse(text) || /[\s\\]/.test(text)) return false
  const { protocol, hostname, hash, username, password } = new URL(text)
  if (hash !== '' || text.includes('#') || username !== '' || password !== '') return false
  if (protocol === 'https:') return hostname !== ''
  if (protocol === 'http:') return LOOPBACK.includes(hostname)
  return !REFUSED.includes(protocol) && /^[a-z][a-z0-9+.-]*:\/\/./.test(text)
}

const withoutPort = (text: string): string => {
  const url = new URL(text)
  url.port = ''
  return url.href
}

/** Programs on a person's computer listen where there is room, so the port of a loopback address is theirs to choose. */
export const fitsRedirectUri = (registered: readonly string[], asked: string): boolean =>
  registered.includes(asked) ||
  (isRedirectUri(asked) &&
    asked.startsWith('http:') &&
    registered.some(one => one.startsWith('http:') && withoutPort(one) === withoutPort(asked)))

/** What a person is told about where it leads. */
export const describeRedirect = (uri: string): string => {
  const { protocol, hostname } = new URL(uri)
  if (LOOPBACK.includes(hostname)) return 'a program on this computer'
  return protocol === 'https:' ? hostname : `an app on this device (${protocol}//)`
}
