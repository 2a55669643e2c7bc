/** As zone files write a text: parts of at most 255 characters, each in quotes. */
export const quoted = (text: string): string => {
  const parts = text.match(/[^]{1,255}/gu) ?? ['']
  return parts.map(part => `"${part.replace(/["\\]/g, String.raw`\$&`)}"`).join(' ')
}

/** The text itself; one that came without quotes is left as it is. */
export const unquoted = (content: string): string => {
  if (!content.startsWith('"')) return content
  const parts = content.match(/"(?:[^"\\]|\\.)*"/gs) ?? []
  return parts.map(part => part.slice(1, -1).replace(/\\(.)/gs, '$1')).join('')
}
