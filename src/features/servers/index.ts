export { checkServer, failedCheck } from './checks.ts'
export type { ProvisionRequest, StackState } from './hooks.ts'
export { readDisk } from './host/read-disk.ts'
export { readFacts } from './host/read-facts.ts'
export { readText } from './host/read-text.ts'
export { requireRoom } from './host/require-room.ts'
export { type JobWork, runForJob } from './host/run-for-job.ts'
export { hostAs, OWN_SERVER } from './hosts.ts'
export { retryWhileAway } from './jobs/retry-while-away.ts'
export { DEFAULT_BACKUP_ROOT, ROOT } from './paths.ts'
export {
  changeServer,
  findServer,
  getServer,
  keepDatabasePassword,
  listServers,
  type ServerRow,
} from './server-store.ts'
export { sshPublicKey } from './ssh-key.ts'
