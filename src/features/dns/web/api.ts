import { clientOf } from '#web/client/api.ts'
import { dns } from '../contract.ts'

export const api = clientOf(dns)
