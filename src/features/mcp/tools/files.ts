import { isUtf8 } from 'node:buffer'
import { z } from 'zod'
import { FilePath, SiteSlug } from '#platform/contract/identifiers.ts'
import { Problem } from '#platform/contract/problem.ts'
import type { DoorAnswer } from '#platform/http/door.ts'
import { cleanLine } from '#platform/log/clean-line.ts'
import { canSucceed } from './can-succeed.ts'
import { answerOf } from './data.ts'
import { getEndpoint } from './find-endpoint.ts'
import { defineTool, READS, type ToolAnswer, type ToolUse } from './tool.ts'

const SITE = SiteSlug.describe('slug')
const PATH = FilePath.min(1).describe("relative to the site's folder")

const urlOf = (site: string, path: string, more: Record<string, string> = {}): string =>
  `/api/sites/${site}/files/content?${new URLSearchParams({ path, ...more }).toString()}`

const etagOf = ({ headers }: DoorAnswer): string => String(headers.etag ?? '').replaceAll('"', '')

export const readFile = defineTool({
  name: 'read_file',
  title: 'Read a file',
  description:
    'Reads a text file of a site. Returns its etag, which write_file needs. Long files are cut; pass offset to read on.',
  reach: 'files',
  hints: READS,
  input: z.strictObject({
    site: SITE,
    path: PATH,
    offset: z.int().min(0).optional().describe('where to read on'),
  }),
  async run({ site, path, offset = 0 }, use) {
    const answer = await use.call({ method: 'GET', url: urlOf(site, path) })
    if (answer.status >= 400) return answerOf('fileRead', answer)
    if (!isUtf8(answer.bytes)) return { text: `${path} is not text: ${answer.bytes.length} bytes.`, isError: true }
    const data = answer.bytes.toString('utf8')
    const readOn = 'Repeat the call with offset {offset}.'
    return { text: `${path}, etag ${etagOf(answer)}:`, data, offset, readOn }
  },
})

interface Wanted {
  site: string
  path: string
  text?: string | undefined
  edits?: { find: string; replace: string }[] | undefined
  etag?: string | undefined
}

const wrong = (path: string, message: string) =>
  new Problem('validation_error', `${path} ${message}.`, [{ in: 'body', path, message }])

const replaceOnce = (text: string, { find, replace }: { find: string; replace: string }, at: number): string => {
  const parts = text.split(find)
  if (parts.length === 2) return parts.join(replace)
  const found = parts.length === 1 ? "isn't in the file" : `is in the file ${parts.length - 1} times`
  throw wrong(`edits.${at}.find`, `${found}. It must be there exactly once`)
}

/** The whole new content, or the answer that says why there is none. */
const contentOf = async (use: ToolUse, wanted: Wanted): Promise<{ text: string } | { refused: ToolAnswer }> => {
  const { site, path, text, edits, etag } = wanted
  if ((text === undefined) === (edits === undefined)) throw wrong('text', 'or edits is required, not both')
  if (text !== undefined) return { text }
  if (etag === undefined) throw wrong('etag', 'is required with edits')
  const answer = await use.call({ method: 'GET', url: urlOf(site, path) })
  if (answer.status >= 400) return { refused: answerOf('fileRead', answer) }
  if (etagOf(answer) !== etag) throw new Problem('precondition_failed', 'The file has changed. Read it again.', null)
  const before = answer.bytes.toString('utf8')
  return { text: (edits ?? []).reduce(replaceOnce, before) }
}

/** A name of a file may hold anything, also what looks like another sentence. */
const effectOf = ({ site, path, etag }: Wanted, bytes: number): string => {
  const file = JSON.stringify(cleanLine(path))
  return etag === undefined
    ? `Create the file ${file} (${bytes} bytes) on the site ${site}. It becomes part of the site at once.`
    : `Replace the file ${file} of the site ${site} (now ${bytes} bytes). The previous content is lost.`
}

export const writeFile = defineTool({
  name: 'write_file',
  title: 'Save a file',
  description:
    'Saves a text file of a site, whole (text) or by edits that each replace a text found exactly once. Without etag it only creates a new file. PHP files that do not parse are refused. A person confirms it, as with dangerous_call.',
  reach: 'files',
  hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({
    site: SITE,
    path: PATH,
    text: z.string().max(2_000_000).optional(),
    edits: z
      .array(z.strictObject({ find: z.string().min(1), replace: z.string() }))
      .min(1)
      .max(50)
      .optional(),
    etag: z.string().max(100).optional().describe('from read_file; saves only over that version'),
    code: z.string().max(40).optional().describe('confirmation code'),
  }),
  async run({ code, ...wanted }, use) {
    const content = await contentOf(use, wanted)
    if ('refused' in content) return content.refused
    const bytes = Buffer.from(content.text)
    const { site, path, etag } = wanted
    const endpoint = getEndpoint(use.scope.endpoints, 'fileWrite')
    if (canSucceed(use.actor, 'files', endpoint, { params: { slug: site }, query: { path } })) {
      const waiting = await use.confirm({ endpoint, text: effectOf(wanted, bytes.length), code })
      if (waiting) return waiting
    }
    const url = urlOf(site, path, path.endsWith('.php') ? { lint: 'php' } : {})
    const headers: Record<string, string> = etag === undefined ? { 'if-none-match': '*' } : { 'if-match': `"${etag}"` }
    return answerOf('fileWrite', await use.call({ method: 'PUT', url, headers, bytes }))
  },
})
