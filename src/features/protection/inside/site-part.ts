import { readFile } from 'node:fs/promises'
import { protectionFolder, type SiteContainerPart, type SiteRow } from '#features/sites/index.ts'
import { exec } from '#platform/host/command.ts'
import { FileNotFound } from '#platform/host/errors.ts'
import type { Host } from '#platform/host/host.ts'
import { sideBySide } from '#platform/sequence/side-by-side.ts'
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
  await host.makeDir(protectionFolder(slug), { mode: 0o755 })
  const files = Object.entries(await filesOfPart())
  await sideBySide(
    ...files.map(([name, text]) => ensureText(host, `${protectionFolder(slug)}/${name}`, text)),
    writeSwitches(host, slug, rows),
  )
}

/** Takes effect with the next request; harmless for a site whose container is older than this folder. */
export const writeSwitches = async (host: Host, slug: string, rows: Rows): Promise<void> => {
  const switches = Object.entries(switchesFor(rows))
  const pathOf = ([name]: [string, boolean]) => `${protectionFolder(slug)}/${name}`
  const on = switches.filter(([, isOn]) => isOn).map(pathOf)
  const off = switches.filter(([, isOn]) => !isOn).map(pathOf)
  if (on.length > 0) await host.run(exec('touch', '--', ...on))
  if (off.length > 0) await host.run(exec('rm', '-f', '--', ...off))
}

/** A file that is mounted is never replaced by the same text: the container would be left with the old one. */
const ensureText = async (host: Host, path: string, text: string): Promise<void> => {
  const found = await host.readFile(path).catch((error: unknown) => {
    if (error instanceof FileNotFound) return undefined
    throw error
  })
  if (found?.toString() !== text) await host.writeFile(path, text, { mode: 0o644 })
}
