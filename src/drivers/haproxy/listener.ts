import { HostError } from '#platform/host/errors.ts'

const NAME = /^[a-z0-9][a-z0-9-]{0,62}$/
const PATH = /^(?:\/[A-Za-z0-9_-][A-Za-z0-9_.-]*)+$/
/** The kernel takes no longer one for a socket, and HAProxy adds a few characters while it opens it. */
const LONGEST_PATH = 96

/** A name or path that would mean something else in the configuration. */
export class InvalidListener extends HostError {
  readonly code = 'invalid_listener'

  constructor(value: string) {
    super(`${JSON.stringify(value).slice(0, 120)} can't be the name or the socket of a listener`)
  }
}

export interface Listener {
  readonly name: string
  /** As HAProxy sees it. Anyone who gets to the folder may connect. */
  readonly socketPath: string
}

/** One file of the configuration: all the rest comes from the defaults before it. */
export const listenerText = ({ name, socketPath }: Listener): string => {
  if (!NAME.test(name)) throw new InvalidListener(name)
  if (!PATH.test(socketPath) || socketPath.length > LONGEST_PATH) throw new InvalidListener(socketPath)
  return `frontend site-${name}\n  bind unix@${socketPath} mode 666\n`
}
