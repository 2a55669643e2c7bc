/** The folder of a site itself is the empty path. */
export const joined = (folder: string, name: string): string => (folder === '' ? name : `${folder}/${name}`)

export const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')))

export const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

/** Every folder on the way, the first one below the site's own folder first. */
export const stepsTo = (path: string): { name: string; path: string }[] =>
  path === '' ? [] : path.split('/').map((name, at, names) => ({ name, path: names.slice(0, at + 1).join('/') }))

/** The address of a folder or file on this page. */
export const folderAddress = (path: string): string => (path === '' ? '?' : `?${new URLSearchParams({ path })}`)

export const fileAddress = (file: string): string => `?${new URLSearchParams({ path: parentOf(file), file })}`

export const downloadAddress = (slug: string, path: string): string =>
  `/api/sites/${encodeURIComponent(slug)}/files/download?${new URLSearchParams({ path })}`
