import { describe, expect, it } from 'vitest'

import { readMedia } from './media'

const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** Returns a PNG header with the given size. */
function pngOf(width: number, height: number): string {
  const bytes = Buffer.from(PNG, 'base64')
  bytes.writeUInt32BE(width, 16)
  bytes.writeUInt32BE(height, 20)
  return bytes.toString('base64')
}

const base64 = (text: string): string => Buffer.from(text, 'latin1').toString('base64')

describe('D5: binary data of a result', () => {
  it('gets its type from its bytes', () => {
    expect(readMedia(PNG)).toMatchObject({
      type: 'image/png',
      size: { width: 1, height: 1 },
    })
    expect(readMedia(PNG)?.obstacle).toBeUndefined()
    expect(readMedia(PNG)?.blob.type).toBe('image/png')
    expect(readMedia(base64('RIFF\0\0\0\0WAVEfmt '))?.type).toBe('audio/wav')
    expect(readMedia(base64('GIF89a\x03\0\x02\0'))).toMatchObject({
      type: 'image/gif',
      size: { width: 3, height: 2 },
    })
    const avif = '\0\0\0\x20ftypavif\0\0\0\0'.padEnd(32, '\0') + 'ispe\0\0\0\0\0\0\0\x05\0\0\0\x04'
    expect(readMedia(base64(avif))).toMatchObject({
      type: 'image/avif',
      size: { width: 5, height: 4 },
    })
  })

  it.each(['<svg xmlns="http://www.w3.org/2000/svg"/>', '<!doctype html><script>1</script>', 'MZ'])(
    'never gets a type if it is no image or audio: %s',
    (text) => {
      const media = readMedia(base64(text))
      expect(media?.type).toBeUndefined()
      expect(media?.blob.type).toBe('application/octet-stream')
    },
  )

  it('is not drawn if that would take gigabytes', () => {
    expect(readMedia(pngOf(30_000, 30_000))?.obstacle).toBe('tooLarge')
    expect(readMedia(pngOf(20_000, 1))?.obstacle).toBe('tooLarge')
    expect(readMedia(pngOf(6_000, 6_000))?.obstacle).toBeUndefined()
    expect(readMedia(base64('GIF89a'))?.obstacle).toBe('unmeasured')
  })

  it('is rejected if it is not base64', () => {
    expect(readMedia('not base64!')).toBeUndefined()
    expect(readMedia('')).toMatchObject({ bytes: 0 })
  })
})
