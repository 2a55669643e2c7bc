import { clientOf } from '#web/client/api.ts'
import { wordpress } from '../contract.ts'

export const api = clientOf(wordpress)
