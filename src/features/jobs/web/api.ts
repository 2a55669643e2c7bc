import { clientOf } from '#web/client/api.ts'
import { jobs } from '../contract.ts'

export const api = clientOf(jobs)
