import { plainText } from './terminal-text'

/** Every text that a secret may stand as; some may be too short to be masked, and some may come twice. */
export function encodedForms(secret: string): string[] {
  const bare = secret.trim()
  // A server that reads the secret takes away what is around it, as people paste line ends and spaces along.
  return bare === secret ? writings(secret) : [...writings(secret), ...writings(bare)]
}

function writings(secret: string): string[] {
  const lines = secret.split(/\r\n|\n|\r/)
  // As a log keeps it, which frees its lines of terminal sequences.
  const shown = [...lines, ...lines.map(plainText)]
  const bytes = Buffer.from(secret)
  return [
    secret,
    ...shown,
    ...shown.map((line) => line.trim()),
    ...inJson(secret),
    ...inAddresses(bytes),
    ...inBase64(bytes),
    ...inHex(secret, bytes),
  ]
}

/** Every character by its number; the case of the digits doesn't count. */
function inHex(secret: string, bytes: Buffer): string[] {
  const hex = bytes.toString('hex')
  const escaped = (mark: string): string => hex.replace(/../gu, `${mark}$&`)
  return [hex, escaped('%'), escaped(String.raw`\x`), escapeUnit(secret)]
}

function inJson(secret: string): string[] {
  const json = JSON.stringify(secret).slice(1, -1)
  const ascii = json.replace(/[^\x20-\x7E]/gu, escapeUnit)
  // The slash may be escaped, and some languages do it always.
  return [json, ascii].flatMap((one) => [one, one.replaceAll('/', String.raw`\/`)])
}

/** As some languages write what is beyond ASCII in JSON, one UTF-16 unit after the other. */
function escapeUnit(character: string): string {
  return [...Array(character.length).keys()]
    .map((at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`)
    .join('')
}

/** Percent-encoded (RFC 3986, 2.1): languages differ in which signs they leave. */
function inAddresses(bytes: Buffer): string[] {
  // Through bytes: a lone surrogate would make encodeURIComponent throw.
  const address = encodeURIComponent(bytes.toString('utf8'))
  const strict = address.replace(/[!'()*]/gu, escapeByte)
  const form = strict.replaceAll('%2A', '*').replaceAll('~', '%7E')
  const all = [address, strict]
    .flatMap((one) => [one, one.replaceAll('%2F', '/')])
    .flatMap((one) => [one, one.replaceAll('%20', '+')])
  return [...all, form.replaceAll('%20', '+')]
}

function escapeByte(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`
}

function inBase64(bytes: Buffer): string[] {
  const base64 = bytes.toString('base64').replace(/=+$/, '')
  const bases = [base64, ...base64Within(bytes)]
  // As it stands in addresses and tokens (RFC 4648, section 5).
  return [...bases, ...bases.map((one) => one.replaceAll('+', '-').replaceAll('/', '_'))]
}

/** What is the same of its Base64 whatever stands around it (`user:SECRET`): behind 0, 1 and 2 bytes of a group of three. */
function base64Within(bytes: Buffer): string[] {
  return [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64')
    const first = Math.ceil((before * 8) / 6)
    return text.slice(first, Math.floor(((before + bytes.length) * 8) / 6))
  })
}
