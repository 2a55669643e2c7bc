const WINDOW_MS = 60_000
/** A person has 300 requests a minute. The rest of the panel needs some of them while files are on their way. */
const MOST = 220

const sentAt: number[] = []

/** Resolves when the next chunk may be sent. */
export const pace = async (): Promise<void> => {
  for (;;) {
    const now = Date.now()
    while (sentAt[0] !== undefined && sentAt[0] <= now - WINDOW_MS) sentAt.shift()
    const oldest = sentAt[0]
    if (oldest === undefined || sentAt.length < MOST) break
    await new Promise(resolve => setTimeout(resolve, oldest + WINDOW_MS - now))
  }
  sentAt.push(Date.now())
}
