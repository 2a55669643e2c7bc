import { features } from '#app/features.ts'
import { testPanel } from '#test/support/panel.ts'
import { freePort } from '#test/support/ports.ts'
import { newBytesSeen, plantedLarge } from './planted-bytes.ts'
import { listening } from './raw.ts'

/** A panel in its own process, so that its memory is only its own. Ends with its parent. */
const panel = await testPanel({
  features: [...features, plantedLarge(newBytesSeen())],
  env: { FLEETPRESS_PORT: String(await freePort()) },
})
const port = await listening(panel)
process.once('disconnect', () => void panel.stop())
process.send?.({ port, key: panel.token.full })
