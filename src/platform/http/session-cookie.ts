const NAME = '__Host-fleetpress'
/** `__Host-` makes browsers insist on Secure, on the root path and on this very host. */
const ATTRIBUTES = 'Path=/; Secure; HttpOnly; SameSite=Strict'

/** The session token a browser sent, if any. Sent twice, it is ignored: one of the two was planted. */
export const readSessionCookie = (header: string | undefined): string | undefined => {
  if (header === undefined) return undefined
  const values = header
    .split(';')
    .map(pair => pair.trim())
    .filter(pair => pair.startsWith(`${NAME}=`))
    .map(pair => pair.slice(NAME.length + 1))
  return values.length === 1 ? values[0] : undefined
}

export const setSessionCookie = (token: string): string => `${NAME}=${token}; ${ATTRIBUTES}`

export const clearSessionCookie = (): string => `${NAME}=; ${ATTRIBUTES}; Max-Age=0`
