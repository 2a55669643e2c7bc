import { createReadStream } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { extract } from 'tar-stream'
import { type Mirror, tarGz } from './wordpress-org.ts'

/** Publishes a release that is the one in this archive, under another version and with other content in some files. */
export const publishCore = async (
  mirror: Mirror,
  archive: string,
  version: string,
  changes: Readonly<Record<string, (content: string) => string>> = {},
): Promise<void> => {
  const files: Record<string, Buffer> = {}
  const entries = extract()
  const read = pipeline(createReadStream(archive), createGunzip(), entries)
  for await (const entry of entries) {
    const content = await buffer(entry)
    if (entry.header.type === 'file') files[entry.header.name.replace(/^wordpress\//, '')] = content
  }
  await read
  const change = (path: string, act: (content: string) => string) => {
    files[path] = Buffer.from(act((files[path] ?? '').toString()))
  }
  change('wp-includes/version.php', content => content.replace(/\$wp_version = '[^']+'/, `$wp_version = '${version}'`))
  for (const [path, act] of Object.entries(changes)) change(path, act)
  const packed = await tarGz(Object.entries(files).map(([name, data]) => ({ name: `wordpress/${name}`, data })))
  mirror.addRelease(`/release/wordpress-${version}.tar.gz`, packed, files)
}
