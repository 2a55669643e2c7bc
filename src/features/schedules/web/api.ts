import { clientOf } from '#web/client/api.ts'
import { schedules } from '../contract.ts'

export const api = clientOf(schedules)
