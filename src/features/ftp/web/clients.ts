import type { FtpEndpoint } from '../contract.ts'

export const CLIENTS = [
  { value: 'filezilla', word: 'FileZilla' },
  { value: 'winscp', word: 'WinSCP' },
  { value: 'cyberduck', word: 'Cyberduck' },
  { value: 'sftp', word: 'sftp' },
  { value: 'lftp', word: 'lftp' },
] as const
export type Client = (typeof CLIENTS)[number]['value']

export const PROTOCOLS = [
  { value: 'sftp', word: 'SFTP' },
  { value: 'ftp', word: 'FTP with TLS' },
] as const
export type Protocol = (typeof PROTOCOLS)[number]['value']

/** What a client is told, and where. */
export interface Setup {
  readonly hint: string
  readonly fields: readonly (readonly [label: string, value: string])[]
}

export interface Target {
  readonly username: string
  readonly host: string
  readonly port: number
  readonly protocol: Protocol
}

export const targetOf = ({ host, sftpPort, ftpPort }: FtpEndpoint, username: string, protocol: Protocol): Target => ({
  username,
  protocol,
  // Addresses of IPv6 have colons, too.
  host: host.includes(':') ? `[${host}]` : host,
  port: protocol === 'sftp' ? sftpPort : ftpPort,
})

const addressOf = (scheme: string, { username, host, port }: Target) => `${scheme}://${username}@${host}:${port}/`

const COMPARE = 'Compare the certificate with the fingerprint above before you trust it.'

const fileZilla = ({ username, host, port, protocol }: Target): Setup => ({
  hint: `Enter these at the top of the window, then Quickconnect. ${protocol === 'ftp' ? COMPARE : ''}`.trim(),
  fields: [
    ['Host', `${protocol === 'sftp' ? 'sftp' : 'ftpes'}://${host}`],
    ['Username', username],
    ['Port', String(port)],
  ],
})

const winScp = (target: Target): Setup => ({
  hint: `Paste it into the host field of the login window. ${target.protocol === 'ftp' ? COMPARE : ''}`.trim(),
  fields: [['Session URL', addressOf(target.protocol === 'sftp' ? 'sftp' : 'ftpes', target)]],
})

/** Its ftps begins without TLS and then asks for it, as this server wants. */
const cyberduck = (target: Target): Setup => ({
  hint: `Paste it into Quick Connect. ${target.protocol === 'ftp' ? COMPARE : ''}`.trim(),
  fields: [['Address', addressOf(target.protocol === 'sftp' ? 'sftp' : 'ftps', target)]],
})

const lftp = ({ username, host, port, protocol }: Target): Setup => {
  const settings = 'set ftp:ssl-force true; set ftp:ssl-protect-data true; set ssl:verify-certificate false'
  return protocol === 'sftp'
    ? {
        hint: 'The command prompts for the password.',
        fields: [['Command', `lftp -u ${username} sftp://${host}:${port}`]],
      }
    : {
        hint: "The command doesn't check the certificate. SFTP is safer.",
        fields: [['Command', `lftp -e '${settings}' -u ${username} ftp://${host}:${port}`]],
      }
}

const sftp = ({ username, host, port }: Target): Setup => ({
  hint: 'The command prompts for the password.',
  fields: [['Command', `sftp -P ${port} ${username}@${host}`]],
})

const setups: Readonly<Record<Client, (target: Target) => Setup>> = {
  filezilla: fileZilla,
  winscp: winScp,
  cyberduck,
  sftp,
  lftp,
}

/** How a login is used in a client. */
export const setupOf = (client: Client, target: Target): Setup => setups[client](target)
