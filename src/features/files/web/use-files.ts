import { useQuery } from '@tanstack/react-query'
import { api } from './api.ts'
import { type FileText, readText } from './file-text.ts'

export const folderKey = (slug: string) => ['sites', 'files', slug]

export const useFolder = (slug: string, path: string) =>
  useQuery({
    queryKey: [...folderKey(slug), 'list', path],
    queryFn: () => api.fileList({ params: { slug }, query: { path } }),
  })

export interface LoadedFile {
  etag: string
  /** Undefined for a file that is not text. */
  text: FileText | undefined
}

export const useFile = (slug: string, path: string) =>
  useQuery({
    queryKey: ['sites', 'file', slug, path],
    queryFn: async (): Promise<LoadedFile> => {
      const { bytes, etag = '' } = await api.fileRead({ params: { slug }, query: { path } })
      return { etag, text: readText(await new Response(bytes).arrayBuffer()) }
    },
    gcTime: 0,
  })
