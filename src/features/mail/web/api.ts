import { clientOf } from '#web/client/api.ts'
import { mail } from '../contract.ts'

export const api = clientOf(mail)
