import { clientOf } from '#web/client/api.ts'
import { scans } from '../contract.ts'

export const api = clientOf(scans)
