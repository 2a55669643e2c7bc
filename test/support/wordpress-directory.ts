import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { compareVersions } from '#drivers/wordpress-org/compare-versions.ts'
import type { Vps } from '#test/fleet/vps.ts'
import { zipOf } from './files/zip.ts'
import type { TestPanel } from './panel.ts'
import type { Mirror } from './wordpress-org.ts'

type Kind = 'plugin' | 'theme'

export interface Published {
  readonly kind: Kind
  readonly slug: string
  readonly version: string
  /** By path below its folder. */
  readonly files: Readonly<Record<string, string>>
  readonly requiresPhp?: string
  /** Its package can't be unpacked. */
  readonly isCorrupt?: true
  /** Its package is not what its author published. */
  readonly isForged?: true
}

export interface Directory {
  /** The newest version of each is what the directory offers. */
  publish(item: Published): void
  /** The release of WordPress that update checks offer. */
  offerCore(version: string): void
}

const DOWNLOADS = 'https://downloads.wordpress.org'

/** A mirror that has these plugins and themes, in the protocol and with the packages of wordpress.org. */
export const serveDirectory = (mirror: Mirror): Directory => {
  const newest = new Map<string, Published>()
  for (const kind of ['plugin', 'theme'] as const) {
    mirror.answers.set(`/${kind}s/info/1.2/`, (response, path) => {
      const asked = new URL(path, mirror.api).searchParams
      const found = newest.get(`${kind} ${asked.get('request[slug]')}`)
      const fitting = [...newest.values()].filter(
        each => each.kind === kind && each.slug.includes(asked.get('request[search]') ?? '\0'),
      )
      const reply = asked.get('action')?.startsWith('query') ? pageOf(fitting, asked) : found && info(found)
      response.writeHead(reply ? 200 : 404).end(JSON.stringify(reply ?? { error: 'Plugin not found.' }))
    })
    const checkUpdates = async (response: ServerResponse, request: IncomingMessage) => {
      const installed = await readInstalled(request, kind)
      const updates = installed.flatMap(([key, version]) => {
        const found = newest.get(`${kind} ${key.split('/')[0]}`)
        return found && compareVersions(found.version, version) > 0 ? [[key, update(found, key)]] : []
      })
      const none = { no_update: {}, translations: [] }
      response.writeHead(200).end(JSON.stringify({ [`${kind}s`]: Object.fromEntries(updates), ...none }))
    }
    mirror.answers.set(`/${kind}s/update-check/1.1/`, (response, _path, request) => {
      void checkUpdates(response, request)
    })
  }
  mirror.answers.set('/', '{}')
  return {
    publish: item => {
      const known = newest.get(`${item.kind} ${item.slug}`)
      if (!known || compareVersions(item.version, known.version) > 0) newest.set(`${item.kind} ${item.slug}`, item)
      mirror.answers.set(packagePath(item), packageOf(item))
      const path = `/plugin-checksums/${item.slug}/${item.version}.json`
      if (item.kind === 'plugin') mirror.answers.set(path, JSON.stringify({ files: checksumsOf(item) }))
    },
    offerCore: version => {
      const download = `${DOWNLOADS}/release/wordpress-${version}.zip`
      const offer = { response: 'upgrade', download, locale: 'en_US', packages: { full: download }, current: version }
      const needs = { php_version: '7.4', mysql_version: '5.5.5' }
      const reply = { offers: [{ ...offer, version, ...needs }], translations: [] }
      mirror.answers.set('/core/version-check/1.7/', JSON.stringify(reply))
    },
  }
}

/** From now on the panel and the sites of this server ask the mirror, which listens on all addresses; returns where. */
export const askMirror = async (panel: TestPanel, server: Vps, mirror: Mirror): Promise<string> => {
  const address = `http://${server.address.replace(/\d+$/, '1')}:${mirror.port}`
  const wordpressOrg = { apiUrl: address, downloadsUrl: address }
  await panel.as('full').settingsUpdate({ body: { wordpressOrg } })
  return address
}

const pageOf = (fitting: readonly Published[], asked: URLSearchParams) => {
  const page = Number(asked.get('request[page]') ?? 1)
  const size = Number(asked.get('request[per_page]') ?? 24)
  const plugins = fitting.slice((page - 1) * size, page * size).map(info)
  return { info: { page, pages: Math.ceil(fitting.length / size), results: fitting.length }, plugins }
}

const packagePath = ({ kind, slug, version }: Published) => `/${kind}/${slug}.${version}.zip`

export const packageOf = ({ slug, files, isCorrupt, isForged }: Published): Buffer =>
  zipOf(
    Object.entries(files).map(([path, content]) => ({
      name: `${slug}/${path}`,
      content: isForged ? `${content}\n// forged` : content,
      ...(isCorrupt && { crcSaid: 1 }),
    })),
  )

const checksumsOf = ({ files }: Published) =>
  Object.fromEntries(
    Object.entries(files).map(([path, content]) => [
      path,
      { sha256: createHash('sha256').update(content).digest('hex') },
    ]),
  )

const info = (item: Published) => ({
  name: item.slug,
  slug: item.slug,
  version: item.version,
  download_link: `${DOWNLOADS}${packagePath(item)}`,
  requires_php: item.requiresPhp ?? false,
  requires: false,
  short_description: `What ${item.slug} does`,
  active_installs: 1000,
})

const update = (item: Published, key: string) => ({
  id: `w.org/${item.kind}s/${item.slug}`,
  slug: item.slug,
  [item.kind]: key,
  new_version: item.version,
  package: `${DOWNLOADS}${packagePath(item)}`,
  requires_php: item.requiresPhp ?? false,
  requires: false,
})

/** What a site says it has, by key, with its version. */
const readInstalled = async (request: IncomingMessage, kind: Kind): Promise<[string, string][]> => {
  const form = new URLSearchParams(await text(request))
  const sent = JSON.parse(form.get(`${kind}s`) ?? '{}') as Record<string, Record<string, { Version: string }>>
  return Object.entries(sent[`${kind}s`] ?? {}).map(([key, { Version }]) => [key, Version])
}
