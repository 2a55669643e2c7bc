import { upload } from '#drivers/rclone/rclone.ts'
import type { BothRepositories } from '../remote/open-storage.ts'

const PARTS = ['keys', 'config']

/** Like the repository on the server, so that data which is in both is the same. The configuration is what makes it one. */
export const startThere = async ({ here, storage }: BothRepositories, slug: string): Promise<void> => {
  for (const part of PARTS) await upload(storage, `${here.repository.folder}/${part}`, `${slug}/${part}`)
}

/** Whether a file is one of those that every repository starts with. */
export const isStart = (path: string): boolean => PARTS.includes(path.split('/')[0] ?? '')
