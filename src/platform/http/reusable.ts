const bytes = new WeakMap<object, Buffer>()
const marked = new WeakSet<object>()

/** Says that a handler will answer with this same object again, unchanged, so its JSON is worth keeping. */
export const reusable = <T extends object>(reply: T): T => {
  marked.add(reply)
  return reply
}

/** The answer as it goes out. What is kept is kept as bytes: encoding text is most of the cost of sending it. */
export const toJson = (reply: unknown): string | Buffer => {
  if (typeof reply !== 'object' || reply === null || !marked.has(reply)) return JSON.stringify(reply)
  const kept = bytes.get(reply)
  if (kept !== undefined) return kept
  const made = Buffer.from(JSON.stringify(reply))
  bytes.set(reply, made)
  return made
}
