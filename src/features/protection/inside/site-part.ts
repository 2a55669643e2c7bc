import { readFile } from 'node:fs/promises'
import { protectionFolder, type SiteContainerPart, type SiteRow } from '#features/sites/index.ts'
import { ensureFiles } from '#platform/host/ensure-files.ts'
import type { Host } from '#platform/host/host.ts'
import type { Rows } from '../levels/contract.ts'

const TARGET = '/etc/fleetpress/protection'

const FASTCGI = 'fastcgi.conf'
const PREPEND = 'prepend.php'
const IMAGE_FASTCGI = '../../../../images/site/rootfs/etc/fleetpress/fastcgi.conf'

const textOf = (name: string): Promise<string> => readFile(new URL(name, import.meta.url), 'utf8')

/** By file. A file of the image with one line more, which nothing in the site can take back. */
const filesOfPart = async (): Promise<Record<string, string>> => ({
  [PREPEND]: await textOf(PREPEND),
  [FASTCGI]: `${await textOf(IMAGE_FASTCGI)}fastcgi_param PHP_ADMIN_VALUE "auto_prepend_file=${TARGET}/${PREPEND}";\n`,
})

/** Files that switch on what prepend.php does. They may come and go while the site runs. */
const switchesFor = ({ rules, hardening }: Rows): Record<string, boolean> => ({
  'no-php-in-uploads': hardening.noPhpInUploads,
  'no-file-editor': hardening.noFileEditor,
  'no-installs': hardening.noInstalls,
  'no-user-lists': rules.userEnumeration === 'refused',
})

/** For a container that is about to be created: a folder that the site can only read. */
export const sitePart = (slug: string): SiteContainerPart => ({
  mounts: [
    { source: protectionFolder(slug), target: TARGET, readOnly: true },
    { source: `${protectionFolder(slug)}/${FASTCGI}`, target: `/etc/fleetpress/${FASTCGI}`, readOnly: true },
  ],
})

/** Everything a container needs before it starts. */
export const writeSitePart = async (host: Host, { slug }: Pick<SiteRow, 'slug'>, rows: Rows): Promise<void> => {
  const { texts, absent } = switches(rows)
  await ensureFiles(host, protectionFolder(slug), { texts: { ...(await filesOfPart()), ...texts }, absent })
}

/** Takes effect with the next request; harmless for a site whose container is older than this folder. */
export const writeSwitches = (host: Host, slug: string, rows: Rows): Promise<void> =>
  ensureFiles(host, protectionFolder(slug), switches(rows))

const switches = (rows: Rows) => {
  const all = Object.entries(switchesFor(rows))
  const on = all.filter(([, isOn]) => isOn).map(([name]) => [name, ''])
  return { texts: Object.fromEntries(on), absent: all.filter(([, isOn]) => !isOn).map(([name]) => name) }
}
