import fc from 'fast-check'
import { afterEach, describe, expect, it, vi } from 'vitest'

import { SECRET_MASK } from '../../../src-shared/domain/installation/launch-plan'
import { maskJson, maskJsonInTurns } from './mask-json'
import { createRedactor } from './redact'

/** Returns every text in a value including keys, each also with fewer and fewer escapes. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') {
    const next = value.replaceAll(/\\(["\\/])/gu, '$1')
    return next === value ? [value] : [value, ...textsIn(next)]
  }
  if (typeof value !== 'object' || value === null) return [String(value)]
  return Object.entries(value).flatMap(([key, one]) => [key, ...textsIn(one)])
}

/** Escapes characters that need none, as some programs do. */
function withEscapes(json: string): string {
  return json
    .replaceAll('/', String.raw`\/`)
    .replaceAll(/[^\x20-\x7E]/gu, (one) =>
      [...Array(one.length).keys()]
        .map((at) => `\\u${one.charCodeAt(at).toString(16).padStart(4, '0')}`)
        .join(''),
    )
}

const secrets = fc.oneof(
  fc.string({ minLength: 6, maxLength: 30 }),
  fc.string({ minLength: 6, maxLength: 30, unit: 'grapheme' }),
  fc.stringMatching(/^[a-z"\\/\n{}]{6,20}$/u),
  fc.integer({ min: 100_000 }).map(String),
)

afterEach(() => {
  vi.restoreAllMocks()
})

describe('Masking JSON', () => {
  it('leaves no secret in any text, however it is written, and yields valid JSON', () => {
    const usable = secrets.filter(
      (secret) => secret.trim().length >= 4 && !SECRET_MASK.includes(secret.trim()),
    )
    const around = fc.tuple(fc.string(), fc.string())
    fc.assert(
      fc.property(usable, around, fc.jsonValue(), fc.boolean(), (secret, [a, b], other, odd) => {
        const text = `${a}${secret}${b}`
        const number = /^\d+$/u.test(secret) ? Number(secret) : 0
        const inside = JSON.stringify({ inner: JSON.stringify({ inner: text, list: [text] }) })
        const value = { text, [text]: 1, inside, deep: [[{ number, inside }]], other }
        const json = odd ? withEscapes(JSON.stringify(value)) : JSON.stringify(value)
        const masked = maskJson(json, createRedactor([secret]))
        for (const shown of textsIn(JSON.parse(masked))) {
          expect(shown).not.toContain(secret)
          expect(shown).not.toContain(JSON.stringify(secret).slice(1, -1))
        }
      }),
      { numRuns: 300 },
    )
  })

  it('keeps everything else as it was written', () => {
    fc.assert(
      fc.property(fc.json(), (json) => {
        expect(maskJson(json, createRedactor(['no such secret']))).toBe(json)
      }),
    )
    const json = String.raw`{ "n": 1.0, "big": 12345678901234567890, "twice": 1, "twice": 2, "u": "\u0041\/" }`
    expect(maskJson(json, createRedactor(['other']))).toBe(json)
    expect(maskJson(json.replace('"u"', '"s3cret"'), createRedactor(['s3cret']))).toBe(
      json.replace('"u"', `"${SECRET_MASK}"`),
    )
  })

  it('finds a secret in nested JSON with escapes', () => {
    const secret = 'ab/cd"ef'
    const inner = String.raw`{"key":"ab\/cd\"ef"}`
    const masked = maskJson(JSON.stringify({ text: inner }), createRedactor([secret]))
    expect(JSON.parse(masked)).toEqual({ text: `{"key":"${SECRET_MASK}"}` })
  })

  it.each([
    ['with unnecessary escapes', String.raw`{"key":"a\u0026b\u003cc\u00E9\/d"}`],
    ['two levels down', JSON.stringify({ inner: String.raw`{"key":"a\u0026b\u003cc\u00e9\/d"}` })],
    ['as an address with few escapes', 'http://h/?k=a%26b%3Cc%C3%A9/d'],
    ['as a completely escaped address', 'http://h/?k=%61%26%62%3c%63%c3%a9%2f%64'],
    [
      'literally before and after an escaped one',
      String.raw`a&b<cé/d {"key":"a\u0026b\u003cc\u00E9\/d"} a&b<cé/d`,
    ],
  ])('finds a secret in a text: %s', (_, text) => {
    const redactor = createRedactor(['a&b<cé/d', 'another secret'])
    const written = JSON.stringify({ other: 'another secret', text })
    for (const json of [written, JSON.stringify({ text })]) {
      const masked = maskJson(json, redactor)
      expect((JSON.parse(masked) as { text: string }).text).toContain(SECRET_MASK)
      expect(masked).not.toMatch(/u003|%3c|%3C|&b|<c/u)
    }
  })

  it('finds a secret at any position of a long text, without blocking the event loop', async () => {
    const secret = `long ${'secret '.repeat(50)}`
    const redactor = createRedactor([secret])
    const room = 1024 * 1024
    // Each read of the clock is later than a turn is long.
    let now = 0
    vi.spyOn(performance, 'now').mockImplementation(() => (now += 100))
    for (const at of [room - secret.length, room - 100, room - 1, room]) {
      const texts = Array.from({ length: 20_000 }, (_, index) => `text\n${index}`)
      const json = JSON.stringify(['x'.repeat(at - 2) + secret, ...texts])
      const masked = maskJson(json, redactor)
      expect(masked).not.toContain('secret')
      const begun = now
      expect(await maskJsonInTurns(json, redactor)).toBe(masked)
      expect((now - begun) / 100).toBeGreaterThan(5)
    }
  })

  it('replaces a secret number by a text', () => {
    expect(maskJson('{"pin":48151623,"n":4}', createRedactor(['48151623']))).toBe(
      `{"pin":"${SECRET_MASK}","n":4}`,
    )
    expect(maskJson('48151623', createRedactor(['48151623']))).toBe(`"${SECRET_MASK}"`)
  })

  it('masks a secret that is JSON itself, and yields valid JSON', () => {
    const secret = '{"key":"abc","id":7}'
    const masked = maskJson(`{"account":${secret}}`, createRedactor([secret]))
    expect(JSON.parse(masked)).toBe(`{"account":${SECRET_MASK}}`)
  })

  it('takes linear time with many escapes and deep nesting', () => {
    const escapes = JSON.stringify('\\'.repeat(500_000) + '"'.repeat(500_000))
    expect(maskJson(escapes, createRedactor(['s3cret']))).toBe(escapes)
    const nested = '['.repeat(200_000) + ']'.repeat(200_000)
    expect(maskJson(nested, createRedactor(['s3cret']))).toBe(nested)
  })
})
