/** Characters of Base64 that are looked at: the first 24 bytes. */
const HEAD_LENGTH = 32

/** First bytes of the pictures and sounds that models take, as Latin-1 text. */
const SIGNATURES: readonly (readonly [type: string, head: RegExp])[] = [
  ['image/png', /^\x89PNG\r\n/u],
  ['image/jpeg', /^\xFF\xD8\xFF/u],
  ['image/gif', /^GIF8[79]a/u],
  ['image/webp', /^RIFF[\s\S]{4}WEBP/u],
  ['audio/wav', /^RIFF[\s\S]{4}WAVE/u],
  ['audio/mpeg', /^(?:ID3|\xFF[\xE2\xE3\xF2\xF3\xFA\xFB])/u],
  ['audio/ogg', /^OggS/u],
  ['audio/flac', /^fLaC/u],
  ['audio/mp4', /^[\s\S]{4}ftyp(?:M4A|M4B|mp4|isom|dash)/u],
]

/** The type of a picture or a sound by its first bytes; undefined for anything else. `data` is Base64. */
export function detectMediaType(data: string): string | undefined {
  const head = Buffer.from(data.slice(0, HEAD_LENGTH), 'base64').toString('latin1')
  return SIGNATURES.find(([, signature]) => signature.test(head))?.[0]
}

/** Files that hold text although a server calls them a picture or a sound: SVG, a web page, JSON. Undefined where the bytes are no UTF-8 text. */
export function textOfMedia(data: string): string | undefined {
  const bytes = Buffer.from(data, 'base64')
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    // eslint-disable-next-line no-control-regex -- text has none of these
    return /[\0-\x08\x0E-\x1A]/u.test(text) ? undefined : text
  } catch {
    return undefined // the bytes are no text
  }
}
