import { clientOf } from '#web/client/api.ts'
import { sites } from '../contract.ts'

export const api = clientOf(sites)
