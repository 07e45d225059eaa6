import {
  avifSize,
  gifSize,
  jpegSize,
  type PictureSize,
  pngSize,
  webpSize,
} from '../../../../src-shared/domain/picture-size'

/** What pictures and sounds may be shown, by their first bytes, at `at` where they do not begin at 0; anything else can only be saved. */
const BEGINNINGS = [
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
type MediaType = (typeof BEGINNINGS)[number]['type']

/** Data of a result: its bytes, and what they are where that can be shown. */
export type Media = {
  readonly bytes: number
  readonly blob: Blob
  /** As the bytes say, whatever the server says; missing of all that is not shown. */
  readonly type?: MediaType
  readonly size?: PictureSize
  /** Why a picture is not drawn: its size cannot be read, or it would be too large. */
  readonly obstacle?: 'unmeasured' | 'tooLarge'
}

/** Most pixels of a picture that is drawn; four bytes each. */
const MOST_PIXELS = 40_000_000
const LONGEST_SIDE = 16_384

const SIZES: Readonly<Partial<Record<MediaType, (bytes: Uint8Array) => PictureSize | undefined>>> =
  {
    'image/png': pngSize,
    'image/jpeg': jpegSize,
    'image/gif': gifSize,
    'image/webp': webpSize,
    'image/avif': avifSize,
  }

/** What the bytes are, where that may be shown. */
function typeOfBytes(bytes: Uint8Array): MediaType | undefined {
  const head = String.fromCodePoint(...bytes.subarray(0, 16))
  return BEGINNINGS.find((one) => head.startsWith(one.text, 'at' in one ? one.at : 0))?.type
}

/** Bytes of base64 (RFC 4648, 4); undefined where it is none. */
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
  const fits = Math.max(width, height) <= LONGEST_SIDE && width * height <= MOST_PIXELS
  return fits ? undefined : 'tooLarge'
}

/**
 * Reads data that came as base64; undefined where it is none. What can be shown gets the kind that its bytes say; the
 * rest has none, so that no page ever opens it as a document.
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
