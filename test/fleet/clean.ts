import type { Vps } from './vps.ts'

const NOTED = '/var/lib/testbed/clean'

/** All that a panel or a test can leave on a server, one line each. What is in a database goes with it. */
const LOOK = `look() {
  {
    docker ps --all --format 'container {{.Names}} {{.State}} {{.Image}}'
    docker network ls --format 'network {{.Name}}'
    docker volume ls --format 'volume {{.Name}}'
    docker exec --user root fleetpress-database mariadb -N -e "
      select concat('database ', schema_name) from information_schema.schemata
      union select concat('user ', quote(user), '@', quote(host)) from mysql.user"
    nft list tables
    sed 's/^/account /' /etc/passwd
    find /etc/docker /etc/systemd/system -printf 'system %p\\n'
    find /root /srv \\( -path /srv/fleetpress/database/data -o -path /srv/fleetpress/core -o -path /srv/fleetpress/edge/logs \\
      -o -path /srv/fleetpress/mail/counts -o -path /srv/fleetpress/mail/logs -o -path /srv/fleetpress/mail/spool \\) -prune -o -printf 'path %p\\n'
  } | LC_ALL=C sort
}`

/** A machine that has just booted still starts its containers. Without the note, no server counts as clean. */
const NOTE = `${LOOK}
timeout 60 sh -c '
  until docker exec --user root fleetpress-database mariadb -e "select 1" &&
    [ "$(docker ps --all --quiet | wc -l)" -eq "$(docker ps --quiet --filter status=running | wc -l)" ]
  do sleep 0.2; done' > /dev/null 2>&1
look > ${NOTED}.txt
sed -n 's/^path //p' ${NOTED}.txt |
  tar --create --file=${NOTED}.tar --no-recursion --absolute-names --verbatim-files-from --files-from=- || rm ${NOTED}.txt`

/** Deletes what was not there before, writes the files again that were, has them read, and says what is still different. */
const CLEAN = `${LOOK}
now=$(look)
extra() { LC_ALL=C comm -13 ${NOTED}.txt <(echo "$now") | sed -n "s/^$1 //p"; }
{
  extra container | cut -d ' ' -f 1 | xargs -r docker rm --force
  extra network | xargs -r docker network rm
  extra volume | xargs -r docker volume rm
  { extra database | sed 's/.*/drop database \`&\`;/'; extra user | sed 's/.*/drop user &;/'; } |
    docker exec --interactive --user root fleetpress-database mariadb
  extra path | xargs -r -d '\\n' rm -rf --
  tar --extract --file=${NOTED}.tar --absolute-names --overwrite
  rm -f /srv/fleetpress/edge/logs/*.[0-9]
  truncate --size=0 /srv/fleetpress/edge/logs/*
  docker kill --signal=HUP fleetpress-edge
  docker kill --signal=USR2 fleetpress-database-proxy
  docker exec fleetpress-relay postsuper -d ALL
  docker exec fleetpress-relay configure-mail reload
  rm -f /srv/fleetpress/mail/counts/counts/* /srv/fleetpress/mail/logs/*.[0-9]
  truncate --size=0 /srv/fleetpress/mail/logs/*
} > /dev/null
look | diff ${NOTED}.txt -`

const LIMIT_MS = 90_000

/** Notes on the server itself what a clean one looks like. */
export const noteClean = async (server: Vps): Promise<void> => void (await server.exec(['bash', '-c', NOTE]))

/** Makes the server as it was when that was noted; false when something is in the way. */
export const isCleaned = async (server: Vps): Promise<boolean> => {
  const { exitCode } = await server.exec(['bash', '-c', CLEAN], { timeoutMs: LIMIT_MS })
  return exitCode === 0
}
