import { api } from './api.ts'

/** Browsers block windows that open later than the click, so the window comes first and is then given its address. */
export const openSignedIn = async (slug: string): Promise<void> => {
  const opened = window.open('about:blank', '_blank')
  try {
    const { url } = await api.wpLoginLink({ params: { slug }, body: {} })
    if (!opened) return window.location.assign(url)
    opened.opener = null
    opened.location.replace(url)
  } catch (error) {
    opened?.close()
    throw error
  }
}
