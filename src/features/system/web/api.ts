import { clientOf } from '#web/client/api.ts'
import { system } from '../contract.ts'

export const api = clientOf(system)
