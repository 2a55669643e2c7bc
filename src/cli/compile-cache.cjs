// Half of a start is reading source; the next start does not have to. The cache is in the repository: the default folder
// is in /tmp, where another user could plant code for root. Plain JavaScript, so that no compiler is loaded for it.
const { enableCompileCache } = require('node:module')
const { join } = require('node:path')

enableCompileCache(join(__dirname, '..', '..', '.cache', 'node'))
