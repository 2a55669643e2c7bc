import type { TestPanel } from '#test/support/panel.ts'

const INDENT = 4
const LINE = /^(?<indent>[│ ]*)[├└]── (?<text>\S*) \((?<methods>[A-Z, ]+)\)$/

/** The pages of the browser interface are one pattern; here it stands as a page that fits it. */
const withPage = (path: string) => path.replace(/:page\(.*\)\*$/, 'sites/*').replace(/:page\(.*\)$/, 'sites')

/** Every route of the running server as `GET /path`, read from the router itself: nothing can be left out. */
export const routesOfServer = (panel: TestPanel): string[] => {
  const prefixes: string[] = []
  return panel.server
    .printRoutes({ commonPrefix: false })
    .split('\n')
    .filter(line => line !== '')
    .flatMap(line => {
      const found = LINE.exec(line)?.groups
      if (!found) throw new Error(`the router printed a line of another form: ${line}`)
      const depth = (found.indent ?? '').length / INDENT
      const path = (prefixes[depth - 1] ?? '') + (found.text ?? '')
      prefixes[depth] = path
      return (found.methods ?? '').split(', ').map(method => `${method} ${withPage(path)}`)
    })
    .toSorted()
}
