import { randomBytes } from 'node:crypto'
import { Secret } from '#platform/host/secret.ts'

export interface WpConfig {
  readonly database: string
  readonly name: string
  readonly password: Secret
}

const SALTS = ['AUTH', 'SECURE_AUTH', 'LOGGED_IN', 'NONCE'].flatMap(name => [`${name}_KEY`, `${name}_SALT`])
const SALT_BYTES = 48

/** A PHP string that means exactly this text. */
export const phpString = (text: string): string => `'${text.replace(/[\\']/g, '\\$&')}'`

/** wp-config.php of a new site. A secret as a whole, for the password in it. */
export const wpConfig = ({ database, name, password }: WpConfig): Secret => {
  const constants: [name: string, value: string][] = [
    ['DB_NAME', database],
    ['DB_USER', name],
    ['DB_PASSWORD', password.reveal()],
    ['DB_HOST', 'localhost:/run/mysqld/mysqld.sock'],
    ['DB_CHARSET', 'utf8mb4'],
    ['DB_COLLATE', ''],
    ...SALTS.map((name): [string, string] => [name, randomBytes(SALT_BYTES).toString('base64')]),
  ]
  return new Secret(
    [
      '<?php',
      ...constants.map(([name, value]) => `define(${phpString(name)}, ${phpString(value)});`),
      "$table_prefix = 'wp_';",
      // The edge takes the encryption off and says so; no one else can reach this site.
      "if (($_SERVER['HTTP_X_FORWARDED_PROTO'] ?? '') === 'https') { $_SERVER['HTTPS'] = 'on'; }",
      "if (!defined('ABSPATH')) { define('ABSPATH', __DIR__ . '/'); }",
      "require_once ABSPATH . 'wp-settings.php';",
      '',
    ].join('\n'),
  )
}
