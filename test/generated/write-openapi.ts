import { readFileSync, writeFileSync } from 'node:fs'
import { openApi } from '#app/openapi.ts'

const FILE = new URL('../../openapi.json', import.meta.url)

export const HOW_TO_WRITE = 'Run `node test/generated/write-openapi.ts` and look at what changed.'

/** The description of the API as it is checked in. */
export const openApiText = (): string => `${JSON.stringify(openApi(), null, 2)}\n`

export const readOpenApiFile = (): string => readFileSync(FILE, 'utf8')

if (import.meta.main) writeFileSync(FILE, openApiText())
