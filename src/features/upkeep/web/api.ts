import { clientOf } from '#web/client/api.ts'
import { upkeep } from '../contract.ts'

export const api = clientOf(upkeep)
