import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, renameSync } from 'node:fs'
import { Failure } from '../failure.ts'
import { withLock } from '../panel/lock.ts'
import { inRepository, NODE } from '../repository.ts'
import { installMissing } from '../test/install.ts'

const CRYPTO = inRepository('node_modules', 'ssh2', 'lib', 'protocol', 'crypto')
const FOLDER = `${CRYPTO}/build/Release`
const BINDING = `${FOLDER}/sshcrypto.node`

/** As in the binding.gyp of ssh2; the headers are those of the Node that will load it. */
const compilerWords = (output: string): string[] => [
  '-std=c++20',
  '-O3',
  '-fPIC',
  '-shared',
  '-DNODE_GYP_MODULE_NAME=sshcrypto',
  '-DBUILDING_NODE_EXTENSION',
  '-DOPENSSL_API_COMPAT=0x10100000L',
  `-DREAL_OPENSSL_MAJOR=${process.versions.openssl.split('.')[0]}`,
  `-I${inRepository('node_modules', 'nan')}`,
  `-I${inRepository('node_modules', `node-linux-${process.arch}`, 'include', 'node')}`,
  `-I${CRYPTO}/src`,
  inRepository('src', 'cli', 'install', 'ssh-crypto.cc'),
  '-o',
  output,
]

/** Enough ciphers that the garbage collector frees some of them: a broken file ends the process there. */
const TRY = `
  const { AESGCMCipher } = require(process.argv[1])
  for (let made = 0; made < 3000; made++) new AESGCMCipher('aes-128-gcm', Buffer.alloc(16), Buffer.alloc(12))
`

/** Asked in its own process, which a broken file can end. */
const works = (file: string): boolean =>
  existsSync(file) && spawnSync(NODE, ['-e', TRY, file], { stdio: 'ignore' }).status === 0

const compile = (): void => {
  mkdirSync(FOLDER, { recursive: true })
  const beside = `${FOLDER}/next.node`
  const { status, stderr, error } = spawnSync('g++', compilerWords(beside), { encoding: 'utf8' })
  if (status !== 0 || !works(beside)) {
    const said = `${stderr ?? ''}${error?.message ?? ''}`.trimEnd()
    throw new Failure(`${said}\nCouldn't compile the SSH ciphers: fix the g++ error above, then run this again.`)
  }
  renameSync(beside, BINDING)
}

const hasCompiler = (): boolean => spawnSync('g++', ['--version'], { stdio: 'ignore' }).status === 0

/** npm runs nothing that packages bring along, so the compiled part of ssh2 is made here: without it SSH is slow. */
export const ensureSshCrypto = async (): Promise<'compiled' | 'already compiled'> => {
  if (works(BINDING)) return 'already compiled'
  return withLock(inRepository('.cache', 'ssh-crypto.lock'), async () => {
    if (works(BINDING)) return 'already compiled'
    if (!hasCompiler()) installMissing(['g++'])
    compile()
    return 'compiled'
  })
}
