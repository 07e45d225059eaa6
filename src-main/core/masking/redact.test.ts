import { createHash } from 'node:crypto'

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { cpuMsOf } from '../../../e2e/fixtures/cpu-time'
import { SECRET_MASK } from '../../../src-shared/domain/installation/launch-plan'
import { createRedactor, CumulativeRedactor, NO_REDACTOR, type Redactor } from './redact'

describe('A7: a secret in encoded forms', () => {
  it('is masked in Base64 after a user name of any length', () => {
    const redact = createRedactor(['sk-very-secret-token'])
    for (const user of ['', 'a', 'ab', 'abc', 'me@work']) {
      const header = Buffer.from(`${user}:sk-very-secret-token:x`).toString('base64')
      const shown = redact(`Basic ${header}`)
      expect(shown).toContain(SECRET_MASK)
      expect(Buffer.from(shown.slice(6), 'base64').toString()).not.toMatch(/very|secret|token/u)
    }
  })

  it('is masked in URL-safe Base64', () => {
    const secret = 'sk~~~???>>>ÿÿÿ-very-secret'
    const redact = createRedactor([secret])
    for (const before of ['', 'a', 'ab', '{"k":"']) {
      const text = Buffer.from(`${before}${secret}"}`).toString('base64url')
      expect(text).toMatch(/[-_]/u)
      const shown = redact(`eyJ.${text}.x`)
      expect(Buffer.from(shown.slice(4), 'base64url').toString()).not.toMatch(/~~|>>|ver|secr/u)
    }
  })

  it('is masked if JSON or an address escapes its letters', () => {
    const redact = createRedactor(['pässwörd-🙂'])
    expect(redact('"p\\u00e4ssw\\u00f6rd-\\ud83d\\ude42"')).toBe(`"${SECRET_MASK}"`)
    expect(redact('k=p%c3%a4ssw%c3%b6rd-%f0%9f%99%82&x')).toBe(`k=${SECRET_MASK}&x`)
  })

  it.each([
    ['a form', new URLSearchParams({ k: "it's a/b~c*(d)" }).toString().slice(2)],
    ['a form as Python writes it', 'it%27s+a%2Fb~c%2A%28d%29'],
    ['an address with an unescaped slash', 'it%27s%20a/b~c%2A%28d%29'],
    ['a form with an unescaped slash', "it's+a/b~c*(d)"],
    ['JSON with an escaped slash', String.raw`it's a\/b~c*(d)`],
  ])('is masked in %s', (_where, encoded) => {
    expect(createRedactor(["it's a/b~c*(d)"])(`k=${encoded}&x`)).toBe(`k=${SECRET_MASK}&x`)
  })
})

describe('A7: a secret in numeric escapes or in another case', () => {
  const secret = 'sk/Live-Ä1b2C3🙂'
  const hex = Buffer.from(secret).toString('hex')
  const units = [...Array(secret.length).keys()].map((at) =>
    secret.charCodeAt(at).toString(16).padStart(4, '0'),
  )

  it.each([
    ['hex', hex],
    ['hex in upper case', hex.toUpperCase()],
    ['percent signs', hex.replace(/../g, '%$&')],
    ['percent signs in upper case', hex.toUpperCase().replace(/../g, '%$&')],
    ['escaped units', units.map((unit) => `\\u${unit}`).join('')],
    ['escaped units in upper case', units.map((unit) => `\\u${unit.toUpperCase()}`).join('')],
    ['escaped bytes', hex.replace(/../g, String.raw`\x$&`)],
    ['upper case', 'SK/LIVE-Ä1B2C3🙂'],
    ['lower case', 'sk/live-Ä1b2c3🙂'],
    ['mixed case', 'Sk/lIVE-Ä1B2c3🙂'],
    ['an address in lower case', encodeURIComponent(secret).toLowerCase()],
  ])('is masked as %s, in one text and in a stream cut anywhere', (_how, encoded) => {
    const redact = createRedactor(['another secret', secret])
    const text = `İ using ${encoded}. Done`
    const masked = `İ using ${SECRET_MASK}. Done`
    expect(redact(text)).toBe(masked)
    for (let at = 0; at <= text.length; at += 1) {
      const stream = redact.openStream(false)
      const shown = stream.push(text.slice(0, at)) + stream.push(text.slice(at)) + stream.end(false)
      expect(shown).toBe(masked)
    }
    const begun = redact.openStream(false)
    expect(begun.push(`using ${encoded.slice(0, -2)}`) + begun.end(true)).not.toContain(
      encoded.slice(0, 10),
    )
  })
})

describe('A7: a secret with surrounding spaces', () => {
  const secret = ' sk/live-12345678 \n'
  const bare = 'sk/live-12345678'

  it.each([
    ['in plain text', bare],
    ['in JSON', JSON.stringify(bare).slice(1, -1)],
    ['in an address', encodeURIComponent(bare)],
    ['in Base64', Buffer.from(bare).toString('base64url')],
  ])('is masked without them %s', (_where, encoded) => {
    expect(createRedactor([secret])(`using ${encoded}`)).toBe(`using ${SECRET_MASK}`)
  })

  it('is masked without them if the stream is cut anywhere', () => {
    const redact = createRedactor([secret])
    const text = `a ${bare}, b${secret}c ${bare}`
    for (let at = 0; at <= text.length; at += 1) {
      const stream = redact.openStream(false)
      const shown = stream.push(text.slice(0, at)) + stream.push(text.slice(at)) + stream.end(false)
      expect(shown).toBe(`a ${SECRET_MASK}, b${SECRET_MASK}c ${SECRET_MASK}`)
    }
  })

  it('is masked line by line', () => {
    const redact = createRedactor(['{\n    "key": "very-secret"\n  }'])
    expect(redact('> "key": "very-secret" <')).toBe(`> ${SECRET_MASK} <`)
  })

  it("doesn't count as one if too little is left", () => {
    expect(createRedactor([' abc   '])('abc')).toBe('abc')
  })
})

describe('A7: a secret at a cut', () => {
  it("is masked at the end of a server's message, also before a full stop", () => {
    const redact = createRedactor(['sk-very-secret-token'])
    for (const end of ['', '.']) {
      const text = `It says: the key is sk-very-secr … (cut)${end}`
      expect(redact(text)).toBe(`It says: the key is ${SECRET_MASK} … (cut)${end}`)
    }
  })
})

describe('A7: masking known secrets', () => {
  it('masks every occurrence, the longest secret first', () => {
    const redact = createRedactor(['abcd', 'abcdefgh'])
    expect(redact('x abcdefgh y abcd abcdefgh')).toBe('x •••••••• y •••••••• ••••••••')
  })

  it('prepares hundreds of long tokens with equal beginnings quickly', () => {
    const head = 'eyJhbGciOiJSUzI1NiIsInR5cCI6IkpXVCJ9.'
    const tokens = Array.from({ length: 300 }, (_, at) => {
      const end = createHash('shake256', { outputLength: 1_200 }).update(`${at}`)
      return `${head}${end.digest('base64url')}`
    })
    const tookMs = cpuMsOf(() => {
      const { maskWhole } = createRedactor(tokens)
      expect(maskWhole('a short line')).toBe('a short line')
      for (const token of tokens.slice(0, 10))
        expect(maskWhole(`Bearer ${token} ${head}x`)).toBe(`Bearer ${SECRET_MASK} ${head}x`)
    })
    expect(tookMs).toBeLessThan(1_500)
  })

  it('keeps short values and all other text', () => {
    expect(createRedactor(['abc', '', '   \n  '])('abc and    \n  more')).toBe(
      'abc and    \n  more',
    )
  })

  it('masks each line of a multiline secret', () => {
    expect(createRedactor(['first line\nsecond line'])('got: second line')).toBe('got: ••••••••')
  })

  it.each([
    ['in JSON', 'pa"ss\\w\u00e9rd\nnext line', (one: string) => JSON.stringify({ key: one })],
    ['in an address', 'p@ss/w rd+&', (one: string) => `https://x/?k=${encodeURIComponent(one)}`],
    [
      'in Base64',
      'user:pass-word',
      (one: string) => `Basic ${Buffer.from(one).toString('base64')}`,
    ],
    ['after a lone carriage return', 'line one\rline two', () => 'got line two'],
    ['without terminal codes', 'abc\u001B[31mdefgh', () => 'got abcdefgh'],
  ])('masks a secret %s', (_where, secret, say) => {
    const masked = createRedactor([secret])(say(secret))
    expect(masked).toContain('••••••••')
    expect(masked).not.toMatch(/w.?.?rd|pass|two|defgh/)
  })

  it('masks the beginning of a secret at which a long line was cut', () => {
    const redact = createRedactor(['sk-abcdefghijkl'])
    const line = 'x'.repeat(2_000)
    expect(redact(`${line}sk-abcde`)).toBe(`${line}••••••••`)
    expect(redact(`${line}sk-abcde … (7 more characters)`)).toBe(
      `${line}•••••••• … (7 more characters)`,
    )
    expect(redact(`${line}sk-`)).toBe(`${line}sk-`)
  })

  it('leaves no secret in a text, whatever its characters', () => {
    const secret = fc
      .string({ minLength: 4, unit: 'grapheme-ascii' })
      .filter((text) => text.trim().length >= 4)
    fc.assert(
      fc.property(secret, fc.string(), fc.string(), (value, before, after) => {
        fc.pre(!before.includes(value) && !after.includes(value))
        expect(createRedactor([value])(`${before}|${value}|${after}`)).toContain('••••••••')
        expect(createRedactor([value])(value)).toBe('••••••••')
      }),
    )
  })
})

describe('A redactor with memory', () => {
  it("is the server's current one while there were no other secrets", () => {
    let latest: Redactor = NO_REDACTOR
    const kept = new CumulativeRedactor(() => latest)
    expect(kept.refresh()).toBe(latest)
    latest = createRedactor(['the-first'])
    expect(kept.refresh()).toBe(latest)
    latest = createRedactor(['the-first', 'the-second'])
    expect(kept.refresh()).toBe(latest)
  })

  it('also masks earlier secrets, and those of a removed server', () => {
    let latest: Redactor | undefined = createRedactor(['the-first'])
    const kept = new CumulativeRedactor(() => latest)
    latest = createRedactor(['the-second'])
    kept.refresh()
    latest = undefined
    expect(kept.refresh()('the-first the-second the-third')).toBe('•••••••• •••••••• the-third')
    expect(kept.refresh()).toBe(kept.refresh())
  })
})
