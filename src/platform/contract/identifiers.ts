import { z } from 'zod'
import { plainMessage } from './plain-messages.ts'

// Every schema of the contracts says what is wrong in these words, here and in the browser.
z.config({ customError: plainMessage })

/**
 * One schema per kind of name, allow-lists only. Whatever ends up in a path, a config file, a command or a log is one
 * of these; `test/identifier-table.tsv` pins which ASCII characters each accepts.
 */

/** Lines of text for people: anything printable, no control characters, no direction overrides. */
const printable = /^[^\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]+$/u
const trimmed = (s: string) => s === s.trim()

export const Label = z
  .string()
  .min(1)
  .max(100)
  .regex(printable, 'must be one line of printable text')
  .refine(trimmed, 'must not start or end with a space')

const SLUG = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/
const SLUG_MESSAGE = 'must be lowercase letters, digits and hyphens, with no hyphen at the start or end'
const slug = () => z.string().min(1).max(40).regex(SLUG, SLUG_MESSAGE)

/** The site that has this slug, in every place: callers may be limited to some sites. */
export const SiteSlug = slug().describe('short name of the site')

/** What sites are grouped by. */
export const SiteTag = slug().describe('label of sites')

/** A whole number, in a path or query as its digits: not every spelling that JavaScript takes for a number. */
export const wholeNumber = (min: number, max: number) =>
  z.preprocess(
    value => (typeof value === 'string' && /^(?:0|[1-9]\d{0,15})$/.test(value) ? Number(value) : value),
    z.int('must be a whole number').min(min).max(max),
  )

export const ServerId = wholeNumber(1, 2_147_483_647).describe('number of the server')

/** Ids of rows: UUID version 7, so they sort by time and cannot be guessed. */
export const Id = z
  .string()
  .regex(
    /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    'must be an id as the API returned it',
  )
  .describe('id, as the API returned it')

/** Keys of built-in things such as schedules and job types: `wp-scan`, `site.create`. */
export const Key = z
  .string()
  .min(1)
  .max(60)
  .regex(/^[A-Za-z0-9]+(?:[.-][A-Za-z0-9]+)*$/, 'must be a key such as site.create')

export const Email = z
  .string()
  .max(254)
  .regex(/^[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+$/, 'must be an email address')
  .describe('email address')

/** A DNS name as it stands in configuration: lower case, no dot at the end, and no spelling of an address. */
export const Hostname = z
  .string()
  .max(253)
  .regex(
    /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/,
    'must be a lowercase hostname, such as server.example.com',
  )

/** As browsers read it: international names become the form that DNS knows. */
const asciiNameOf = (name: string): string => (URL.canParse(`http://${name}`) ? new URL(`http://${name}`).hostname : '')

/** A name a visitor may type, in its own script or already encoded; kept as a `Hostname`. */
export const DomainName = z
  .string()
  .max(253)
  .regex(/^[\p{Ll}\p{Lo}\p{Lm}\p{M}\p{Nd}.-]+$/u, 'must be a lowercase hostname, such as www.example.com')
  .transform(asciiNameOf)
  .pipe(Hostname)

export const IpAddress = z.union([z.ipv4().max(15), z.ipv6().max(45)], 'must be an IPv4 or IPv6 address')

/** One address or a range of them; which spellings and sizes make sense is for the reader to check. */
export const AddressRange = z
  .union(
    [z.ipv4().max(15), z.ipv6().max(45), z.cidrv4().max(18), z.cidrv6().max(49)],
    'must be an address such as 203.0.113.7 or a range such as 203.0.113.0/24',
  )
  .describe('address such as 203.0.113.7, or range such as 203.0.113.0/24')

/** Where a machine is reached: a name or an address. */
export const HostAddress = z.union([Hostname, IpAddress], 'must be a hostname or an IP address')

export const Port = wholeNumber(1, 65_535)

/** An account of a server. */
export const UnixUser = z
  .string()
  .regex(/^[a-z_][a-z0-9_-]{0,31}$/, 'must be a username: lowercase letters, digits, _ and -')

/** A folder of a server, spelled in one way only. */
export const FolderPath = z
  .string()
  .max(500)
  .regex(
    /^(?:\/[A-Za-z0-9_-][A-Za-z0-9._-]*)+$/,
    'must be a folder such as /srv/backups: letters, digits, . _ and -, with no hidden part',
  )

const LONGEST_NAME_BYTES = 255
const LONGEST_PATH_BYTES = 4095
const utf8 = new TextEncoder()
const isFileName = (name: string) => !['', '.', '..'].includes(name) && utf8.encode(name).length <= LONGEST_NAME_BYTES

/** A file or folder of a site, relative to its folder, which is the empty path. Any name that a file can have in UTF-8. */
export const FilePath = z
  .string()
  .max(LONGEST_PATH_BYTES)
  .regex(/^[^\0\p{Cs}]*$/u, 'must be a path in UTF-8')
  .refine(
    path => path === '' || (utf8.encode(path).length <= LONGEST_PATH_BYTES && path.split('/').every(isFileName)),
    'must be a path such as wp-content/uploads: no / at its ends, no . or .. in it',
  )

/** Names that FTP clients and servers give a meaning of their own. */
const RESERVED_LOGINS = ['anonymous', 'ftp', 'root']

/** A login for FTP and SFTP. It stands in a line of a file on the server. */
export const FtpUsername = z
  .string()
  .min(2)
  .max(32)
  .regex(/^[a-z0-9][a-z0-9._-]*$/, 'must be lowercase letters, digits and . _ -, starting with a letter or digit')
  .refine(name => !RESERVED_LOGINS.includes(name), 'must be another name: this one is reserved')
  .describe('username of the login')

/** A folder that a login can be limited to: fewer characters than a file may have, for the same line. */
export const FtpFolder = FilePath.max(200)
  .regex(/^[\p{L}\p{M}\p{N} /._@+=,()-]*$/u, 'must be a folder of letters, digits, spaces and . _ @ + = , ( ) -')
  .describe('folder it is limited to, relative to the WordPress folder; empty for the whole site')

/** FTP sends it in one line, and servers hash no more than 512 bytes of it. */
export const FtpPassword = z
  .string()
  .min(12, 'must have at least 12 characters')
  .max(120)
  .regex(
    /^[^\p{Cc}\p{Cs}\p{Z}](?:[^\p{Cc}\p{Cs}]*[^\p{Cc}\p{Cs}\p{Z}])?$/u,
    'must be printable, with no space at its ends',
  )
  .describe('password of the login, at least 12 characters; generated if left out')

/** A language as WordPress names it. */
export const Locale = z
  .string()
  .max(20)
  .regex(/^[a-z]{2,3}(?:_[A-Z]{2})?(?:_formal)?$/, 'must be a locale such as de_DE')
  .describe('language of WordPress, such as de_DE')

/** An account of WordPress: less than it takes itself, but safe in every place a name ends up in. */
export const WordpressUser = z
  .string()
  .min(1)
  .max(60)
  .regex(/^[A-Za-z0-9][A-Za-z0-9._@-]*$/, 'must be letters, digits and . _ @ -')

/** Text of several lines that a person wrote for people. */
export const Notes = z
  .string()
  .max(5000)
  .regex(/^(?:[^\p{Cc}\p{Cs}]|[\t\n])*$/u, 'must not contain control characters')

/** A yes or no in a query. */
export const QueryFlag = z.enum(['true', 'false']).transform(text => text === 'true')

/** One line of any text, or none. */
export const NO_CONTROL = /^[^\p{Cc}\p{Cs}]*$/u

/** What a person types into a search box: matched literally, never as a pattern. */
export const SearchText = z.string().max(200).regex(NO_CONTROL, 'must not contain control characters')

/** A password being tried or chosen: long ones are refused before any hashing. */
export const Password = z.string().min(1).max(1024).describe('password')
export const NewPassword = z
  .string()
  .min(12, 'must have at least 12 characters')
  .max(1024)
  .describe('new password, at least 12 characters')

export const UnixMs = wholeNumber(0, 8_640_000_000_000_000)

const BASE64URL_256 = /^[A-Za-z0-9_-]{43}$/

/** The token of a link in a letter or on the console: 256 random bits. */
export const LinkToken = z
  .string()
  .regex(BASE64URL_256, 'must be the token from the link')
  .describe('token from the link')

/** What an app keeps the answer to, until it comes for what it was given: a SHA-256 hash. */
export const CodeChallenge = z.string().regex(BASE64URL_256, 'must be a SHA-256 hash in base64url')

/** Comma lists in queries: `status=queued,running`. */
export const listOf = <T extends z.ZodType<string, string>>(item: T) =>
  z
    .string()
    .max(500)
    .transform(text => text.split(',').filter(part => part !== ''))
    .pipe(z.array(item).max(50))

export const Page = {
  limit: wholeNumber(1, 200).prefault(50).describe('how many to return'),
  offset: wholeNumber(0, 10_000_000).prefault(0).describe('how many to skip'),
}
