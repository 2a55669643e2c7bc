import { createPrivateKey, createPublicKey, sign } from 'node:crypto'
import type { Secret } from '#platform/host/secret.ts'

/** The few tags of DER that a request for a certificate is made of. */
const INTEGER = 0x02
const BIT_STRING = 0x03
const OCTET_STRING = 0x04
const SEQUENCE = 0x30
const SET = 0x31
const ATTRIBUTES = 0xa0
const DNS_NAME = 0x82

const EXTENSION_REQUEST = Buffer.from('06092a864886f70d01090e', 'hex')
const SUBJECT_ALT_NAME = Buffer.from('0603551d11', 'hex')
const ECDSA_WITH_SHA256 = Buffer.from('06082a8648ce3d040302', 'hex')

const der = (tag: number, ...parts: Buffer[]): Buffer => {
  const body = Buffer.concat(parts)
  return Buffer.concat([Buffer.from([tag]), lengthOf(body.length), body])
}

const lengthOf = (length: number): Buffer => {
  if (length < 0x80) return Buffer.from([length])
  const bytes = Buffer.from([length >> 16, length >> 8, length]).subarray(length > 0xffff ? 0 : length > 0xff ? 1 : 2)
  return Buffer.concat([Buffer.from([0x80 | bytes.length]), bytes])
}

/**
 * A PKCS #10 request for these names, signed with the certificate's key. The names stand in the extension alone:
 * authorities ignore the subject.
 */
export const certificateRequest = (key: Secret, names: readonly string[]): Buffer => {
  const privateKey = createPrivateKey(key.reveal())
  const publicKey = createPublicKey(privateKey).export({ type: 'spki', format: 'der' })
  const dnsNames = der(SEQUENCE, ...names.map(name => der(DNS_NAME, Buffer.from(name, 'ascii'))))
  const extensions = der(SEQUENCE, der(SEQUENCE, SUBJECT_ALT_NAME, der(OCTET_STRING, dnsNames)))
  const attributes = der(ATTRIBUTES, der(SEQUENCE, EXTENSION_REQUEST, der(SET, extensions)))
  const content = der(SEQUENCE, der(INTEGER, Buffer.from([0])), der(SEQUENCE), publicKey, attributes)
  const signature = Buffer.concat([Buffer.from([0]), sign('sha256', content, privateKey)])
  return der(SEQUENCE, content, der(SEQUENCE, ECDSA_WITH_SHA256), der(BIT_STRING, signature))
}
