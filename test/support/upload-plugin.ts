import type { z } from 'zod'
import type { catalog } from '#features/catalog/contract.ts'
import type { Answer, TestPanel } from './panel.ts'
import { type Published, packageOf } from './wordpress-directory.ts'

const BORDER = 'the-border-of-the-parts'
const END = '\r\n'

const formOf = (zip: Buffer, fields: Readonly<Record<string, string>>): Buffer => {
  const parts = Object.entries(fields).map(
    ([name, value]) => `--${BORDER}${END}content-disposition: form-data; name="${name}"${END}${END}${value}${END}`,
  )
  const file = `--${BORDER}${END}content-disposition: form-data; name="file"; filename="plugin.zip"${END}content-type: application/zip${END}${END}`
  return Buffer.concat([Buffer.from(parts.join('') + file), zip, Buffer.from(`${END}--${BORDER}--${END}`)])
}

/** Sends the bytes as a browser does. */
export const sendZip = (
  panel: TestPanel,
  zip: Buffer,
  fields: Readonly<Record<string, string>> = {},
  access: 'full' | 'manage' = 'full',
): Promise<Answer> =>
  panel.ask('/api/plugins/upload', {
    method: 'POST',
    headers: {
      authorization: `Bearer ${panel.token[access]}`,
      'content-type': `multipart/form-data; boundary=${BORDER}`,
    },
    raw: formOf(zip, fields),
  })

type Uploaded = z.infer<(typeof catalog)['pluginUpload']['reply']>

export const uploadPlugin = async (panel: TestPanel, item: Published): Promise<Uploaded> => {
  const answer = await sendZip(panel, packageOf(item))
  if (answer.status !== 201) throw new Error(answer.text)
  return answer.json() as Uploaded
}
