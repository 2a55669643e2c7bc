import { clientOf } from '#web/client/api.ts'
import { notes } from '../contract.ts'

export const api = clientOf(notes)
