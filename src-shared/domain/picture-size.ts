/** Size of a picture in pixels. */
export type PictureSize = { readonly width: number; readonly height: number }

/** Returns the size in the IHDR chunk of a PNG, which must be the first (PNG 5.6); undefined if it is missing. */
export function pngSize(bytes: Uint8Array): PictureSize | undefined {
  const view = viewOf(bytes)
  if (bytes.byteLength < 24 || textAt(bytes, 12, 4) !== 'IHDR') return undefined
  return { width: view.getUint32(16), height: view.getUint32(20) }
}

/** Returns the size in the first frame header of a JPEG (ITU T.81, B.2.2); undefined if none precedes the image. */
export function jpegSize(bytes: Uint8Array): PictureSize | undefined {
  const view = viewOf(bytes)
  let at = 2
  while (at + 9 <= bytes.byteLength && bytes[at] === 0xff) {
    const marker = bytes[at + 1] ?? 0
    if (isFrame(marker)) return { width: view.getUint16(at + 7), height: view.getUint16(at + 5) }
    // Any number of 0xFF may precede a marker.
    at += marker === 0xff ? 1 : 2 + view.getUint16(at + 2)
  }
  return undefined
}

/** Returns the size in the first chunk of a WebP, in each of its three kinds (RFC 9649, 2.5 to 2.7); undefined for others. */
export function webpSize(bytes: Uint8Array): PictureSize | undefined {
  if (bytes.byteLength < 30) return undefined
  const view = viewOf(bytes)
  const kind = textAt(bytes, 12, 4)
  if (kind === 'VP8 ') {
    return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff }
  }
  if (kind === 'VP8L') {
    const bits = view.getUint32(21, true)
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
  }
  if (kind !== 'VP8X') return undefined
  const [width, height] = [view.getUint32(24, true), view.getUint32(26, true) >>> 8]
  return { width: (width & 0xffffff) + 1, height: height + 1 }
}

/** Returns the logical screen size of a GIF (GIF89a, 18); undefined if it is missing. */
export function gifSize(bytes: Uint8Array): PictureSize | undefined {
  if (bytes.byteLength < 10) return undefined
  const view = viewOf(bytes)
  return { width: view.getUint16(6, true), height: view.getUint16(8, true) }
}

/** How far into an AVIF its properties are searched, in bytes. */
const AVIF_HEAD = 16 * 1024

/** Returns the largest size among the properties of an AVIF (`ispe`, ISO/IEC 23008-12, 6.5.3); undefined if none is near the start. */
export function avifSize(bytes: Uint8Array): PictureSize | undefined {
  const head = bytes.subarray(0, AVIF_HEAD)
  const view = viewOf(head)
  let largest: PictureSize | undefined
  for (let at = 4; at + 16 <= head.byteLength; at += 1) {
    if (head[at] !== 0x69 || textAt(head, at, 4) !== 'ispe') continue
    const size = { width: view.getUint32(at + 8), height: view.getUint32(at + 12) }
    const isLarger = !largest || size.width * size.height > largest.width * largest.height
    if (isLarger) largest = size
  }
  return largest
}

/** Frame headers are SOF0 to SOF15 without the three numbers that are tables (T.81, table B.1). */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
}

function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength)
}

function textAt(bytes: Uint8Array, from: number, length: number): string {
  return String.fromCodePoint(...bytes.subarray(from, from + length))
}
