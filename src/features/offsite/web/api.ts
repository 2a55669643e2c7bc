import { clientOf } from '#web/client/api.ts'
import { offsite } from '../contract.ts'

export const api = clientOf(offsite)
