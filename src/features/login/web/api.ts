import { clientOf } from '#web/client/api.ts'
import { login } from '../contract.ts'

export const api = clientOf(login)
