import {
  jpegSize,
  type PictureSize,
  pngSize,
  webpSize,
} from '../../../../src-shared/domain/picture-size'

/** A picture that may be shown, with the kind that its bytes say. */
export type Picture = {
  readonly type: 'image/png' | 'image/jpeg' | 'image/webp' | 'image/svg+xml'
  readonly bytes: Uint8Array
}

/** The most that is taken of a picture, in bytes. */
export const PICTURE_LIMIT = 256 * 1024

/** The longest side of a picture in pixels: a few packed bytes can become gigabytes when they are drawn. */
const MOST_PIXELS = 1_024

/** How far into a drawing its first element has to begin, in characters. */
const PROLOGUE_LIMIT = 16 * 1024

/**
 * What may stand in a drawing: shapes. What repeats, filters or embeds others can keep a page busy for minutes
 * with a few hundred bytes.
 */
const COSTLY =
  /<\s*(?:\w+:)?(?:script|use|foreignobject|filter|image|feimage|pattern|animate\w*|set|iframe|style)\b|<!ENTITY|<!DOCTYPE/i

/**
 * Reads what a picture is from its own bytes; undefined for anything else, for one of more than 1,024 pixels a side
 * or of a size that cannot be read, and for a drawing that is more than shapes.
 */
export function readPicture(bytes: Uint8Array): Picture | undefined {
  if (bytes.byteLength > PICTURE_LIMIT) return undefined
  if (startsWith(bytes, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a])) {
    return fits(pngSize(bytes)) ? { type: 'image/png', bytes } : undefined
  }
  if (startsWith(bytes, [0xff, 0xd8, 0xff])) {
    return fits(jpegSize(bytes)) ? { type: 'image/jpeg', bytes } : undefined
  }
  const isRiff = startsWith(bytes, [0x52, 0x49, 0x46, 0x46])
  if (isRiff && startsWith(bytes.subarray(8), [0x57, 0x45, 0x42, 0x50])) {
    return fits(webpSize(bytes)) ? { type: 'image/webp', bytes } : undefined
  }
  return isPlainDrawing(bytes) ? { type: 'image/svg+xml', bytes } : undefined
}

/** The picture as an address that a page can show without asking anybody. */
export function toDataAddress({ type, bytes }: Picture): string {
  return `data:${type};base64,${Buffer.from(bytes).toString('base64')}`
}

/** The bytes of a data: address; undefined for one that is none, or too long. */
export function readDataAddress(address: string): Uint8Array | undefined {
  // Three bytes become four letters, or, where they are escaped, nine.
  if (address.length > PICTURE_LIMIT * 3) return undefined
  const [, isBase64, text] =
    /^data:[^,;]*(?:;(?!base64)[^,;]*)*(;base64)?,(.*)$/is.exec(address) ?? []
  if (text === undefined) return undefined
  if (isBase64 !== undefined) return Buffer.from(text, 'base64')
  try {
    return Buffer.from(decodeURIComponent(text), 'utf8')
  } catch (error) {
    if (error instanceof URIError) return undefined
    throw error
  }
}

function fits(size: PictureSize | undefined): boolean {
  if (!size) return false
  return [size.width, size.height].every((side) => side >= 1 && side <= MOST_PIXELS)
}

function isPlainDrawing(bytes: Uint8Array): boolean {
  const text = new TextDecoder().decode(bytes)
  const root = text.slice(prologueEnd(text.slice(0, PROLOGUE_LIMIT)))
  return /^<svg[\s>]/i.test(root) && !COSTLY.test(root)
}

/** Where the declaration, comments and spaces before the first element end; part by part, so in one pass. */
function prologueEnd(text: string): number {
  const part = /\s+|<\?xml\s[^>]*>|<!--[\s\S]*?-->|<!DOCTYPE[^>[]*>/iy
  let end = 0
  while (part.test(text)) end = part.lastIndex
  return end
}

function startsWith(bytes: Uint8Array, start: readonly number[]): boolean {
  return start.every((byte, index) => bytes[index] === byte)
}
