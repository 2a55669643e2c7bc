import { accessEndpoints } from './access/contract.ts'
import { assistantEndpoints } from './assistant/contract.ts'
import { consoleEndpoints } from './console/contract.ts'
import { inventoryEndpoints } from './inventory/contract.ts'
import { restEndpoints } from './rest/contract.ts'
import { taskEndpoints } from './tasks/contract.ts'

export const wordpress = {
  ...inventoryEndpoints,
  ...consoleEndpoints,
  ...restEndpoints,
  ...accessEndpoints,
  ...taskEndpoints,
  ...assistantEndpoints,
}

export { ITEM_STATUSES } from './inventory/contract.ts'
export { REST_ROUTE } from './rest/contract.ts'
export { BackupFirst, FATES, HealthCheck, TASK_KINDS, TaskItem, TaskOps } from './tasks/contract.ts'
export { FeedStatus, KnownVulnerability, SEVERITIES } from './vulnerabilities/contract.ts'
