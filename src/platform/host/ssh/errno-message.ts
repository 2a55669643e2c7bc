/** How the C library words the errors a file operation can meet, for programs that only tell them as text. */
const MESSAGES: Readonly<Record<string, string>> = {
  EPERM: 'Operation not permitted',
  ENOENT: 'No such file or directory',
  EIO: 'Input/output error',
  EACCES: 'Permission denied',
  EBUSY: 'Device or resource busy',
  EEXIST: 'File exists',
  ENOTDIR: 'Not a directory',
  EISDIR: 'Is a directory',
  ETXTBSY: 'Text file busy',
  EFBIG: 'File too large',
  ENOSPC: 'No space left on device',
  EROFS: 'Read-only file system',
  EMLINK: 'Too many links',
  ENAMETOOLONG: 'File name too long',
  ELOOP: 'Too many levels of symbolic links',
  EDQUOT: 'Disk quota exceeded',
  ENXIO: 'No such device or address',
  ESTALE: 'Stale file handle',
}

/** The name of the error that a program's last words end with: what stands before may be a path that says anything. */
export const errnoIn = (stderr: string): string => {
  const said = stderr.trimEnd()
  return Object.entries(MESSAGES).find(([, message]) => said.endsWith(`: ${message}`))?.[0] ?? 'EIO'
}
