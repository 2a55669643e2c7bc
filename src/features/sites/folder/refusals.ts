import { z } from 'zod'
import { Problem, type ProblemCode } from '#platform/contract/problem.ts'

/** An archive can name paths of any length. */
const LONGEST_PATH = 4096

/** Why `site-files` refused. Everything in it was said inside the site. */
export const Refusal = z.object({
  code: z.string().max(40),
  path: z
    .string()
    .transform(path => path.slice(0, LONGEST_PATH))
    .optional(),
  message: z.string().max(2000).optional(),
  line: z.number().int().nonnegative().optional(),
  bytes: z.number().int().nonnegative().optional(),
  etag: z.string().max(64).optional(),
})
export type Refusal = z.infer<typeof Refusal>

const CONTROL = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}]/gu

/** A path as it can stand in a sentence. */
const shown = (path = ''): string => {
  const clean = path.replace(CONTROL, '�')
  return clean.length > 120 ? `…${clean.slice(-119)}` : clean
}

const WORDS: Readonly<Record<string, readonly [ProblemCode, (refusal: Refusal) => string]>> = {
  not_found: ['not_found', ({ path }) => `There is no ${shown(path)} in this site.`],
  exists: ['conflict', ({ path }) => `${shown(path)} exists already. Choose another name, or allow overwriting.`],
  not_folder: ['conflict', ({ path }) => `${shown(path)} is not a folder.`],
  not_file: ['conflict', ({ path }) => `${shown(path)} is not a regular file.`],
  is_link: ['conflict', ({ path }) => `${shown(path)} is a link. Work on what it points to.`],
  is_root: ['validation_error', () => "The site's own folder can't be changed this way."],
  outside: ['forbidden', ({ path }) => `${shown(path)} leads out of the site's folder.`],
  denied: ['forbidden', ({ path }) => `The site may not change ${shown(path)}. Fix ownership, then try again.`],
  name_invalid: ['validation_error', ({ path }) => `${shown(path)} isn't a valid path.`],
  into_itself: ['conflict', ({ path }) => `${shown(path)} lies in the folder itself. Choose another place.`],
  too_deep: ['conflict', ({ path }) => `${shown(path)} is nested too deeply.`],
  too_large: ['validation_error', () => 'It is larger than allowed.'],
  no_space: ['conflict', () => 'There is not enough free space on the server.'],
  cut_off: ['validation_error', () => 'The upload was cut off. Send it again.'],
  changed_meanwhile: ['conflict', ({ path }) => `${shown(path)} keeps changing. Try again.`],
  condition_failed: ['precondition_failed', ({ path }) => `${shown(path)} was changed in the meantime. Read it again.`],
  syntax: [
    'syntax_error',
    ({ message, line }) => `PHP: ${shown(message)}${line === undefined ? '' : ` on line ${line}`}. Nothing was saved.`,
  ],
  offset: ['conflict', ({ bytes = 0 }) => `The server has ${bytes} bytes of this upload. Continue from there.`],
  bad_pattern: ['validation_error', () => "The search pattern isn't valid."],
  bad_glob: ['validation_error', () => "The file filter isn't valid."],
  not_archive: ['conflict', ({ path }) => `${shown(path)} isn't a zip archive that can be read.`],
  encrypted: ['conflict', ({ path }) => `The archive is encrypted (${shown(path)}). Nothing was unpacked.`],
  unknown_method: ['conflict', ({ path }) => `${shown(path)} is packed in a way that isn't supported.`],
  unsafe_archive: [
    'conflict',
    ({ path, message }) =>
      `The archive isn't safe: ${path ? `${shown(path)}: ` : ''}${shown(message)}. Nothing was unpacked.`,
  ],
  name_unpackable: [
    'conflict',
    ({ path }) => `The name of ${shown(path)} can't be put into an archive. Rename it first.`,
  ],
}

/** As an answer of the API. */
export const refuse = (refusal: Refusal): Problem => {
  const [code, words] = WORDS[refusal.code] ?? (['bad_gateway', () => 'The site could not do that.'] as const)
  return new Problem(code, words(refusal), detailsOf(refusal))
}

const detailsOf = ({ code, path, line, bytes, etag }: Refusal) => {
  if (code === 'offset') return { received: bytes ?? 0 }
  if (code === 'condition_failed') return { etag: etag ?? null }
  return { reason: code, ...(path !== undefined && { path }), ...(line !== undefined && { line }) }
}
