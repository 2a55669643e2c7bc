const texts = new WeakMap<object, string>()
const marked = new WeakSet<object>()

/** Says that a handler will answer with this same object again, unchanged, so its JSON is worth keeping. */
export const reusable = <T extends object>(reply: T): T => {
  marked.add(reply)
  return reply
}

export const toJsonText = (reply: unknown): string => {
  if (typeof reply !== 'object' || reply === null || !marked.has(reply)) return JSON.stringify(reply)
  const kept = texts.get(reply)
  if (kept !== undefined) return kept
  const text = JSON.stringify(reply)
  texts.set(reply, text)
  return text
}
