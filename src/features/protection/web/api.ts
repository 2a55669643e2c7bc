import { clientOf } from '#web/client/api.ts'
import { protection } from '../contract.ts'

export const api = clientOf(protection)
