import {
  avifSize,
  gifSize,
  jpegSize,
  type PictureSize,
  pngSize,
  webpSize,
} from '../../../../src-shared/domain/picture-size'

/** Types that may be shown, by their first bytes (at offset `at` if given); any other data can only be saved. */
const SIGNATURES = [
  { type: 'image/png', text: '\x89PNG\r\n' },
  { type: 'image/jpeg', text: '\xff\xd8\xff' },
  { type: 'image/gif', text: 'GIF8' },
  { type: 'image/webp', text: 'WEBP', at: 8 },
  { type: 'image/avif', text: 'ftypavif', at: 4 },
  { type: 'image/avif', text: 'ftypavis', at: 4 },
  { type: 'audio/wav', text: 'WAVE', at: 8 },
  { type: 'audio/mpeg', text: 'ID3' },
  { type: 'audio/mpeg', text: '\xff\xfb' },
  { type: 'audio/mpeg', text: '\xff\xf3' },
  { type: 'audio/mpeg', text: '\xff\xf2' },
  { type: 'audio/ogg', text: 'OggS' },
  { type: 'audio/flac', text: 'fLaC' },
  { type: 'audio/mp4', text: 'ftypM4A', at: 4 },
  { type: 'audio/webm', text: '\x1a\x45\xdf\xa3' },
] as const satisfies readonly {
  readonly type: string
  readonly text: string
  readonly at?: number
}[]
type MediaType = (typeof SIGNATURES)[number]['type']

/** Binary data of a result, with its type if it can be shown. */
export type Media = {
  readonly bytes: number
  readonly blob: Blob
  /** Type by the bytes, whatever the server says; missing if the data is not shown. */
  readonly type?: MediaType
  readonly size?: PictureSize
  /** Why an image is not drawn: its size is unreadable or too large. */
  readonly obstacle?: 'unmeasured' | 'tooLarge'
}

/** Maximum number of pixels of a drawn image; four bytes each. */
const MAX_PIXELS = 40_000_000
const MAX_SIDE = 16_384

const SIZES: Readonly<Partial<Record<MediaType, (bytes: Uint8Array) => PictureSize | undefined>>> =
  {
    'image/png': pngSize,
    'image/jpeg': jpegSize,
    'image/gif': gifSize,
    'image/webp': webpSize,
    'image/avif': avifSize,
  }

/** Returns the type of the bytes; undefined if it may not be shown. */
function typeOfBytes(bytes: Uint8Array): MediaType | undefined {
  const head = String.fromCodePoint(...bytes.subarray(0, 16))
  return SIGNATURES.find((one) => head.startsWith(one.text, 'at' in one ? one.at : 0))?.type
}

/** Decodes base64 (RFC 4648, 4); undefined for an invalid text. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(base64), (char) => char.codePointAt(0) ?? 0)
  } catch (error) {
    if (error instanceof DOMException) return undefined
    throw error
  }
}

function obstacleOf(size: PictureSize | undefined): Media['obstacle'] {
  if (!size) return 'unmeasured'
  const { width, height } = size
  const fits = Math.max(width, height) <= MAX_SIDE && width * height <= MAX_PIXELS
  return fits ? undefined : 'tooLarge'
}

/**
 * Reads base64 data; undefined for invalid base64. Showable data gets the type of its bytes. Other data gets no type, so that no page ever
 * opens it as a document.
 */
export function readMedia(base64: string): Media | undefined {
  const bytes = bytesOf(base64)
  if (!bytes) return undefined
  const type = typeOfBytes(bytes)
  const measure = type && SIZES[type]
  const size = measure?.(bytes)
  const obstacle = measure && obstacleOf(size)
  return {
    bytes: bytes.byteLength,
    blob: new Blob([bytes], { type: type ?? 'application/octet-stream' }),
    ...(type && { type }),
    ...(size && { size }),
    ...(obstacle && { obstacle }),
  }
}
