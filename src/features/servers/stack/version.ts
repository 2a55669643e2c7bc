import { createHash } from 'node:crypto'
import { specHash } from '#drivers/docker/container-spec.ts'
import { imageRef, STACK_IMAGES, siteImage } from '../images/recipes.ts'
import { DEFAULT_PHP } from '../images/stack-images.ts'
import { databaseContainer, edgeContainer } from './containers.ts'

/** Its limits follow from it, and they are no part of the version. */
const ANY_MACHINE = { cpus: 1, memoryBytes: 1024 ** 3 }

let known: Promise<string> | undefined

/** Changes whenever this panel would set a server up in another way. The recipes do not change while it runs. */
export const stackVersion = (): Promise<string> => {
  known ??= compute()
  return known
}

const compute = async (): Promise<string> => {
  const edge = edgeContainer(await imageRef(STACK_IMAGES.edge), ANY_MACHINE)
  const database = databaseContainer(await imageRef(STACK_IMAGES.database), ANY_MACHINE)
  const parts = [specHash(edge), specHash(database), await imageRef(siteImage(DEFAULT_PHP))]
  return createHash('sha256').update(parts.join(' ')).digest('hex').slice(0, 16)
}
