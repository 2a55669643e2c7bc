/**
 * What every repository starts with, as `restic init` has written it once. Repositories have an empty password, so this key
 * hides nothing, and it is cheap to open: a key that restic makes itself costs every call most of a second.
 */
const KEY = {
  id: 'f9e9118998a31a28b860cf58b8ca448657eb94f280d778fc430a28b5cf8387aa',
  text: '{"created":"2026-11-17T00:00:00Z","username":"root","hostname":"fleetpress","kdf":"scrypt","N":512,"r":8,"p":1,"salt":"uCZMA/diN62BSD+j9qx6nGPWpRYofL6v+nSGQVa2bO+A0jZHT0BeLSiLkQyoFw2uCORBrJpfrcDjIJmEZacKEw==","data":"qcLKYv0fZgXflCrudM5NQayAff3KW3G8rDOXxcZUCDZ/duAGlVbD4Ez2+Rn6fOnL/p0vuqK7XiYFQKj+LPrmgQiGuew1LozOnWXXj5DxdVnFf/1Jjw617Aq86JaoM+JFOzG3quND9aTeQ7V47kcxodOv6pj9Dm8FbkubbAtGeyWaMSDoskFRnGWe9gqHcYucpcp/UMxPU7gXMg9pvt2IiA=="}',
}
const CONFIG =
  'D3IOprAoDhj7uFVr+M/vZMcNc5GF3+8OOpqbJPqamllQdyUMS4KG/Nt6K6ApL02TmdeVEXKmov8RE54URP37N+6XoH4vb1xcla956hiFgBgSAUGncoaESCZ3JQPwWFh9zkmwMXYKz/EqUtK+7P8/y3bu8tvzOR60M+hXSTZmlntfx4R+YSDvaq5oKfsoH3eCbkH8cvO7OH/QB7o='

/** Words: the folder, then the key's name, the key and the configuration, which comes last: it is what makes a repository. */
const SCRIPT = `set -e
test ! -e "$0/config" || exit 0
umask 077
mkdir -p "$0/keys"
printf %s "$2" > "$0/keys/$1"
printf %s "$3" | base64 --decode > "$0/config.new"
mv "$0/config.new" "$0/config"`

/** Does nothing where a repository is. */
export const blankRepositoryArgv = (folder: string): readonly [string, ...string[]] => [
  'bash',
  '-c',
  SCRIPT,
  folder,
  KEY.id,
  KEY.text,
  CONFIG,
]
