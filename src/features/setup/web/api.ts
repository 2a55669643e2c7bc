import { clientOf } from '#web/client/api.ts'
import { setup } from '../contract.ts'

export const api = clientOf(setup)
