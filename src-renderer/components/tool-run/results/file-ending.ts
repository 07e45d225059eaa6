/** File extensions of known types. Any other type becomes `bin`, so that no server saves its data as a program. */
const ENDINGS: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'image/avif': 'avif',
  'audio/wav': 'wav',
  'audio/mpeg': 'mp3',
  'audio/ogg': 'ogg',
  'audio/flac': 'flac',
  'audio/mp4': 'm4a',
  'audio/webm': 'webm',
  'application/pdf': 'pdf',
  'application/zip': 'zip',
  'application/gzip': 'gz',
  'application/json': 'json',
  'text/plain': 'txt',
  'text/markdown': 'md',
  'text/csv': 'csv',
}

/** Returns the file extension of a MIME type, without the dot. */
export function endingOf(mimeType: string | undefined): string {
  const kind = mimeType?.split(';')[0]?.trim().toLowerCase() ?? ''
  return Object.hasOwn(ENDINGS, kind) ? (ENDINGS[kind] ?? 'bin') : 'bin'
}

/** Returns the last part of an address without its extension, as the start of a file name. */
export function nameOfAddress(uri: string): string {
  const path = uri.split(/[?#]/u)[0] ?? ''
  return (path.split('/').findLast((part) => part !== '') ?? '').replace(/\.[^.]{1,8}$/u, '')
}
