/** Everything of the panel on a server is below this folder. */
export const ROOT = '/srv/fleetpress'

export const DEFAULT_BACKUP_ROOT = `${ROOT}/backups`
