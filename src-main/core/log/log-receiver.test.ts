import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { LineSplitter } from '../lines/line-reader'
import { createRedactor, plainText } from '../masking/redact'
import { type LoggedLine, LogReceiver, PIECE } from './log-receiver'

const MASK = '••••••••'

function logged(chunks: readonly Buffer[], secrets: readonly string[]): LoggedLine[] {
  const lines: LoggedLine[] = []
  const receiver = new LogReceiver('stderr', createRedactor(secrets), {
    add: (line) => lines.push(line),
    skip: () => undefined,
  })
  const splitter = new LineSplitter(receiver)
  for (const chunk of chunks) splitter.push(chunk)
  splitter.end()
  return lines
}

function cut(bytes: Buffer, sizes: readonly number[]): Buffer[] {
  const chunks: Buffer[] = []
  let at = 0
  for (let turn = 0; at < bytes.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? 1
    chunks.push(bytes.subarray(at, at + size))
    at += size
  }
  return chunks
}

/** Joins the pieces of long lines. */
function joined(lines: readonly LoggedLine[]): string[] {
  const whole: string[] = []
  let begun = ''
  for (const { text, continues } of lines) {
    begun += text
    if (continues) continue
    whole.push(begun)
    begun = ''
  }
  return whole
}

const SECRET = fc
  .string({ minLength: 4, maxLength: 12, unit: fc.constantFrom('a', 'b', 'é', '🙂', '-') })
  .filter((text) => text.trim().length >= 4)

describe('A7: secrets in a stream', () => {
  it('are masked equally wherever the bytes are cut', () => {
    const filler = fc.oneof(
      fc.constantFrom('\n', '\u001b[31m', '\t', ' ', 'a', '🙂', 'ab'),
      fc.integer({ min: 0, max: 9_000 }).map((count) => 'x'.repeat(count)),
    )
    const text = fc
      .array(SECRET, { minLength: 1, maxLength: 3 })
      .chain((secrets) =>
        fc.tuple(
          fc.constant(secrets),
          fc.array(fc.oneof(filler, fc.constantFrom(...secrets)), { maxLength: 30 }),
        ),
      )
    fc.assert(
      fc.property(
        text,
        fc.array(fc.integer({ min: 1, max: 20_000 }), { minLength: 1, maxLength: 5 }),
        ([secrets, parts], sizes) => {
          const raw = `${parts.join('')}\n`
          const bytes = Buffer.from(raw)
          const lines = logged(cut(bytes, sizes), secrets)
          expect(lines).toEqual(logged([bytes], secrets))
          const { maskWhole } = createRedactor(secrets)
          const whole = raw.slice(0, -1).split('\n').map(plainText)
          expect(joined(lines)).toEqual(whole.map(maskWhole))
          for (const line of joined(lines)) {
            for (const secret of secrets) expect(line).not.toContain(secret)
          }
        },
      ),
      { numRuns: 300 },
    )
  })

  it('never cross two pieces of a long line, and show no 4 characters at the cut', () => {
    const secret = 'sk-0123456789abcdef'
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 60 }),
        fc.integer({ min: 1, max: 9_000 }),
        (off, size) => {
          const line = `${'x'.repeat(PIECE - 40 + off)}${secret}${'y'.repeat(PIECE)}`
          const pieces = logged(cut(Buffer.from(`${line}\n`), [size]), [secret])
          expect(joined(pieces)).toEqual([line.replace(secret, MASK)])
          for (const { text } of pieces) expect(text).not.toMatch(/k-01|0123|1234|cdef/u)
        },
      ),
    )
  })

  it('are masked if the stream ends within them', () => {
    const [last] = logged([Buffer.from('token sk-01234')], ['sk-0123456789'])
    expect(last?.text).toBe(`token ${MASK}`)
  })

  it('are dropped if reading begins within them', () => {
    const lines: LoggedLine[] = []
    const receiver = new LogReceiver('stderr', createRedactor(['sk-0123456789']), {
      add: (line) => lines.push(line),
      skip: () => undefined,
    })
    const splitter = new LineSplitter(receiver)
    splitter.push(Buffer.from('begin of a line with sk-0123'))
    splitter.drop()
    receiver.onLost(1, true)
    splitter.push(Buffer.from(`456789${'z'.repeat(120)}sk-0123456789 end\nnext 6789\n`))
    expect(lines.map(({ text }) => text)).toEqual([
      expect.stringMatching(/^z{30,114}•{8} end$/u),
      'next 6789',
    ])
  })

  it('are masked together if they overlap', () => {
    expect(createRedactor(['abcdef', 'defghi'])('x abcdefghi y')).toBe(`x ${MASK} y`)
  })
})

describe('B1: a line without an end', () => {
  it('of 10 MB becomes complete pieces of bounded size', () => {
    const text = 'é123456🙂 '.repeat(1_000_000)
    const pieces = logged(cut(Buffer.from(text), [65_536]), [])
    expect(pieces.map((piece) => piece.text).join('')).toBe(text)
    expect(pieces.every((piece) => piece.text.length <= PIECE)).toBe(true)
    expect(pieces.filter((piece) => !piece.continues)).toEqual([pieces.at(-1)])
    expect(pieces.some(({ text: piece }) => /^[\udc00-\udfff]|[\ud800-\udbff]$/.test(piece))).toBe(
      false,
    )
  })

  it('has the level of its beginning in every piece', () => {
    const pieces = logged([Buffer.from(`ERROR ${'x'.repeat(20_000)}\nfine\n`)], [])
    expect(pieces.map(({ level }) => level)).toEqual(['error', 'error', 'error', 'info'])
  })
})

describe('B1: colors in the log', () => {
  it('are kept with the line, except in a masked secret', () => {
    const raw = '\u001b[32mok\u001b[0m\n\u001b[32mkey hidden-key\u001b[0m\n'
    expect(logged([Buffer.from(raw)], ['hidden-key'])).toEqual([
      {
        source: 'stderr',
        level: 'info',
        text: 'ok',
        styles: [{ start: 0, end: 2, color: 'green' }],
      },
      { source: 'stderr', level: 'info', text: `key ${MASK}` },
    ])
  })

  it("don't hide the level in the line", () => {
    expect(logged([Buffer.from('\u001b[31mERROR\u001b[0m no\n')], [])[0]?.level).toBe('error')
  })
})
