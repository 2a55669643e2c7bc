import { clientOf } from '#web/client/api.ts'
import { admins } from '../contract.ts'

export const api = clientOf(admins)
