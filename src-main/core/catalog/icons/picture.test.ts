import { describe, expect, it } from 'vitest'

import { PICTURE_LIMIT, readDataAddress, readPicture } from './icon-cache'

const SVG = '<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0h1v1z"/></svg>'

function type(text: string | Buffer): string | undefined {
  return readPicture(Buffer.from(text))?.type
}

function png(width: number, height: number): Buffer {
  const bytes = Buffer.alloc(48)
  bytes.write('89504e470d0a1a0a0000000d49484452', 'hex')
  bytes.writeUInt32BE(width, 16)
  bytes.writeUInt32BE(height, 20)
  return bytes
}

/** The frame follows a segment that contains a fake frame, and a fill byte. */
function jpeg(width: number, height: number, frame = 0xc2): Buffer {
  const bytes = Buffer.alloc(64)
  bytes.write('ffd8ffe1000cffc000110800010001ff', 'hex')
  bytes.set([0xff, 0xff, frame, 0, 17, 8], 16)
  bytes.writeUInt16BE(height, 22)
  bytes.writeUInt16BE(width, 24)
  return bytes
}

function webp(kind: 'VP8 ' | 'VP8L' | 'VP8X' | 'ALPH', width: number, height: number): Buffer {
  const bytes = Buffer.alloc(48)
  bytes.write(`RIFF....WEBP${kind}`)
  if (kind === 'VP8 ') {
    bytes.writeUInt16LE(width, 26)
    bytes.writeUInt16LE(height, 28)
  } else if (kind === 'VP8L') {
    bytes.writeUInt32LE((width - 1) | ((height - 1) << 14), 21)
  } else {
    bytes.writeUIntLE(width - 1, 24, 3)
    bytes.writeUIntLE(height - 1, 27, 3)
  }
  return bytes
}

describe('D2: a picture of a listed server', () => {
  it('has the type of its bytes, and an SVG is only shapes', () => {
    expect(type(png(48, 48))).toBe('image/png')
    expect(type(`<?xml version="1.0"?>\n<!-- made -->\n${SVG}`)).toBe('image/svg+xml')
    const costly = ['<script/>', '<use href="#a"/>', '<x:image/>', '<foreignObject/>', '<FILTER/>']
    for (const part of costly)
      expect(type(SVG.replace('<path', `${part}<path`)), part).toBeUndefined()
    expect(type(`<!DOCTYPE svg [<!ENTITY a "aa">]>${SVG}`)).toBeUndefined()
    expect(type(`<?xml-stylesheet href="a.css"?>${SVG}`)).toBeUndefined()
    expect(type('<html><svg></svg></html>')).toBeUndefined()
    expect(type('')).toBeUndefined()
  })

  it('is read in one pass, however many comments precede the drawing', () => {
    const comments = '<!---->'.repeat(1_000)
    expect(type(`${comments}${SVG}`)).toBe('image/svg+xml')
    expect(type(`${comments}x`)).toBeUndefined()
    expect(type(`<svg>${'<!DOCTYPE'.repeat(20_000)}`)).toBeUndefined()
    expect(type(`${' '.repeat(20_000)}${SVG}`)).toBeUndefined()
  })

  it.each([
    ['PNG', 'image/png', png],
    ['JPEG', 'image/jpeg', jpeg],
    ['WebP with loss', 'image/webp', webp.bind(null, 'VP8 ')],
    ['WebP without loss', 'image/webp', webp.bind(null, 'VP8L')],
    ['extended WebP', 'image/webp', webp.bind(null, 'VP8X')],
  ])('has at most 1,024 pixels a side as %s', (_, kind, made) => {
    expect(type(made(1_024, 1_024))).toBe(kind)
    expect(type(made(1, 512))).toBe(kind)
    expect(type(made(1_025, 1))).toBeUndefined()
    expect(type(made(1, 1_025))).toBeUndefined()
    expect(type(made(16_000, 16_000))).toBeUndefined()
    expect(type(made(48, 48).subarray(0, 20))).toBeUndefined()
  })

  it('has at most 256 KB', () => {
    expect(type(Buffer.concat([png(48, 48), Buffer.alloc(PICTURE_LIMIT - 48)]))).toBe('image/png')
    expect(type(Buffer.concat([png(48, 48), Buffer.alloc(PICTURE_LIMIT - 47)]))).toBeUndefined()
    expect(readDataAddress(`data:,${'x'.repeat(PICTURE_LIMIT * 3 - 6)}`)).toBeDefined()
    expect(readDataAddress(`data:,${'x'.repeat(PICTURE_LIMIT * 3 - 5)}`)).toBeUndefined()
  })

  it("is rejected if its size can't be read", () => {
    expect(type(png(0, 48))).toBeUndefined()
    expect(type(jpeg(48, 48, 0xc4))).toBeUndefined()
    expect(type(webp('ALPH', 48, 48))).toBeUndefined()
  })
})
