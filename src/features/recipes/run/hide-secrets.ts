import type { RecipeInput } from '../steps/contract.ts'
import type { InputValue } from '../values.ts'

const HIDDEN = '[secret]'
const SHORTEST = 4

const jsonOf = (secret: string): string => JSON.stringify(secret).slice(1, -1)
/** As PHP writes it. */
const phpJsonOf = (secret: string): string =>
  jsonOf(secret)
    .replaceAll('/', '\\/')
    .replace(/[^ -~]/g, each => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`)
const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#039;',
}
const htmlOf = (secret: string): string => secret.replace(/[&<>"']/g, each => ENTITIES[each] ?? each)

/** The forms in which programs repeat a text: as it is, quoted for a shell, in JSON, in a page, in an address, in base64. */
const formsOf = (secret: string): string[] => [
  secret,
  secret.replaceAll(`'`, `'\\''`),
  jsonOf(secret),
  phpJsonOf(secret),
  htmlOf(secret),
  encodeURIComponent(secret),
  Buffer.from(secret).toString('base64'),
]

/** Takes every secret out of what a site says, whatever form it comes in. */
export const hidingSecrets = (inputs: readonly RecipeInput[], values: ReadonlyMap<string, InputValue>) => {
  const secrets = inputs.filter(({ secret }) => secret).map(({ name }) => String(values.get(name) ?? ''))
  const forms = [...new Set(secrets.filter(secret => secret.length >= SHORTEST).flatMap(formsOf))].toSorted(
    (a, b) => b.length - a.length,
  )
  return (text: string): string => forms.reduce((left, form) => left.replaceAll(form, HIDDEN), text)
}
