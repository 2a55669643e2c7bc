import { warmServer } from '#test/support/warm-server.ts'
import { median, report } from './report.ts'

const ROUNDS = 5
const HAND = '/srv/by-hand'
const ARCHIVE = `${HAND}/cache/core/wordpress-$VERSION-en_US.tar.gz`

/** What both sides have before: the image, and WordPress as an archive. */
const PREPARE = `
VERSION=$(basename /srv/fleetpress/core/*.spare -en_US.spare)
mkdir -p ${HAND}/cache/core
ln -s /srv/fleetpress/core/$VERSION-en_US /tmp/wordpress
tar --dereference --create --gzip --file ${ARCHIVE} --directory /tmp wordpress
chown -R 33:33 ${HAND}
docker inspect --format '{{.Config.Image}}' fleetpress-site-first > ${HAND}/image
echo $VERSION > ${HAND}/version`

/** WordPress would ask its own address, which no one answers, and wait for it. */
const OFFLINE = `WP_CLI::add_wp_hook("pre_http_request", function () { return new WP_Error("offline"); });`

/** As someone who knows what to type would do it, up to the first page. */
const byHand = (name: string): string => `
mkdir -p ${HAND}/${name}
chown 33:33 ${HAND}/${name}
docker exec -i --user 0:0 fleetpress-database mariadb --user=root <<< "CREATE DATABASE ${name};
  CREATE USER ${name}@localhost IDENTIFIED BY 'secret'; GRANT ALL ON ${name}.* TO ${name}@localhost"
docker network create ${name}
docker run --detach --init --name ${name} --network ${name} --user 33:33 --env FLEETPRESS_GATEWAY=172.17.0.1 --env WP_CLI_CACHE_DIR=/cache \
  --volume ${HAND}/${name}:/var/www/html --volume ${HAND}/cache:/cache --volume /srv/fleetpress/run/database:/run/mysqld \
  --tmpfs /tmp:uid=33,gid=33 --tmpfs /run:uid=33,gid=33 $(cat ${HAND}/image)
wp() { docker exec ${name} wp "$@"; }
wp core download --version=$(cat ${HAND}/version)
wp config create --dbname=${name} --dbuser=${name} --dbpass=secret --dbhost=localhost:/run/mysqld/mysqld.sock
wp core install --url=http://${name}.localhost --title=Hand --admin_user=ada --admin_email=ada@example.com \
  --admin_password=secret --skip-email --exec='${OFFLINE}'
wp rewrite structure '/%postname%/'
address=$(docker inspect --format '{{range .NetworkSettings.Networks}}{{.IPAddress}}{{end}}' ${name})
exec 3<> /dev/tcp/$address/8080
printf 'GET / HTTP/1.1\\r\\nHost: ${name}.localhost\\r\\nConnection: close\\r\\n\\r\\n' >&3
read -r status <&3
[[ $status == *' 200 '* ]]`

await using house = await warmServer()
const { createTimed, settled, shell } = house
await shell(PREPARE)
const taken: Record<'ours' | 'hand', number[]> = { ours: [], hand: [] }
for (let round = 0; round <= ROUNDS; round += 1) {
  // Neither waits until what the other wrote is on the disk.
  await shell('sync')
  const began = performance.now()
  await shell(byHand(`hand${round}`))
  const handMs = performance.now() - began
  await shell('sync')
  const { takenMs } = await createTimed(`ours${round}`)
  await settled()
  // The first round warms both.
  if (round === 0) continue
  taken.hand.push(handMs)
  taken.ours.push(takenMs)
}
report('site-create', [
  {
    name: 'a new site, from the request to a page that a visitor gets',
    unit: 'ms',
    ours: median(taken.ours),
    peer: { name: 'the same by hand with docker run and WP-CLI', value: median(taken.hand) },
    limit: { atMost: 0.3 },
  },
])
