import assert from 'node:assert/strict'
import { backupDelete } from '#features/backups/remove/backup.delete.ts'
import { TERMINAL } from '#platform/contract/job.ts'
import { until } from '#test/fleet/until.ts'
import { runJob } from './job-kit.ts'
import type { SiteHouse } from './site-house.ts'

const LIMIT_MS = 10 * 60_000

/** The newest image with rclone and restic on a server. */
export const BACKUP_IMAGE = '$(docker images -q fleetpress/backup | head -n 1)'

/**
 * Two storages on the same folder, which is outside of anything that the panel knows. rclone would remember for five
 * minutes which files there are, and so overlook what a test does to them.
 */
export const SERVE_STORAGES = `set -e
mkdir -p /srv/storage
serve() { docker run -d --name storage-$1 --network host -v /srv/storage:/storage -e RCLONE_PASS --entrypoint rclone ${BACKUP_IMAGE} serve "$@" --dir-cache-time 0s --user ada /storage; }
serve webdav --addr :8091
serve sftp --addr :8092
`
/** As docs/disaster.md has it. */
export const plainConfig = (address: string, id: string) => `set -e
mkdir -p /tmp/out && cat > /tmp/rclone.conf <<END
[storage]
type = webdav
url = http://${address}:8091
vendor = other
user = ada
pass = $(printf %s "$3" | rclone obscure -)

[offsite]
type = crypt
remote = storage:fleetpress-${id}
password = $(printf %s "$1" | rclone obscure -)
password2 = $(printf %s "$2" | rclone obscure -)
END
export RCLONE_CONFIG=/tmp/rclone.conf
`

export const fillUploads = (html: string, name: string) => `mkdir -p ${html}/wp-content/uploads/${name}
cd ${html}/wp-content/uploads/${name} && for n in $(seq 2000); do echo ${name}; done > ${name}.txt
head -c 3000000 /dev/urandom > noise && chown -R 70000:70000 .`

/** Of an upload that broke off: rclone would need luck to be cut at the right moment. */
export const PARTIAL = ['data/ab/', 'index/', 'snapshots/'].map(folder => `${folder}${'ab'.repeat(32)}`)

/** Words: the folder, which file, where in it, and what befalls it. The file is kept for later. */
export const HARM = `cd "$0" && mapfile -t files < <(find . -type f | sort) && file=\${files[$1 % \${#files[@]}]}
size=$(stat -c %s "$file") at=$(($2 % size)) && cp -p "$file" /srv/unharmed && printf %s "$file" > /srv/harmed
case $3 in
flip) byte=$(od -An -tu1 -j $at -N 1 "$file"); printf "\\x$(printf %x $((byte ^ (1 << $2 % 8))))" | dd of="$file" bs=1 seek=$at conv=notrunc status=none ;;
cut) truncate -s $at "$file" ;;
delete) rm "$file" ;;
esac
echo "$3 $file at $at of $size"`
export const HEAL = 'cd "$0" && cp -p /srv/unharmed "$(cat /srv/harmed)"'

export const allCopied = ({ panel }: SiteHouse) =>
  until(
    'all copies are made',
    async () => {
      const { db } = panel.foundation.database
      const rows = await db.selectFrom('job').select('status').where('type', '=', 'backup.offsite').execute()
      return rows.every(({ status }) => TERMINAL.includes(status))
    },
    LIMIT_MS,
  )

/** As retention does it: the copies stay. */
export const dropOnServer = async ({ panel, ids: [serverId = 0] }: SiteHouse, ids: string[]): Promise<void> => {
  const input = { ids, serverIds: [serverId], keepCopies: true }
  const row = await runJob(panel, backupDelete, input, LIMIT_MS)
  assert.equal(row.status, 'succeeded', row.error_message ?? '')
}
