import { clientOf } from '#web/client/api.ts'
import { panel } from '../contract.ts'

export const api = clientOf(panel)
