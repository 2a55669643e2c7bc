import { ROOT } from '#features/servers/index.ts'
import { containerOf } from '#features/stack/index.ts'

export const RELAY = containerOf('relay')
export const MAIL_FOLDER = `${ROOT}/mail`
/** What the relay reads: its name, who may send, keys. */
export const SETTINGS_FOLDER = `${MAIL_FOLDER}/settings`
export const LOG_FOLDER = `${MAIL_FOLDER}/logs`
/** What sites read: how PHP sends mail. */
export const SITE_FOLDER = `${MAIL_FOLDER}/site`

/** The last of the small networks that sites are given: nothing is on it but the address the relay listens at. */
export const RELAY_ADDRESS = '10.213.255.249'
export const RELAY_NETWORK = {
  name: RELAY,
  subnet: '10.213.255.248/29',
  gateway: RELAY_ADDRESS,
  labels: { 'fleetpress.stack': 'relay' },
} as const
