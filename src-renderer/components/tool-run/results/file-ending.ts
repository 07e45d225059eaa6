/** Endings of what is worth having one; anything else becomes `bin`, so that no server makes a program of its data. */
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

/** The ending of a file of a kind, without the dot. */
export function endingOf(mimeType: string | undefined): string {
  const kind = mimeType?.split(';')[0]?.trim().toLowerCase() ?? ''
  return Object.hasOwn(ENDINGS, kind) ? (ENDINGS[kind] ?? 'bin') : 'bin'
}

/** The last part of an address, without its ending, as the beginning of a file name. */
export function nameOfAddress(uri: string): string {
  const path = uri.split(/[?#]/u)[0] ?? ''
  return (path.split('/').findLast((part) => part !== '') ?? '').replace(/\.[^.]{1,8}$/u, '')
}
