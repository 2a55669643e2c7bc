import { createRequire } from 'node:module'

const load = createRequire(import.meta.url)

/**
 * Without its compiled part ssh2 says nothing and takes several times as long. Loads the very file that ssh2 takes its
 * ciphers from, so one that is there but cannot be loaded counts as missing.
 */
export const assertNativeCrypto = (): void => {
  try {
    load('ssh2/lib/protocol/crypto/build/Release/sshcrypto.node')
  } catch (cause) {
    throw new Error('The fast SSH ciphers are not compiled. Start the panel with `./fleetpress up` to compile them.', {
      cause,
    })
  }
}
