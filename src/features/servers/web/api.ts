import { monitor } from '#features/monitor/contract.ts'
import { clientOf } from '#web/client/api.ts'
import { servers } from '../contract.ts'

export const api = { ...clientOf(servers), ...clientOf(monitor) }
