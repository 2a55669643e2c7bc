/** Ways to write one path that a proxy, a router or a check may take for another one. */
export const SPELLINGS: Record<string, (path: string, host: string) => string> = {
  'as it is': path => path,
  'two slashes in front': path => `/${path}`,
  'two slashes inside': path => path.replace(/(?<=.)\//, '//') + (path.lastIndexOf('/') === 0 ? '//' : ''),
  'a dot folder': path => `/.${path}`,
  'out of a folder': path => `/x/..${path}`,
  'out of a folder, slash encoded': path => `/x/..%2f${path.slice(1)}`,
  'out of a folder, dots encoded': path => `/x/%2e%2e${path}`,
  'slashes encoded': path => `/${path.slice(1).replaceAll('/', '%2F')}`,
  'a letter encoded': path => path.replace(/[a-z]/, letter => `%${letter.charCodeAt(0).toString(16)}`),
  'encoded twice': path => path.replace(/[a-z]/, letter => `%25${letter.charCodeAt(0).toString(16)}`),
  'upper case': path => path.toUpperCase(),
  'a parameter': path => `${path};x=1`,
  'a slash at the end': path => `${path}/`,
  'a dot at the end': path => `${path}.`,
  'absolute form': (path, host) => `http://${host}${path}`,
  'a NUL at the end': path => `${path}%00`,
  'a raw NUL at the end': path => `${path}\0`,
  'an overlong slash': path => path.replace(/(?<=.)\/|$/, '%c0%af'),
  'very long': path => `${path}?${'x'.repeat(8000)}=1`,
}

export const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT'] as const
