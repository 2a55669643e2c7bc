import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { findImage, removeImage } from '#drivers/docker/images.ts'
import { LocalHost } from '#platform/host/local-host.ts'
import { type Registry, startRegistry } from '#test/support/registry.ts'
import { dockerOf } from '../docker-of.ts'
import { pullPinned } from './pull-pinned.ts'

describe('a base image from a registry', { timeout: 5 * 60_000, concurrency: 1 }, () => {
  const host = new LocalHost()
  const docker = dockerOf(host)
  let registry: Registry
  let dataDir: string
  let ref: string
  const pull = () => pullPinned(host, { name: `${registry.host}/base`, tag: 'trixie-slim', ref, dataDir }, {})
  /** As on a machine that lost its images. */
  const forget = async () => {
    const image = await findImage(docker, ref)
    for (const name of [ref, ...(image?.refs ?? []), ...(image?.digests ?? [])]) await removeImage(docker, name)
  }
  const labelOf = async () => (await findImage(docker, ref))?.labels.content

  before(async () => {
    registry = await startRegistry()
    dataDir = await mkdtemp(join(tmpdir(), 'fleetpress-pinned-'))
    ref = `fleetpress-test/base:${registry.port}`
    await registry.publish('trixie-slim', 'first')
  })
  after(async () => {
    await forget()
    registry.close()
    await rm(dataDir, { recursive: true })
  })

  it('is pulled by its tag once, and its digest is written down', async () => {
    assert.equal(await pull(), true)
    assert.equal(await labelOf(), 'first')
    const [file = ''] = await readdir(join(dataDir, 'cache'))
    assert.equal((await readFile(join(dataDir, 'cache', file), 'utf8')).trim(), registry.digestOf('trixie-slim'))
  })

  it('stays the same when someone points the tag to another image', async () => {
    await forget()
    await registry.publish('trixie-slim', 'evil')
    assert.equal(await pull(), true)
    assert.equal(await labelOf(), 'first')
  })

  it('is refused when the registry gives something else for the digest', async () => {
    await forget()
    await registry.publish('trixie-slim', 'never pulled')
    const [file = ''] = await readdir(join(dataDir, 'cache'))
    await writeFile(join(dataDir, 'cache', file), registry.digestOf('trixie-slim'))
    await registry.publish('trixie-slim', 'evil')
    registry.lie()
    assert.equal(await pull(), false)
    assert.equal(await findImage(docker, ref), undefined)
  })
})
