import { createRequire } from 'node:module'

const load = createRequire(import.meta.url)

/**
 * Without its compiled part ssh2 says nothing and takes several times as long. Asks the very module that ssh2 takes its
 * ciphers from, so a file that is there but cannot be loaded counts as missing.
 */
export const assertNativeCrypto = (): void => {
  const { bindingAvailable }: { bindingAvailable: boolean } = load('ssh2/lib/protocol/crypto.js')
  if (!bindingAvailable) {
    throw new Error('The fast ciphers for SSH are not compiled: start the panel with `./fleetpress up`, which does it.')
  }
}
