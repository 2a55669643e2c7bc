import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { describe, it } from 'node:test'
import { promisify } from 'node:util'

const KEY = 'Buffer.alloc(16)'
const CIPHERS = [
  'ChaChaPolyCipher(Buffer.alloc(64))',
  'ChaChaPolyDecipher(Buffer.alloc(64))',
  `AESGCMCipher('aes-128-gcm', ${KEY}, Buffer.alloc(12))`,
  `AESGCMDecipher('aes-128-gcm', ${KEY}, Buffer.alloc(12))`,
  `GenericCipher('aes-128-ctr', ${KEY}, ${KEY}, 'sha256', Buffer.alloc(32), true)`,
  `GenericDecipher('aes-128-ctr', ${KEY}, ${KEY}, 'sha256', Buffer.alloc(32), true, 32)`,
]

describe('the compiled ciphers of SSH', () => {
  for (const cipher of CIPHERS)
    it(`never end the process when they are freed: ${cipher.split('(')[0]}`, { timeout: 60_000 }, async () => {
      const script = `
        const ciphers = require('ssh2/lib/protocol/crypto/build/Release/sshcrypto.node')
        for (let made = 0; made < 3000; made++) new ciphers.${cipher}
        console.log('alive')
      `
      const { stdout } = await promisify(execFile)(process.execPath, ['-e', script], { cwd: import.meta.dirname })
      assert.equal(stdout, 'alive\n')
    })
})
