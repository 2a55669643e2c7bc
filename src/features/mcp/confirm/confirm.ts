import { randomInt } from 'node:crypto'
import { hashToken } from '#features/panel/index.ts'
import { describeActor } from '#platform/access/actor.ts'
import { Problem } from '#platform/contract/problem.ts'
import { newId } from '#platform/db/id.ts'
import type { RequestScope } from '#platform/http/handlers.ts'
import { cleanText } from '#platform/log/clean-line.ts'
import type { Scope } from '#platform/scope.ts'
import type { Effect, ToolAnswer } from '../tools/tool.ts'
import { approveConfirmation, insertConfirmation, spendConfirmation } from './confirmation-store.ts'

const VALID_MS = 10 * 60_000
/** Nothing that looks like something else. */
const CODE_ALPHABET = '23456789ABCDEFGHJKMNPQRSTUVWXYZ'
const CODE_LENGTH = 10
const EFFECT_MAX = 4000

/** One call, and what the app brings with it. */
export interface CallToConfirm {
  connectionId: string
  argumentsHash: string
  /** What the person in front of the app said, if they were asked. */
  answer: { id: string; agreed: boolean } | undefined
  /** Whether the app can ask the person. */
  canAsk: boolean
}

/** Undefined when a person agreed to this very call; otherwise what to tell the app. */
export const confirmCall = async (
  scope: Pick<Scope, 'db' | 'installation' | 'now'>,
  call: CallToConfirm,
  { endpoint, text, code }: Effect,
): Promise<ToolAnswer | undefined> => {
  const now = scope.now()
  if (code !== undefined) {
    const proof = { by: 'code_hash', value: hashToken(normalCode(code)) } as const
    return (await spendConfirmation(scope.db, call, proof, now)) ? undefined : wrongCode()
  }
  if (call.answer?.agreed === false) return { text: 'The person declined. Nothing was changed.', isError: true }
  if (call.answer && (await spendConfirmation(scope.db, call, { by: 'id', value: call.answer.id }, now)))
    return undefined
  const id = newId(now)
  await insertConfirmation(scope.db, {
    id,
    connection_id: call.connectionId,
    endpoint: endpoint.id,
    arguments_hash: call.argumentsHash,
    effect: cleanText(text, EFFECT_MAX),
    code_hash: null,
    approved_by: null,
    created_at: now,
    expires_at: now + VALID_MS,
    used_at: null,
  })
  if (call.canAsk) return { ask: { message: cleanText(text, EFFECT_MAX), state: id } }
  return { text: askForCode(`${scope.installation.publicUrl}/settings/ai/confirm/${id}`), isError: true }
}

const askForCode = (address: string): string =>
  `Not done yet: a person has to confirm this call. Ask them to open ${address} within 10 minutes, check what will happen, and give you the code shown there. Then repeat the same call with that code.`

const wrongCode = (): ToolAnswer => ({
  text: 'This code is wrong, used, expired or for another call. Nothing was changed. Repeat the call without a code to ask again.',
  isError: true,
})

const normalCode = (code: string): string => code.toUpperCase().replaceAll(/[^0-9A-Z]/g, '')

/** Agrees in the browser. The code is in the return value and nowhere else. */
export const approve = async (scope: RequestScope, id: string): Promise<string> => {
  const code = Array.from({ length: CODE_LENGTH }, () => CODE_ALPHABET.charAt(randomInt(CODE_ALPHABET.length))).join('')
  const agreed = { codeHash: hashToken(code), by: describeActor(scope.actor), now: scope.now() }
  if (!(await approveConfirmation(scope.db, id, agreed)))
    throw new Problem('conflict', 'This call was made already, or it is too late. Ask the app to try again.')
  return `${code.slice(0, CODE_LENGTH / 2)}-${code.slice(CODE_LENGTH / 2)}`
}
