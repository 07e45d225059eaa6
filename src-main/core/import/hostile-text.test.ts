import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { oneOf, read } from '../../../e2e/fixtures/pasted-text'
import { AppError } from '../../../src-shared/domain/app-error'
import type { CustomServerText } from '../../../src-shared/domain/installation/custom-server'
import { isStandIn } from '../../../src-shared/form/recognize-secrets'

/** Returns a text with its secrets. */
const wholeText = (text: CustomServerText): string =>
  text
    .map((piece) => ('text' in piece ? piece.text : 'secret' in piece ? piece.secret : ''))
    .join('')

describe('a hostile text', () => {
  it.each<[string, string]>([
    ['endless nesting', '{"mcpServers":'.concat('['.repeat(500_000))],
    ['a million spaces', ' '.repeat(1_000_000)],
    ['an unclosed comment', '{} /*'],
    [
      'a prototype as a name',
      '{"mcpServers": {"__proto__": {"command": "x", "env": {"__proto__": "a", "constructor": "b"}}}}',
    ],
    ['deceptive names', '{"mcpServers": {"\\u202Eabc\\u0000": {"command": "x"}}}'],
    [
      'long runs that look like keys',
      JSON.stringify({ command: 'x', args: Array(300).fill('-eyJ'.repeat(800)) }),
    ],
    ['a NUL in an argument', '{"command": "x", "args": ["a\\u0000b"]}'],
  ])('is parsed in bounded time and size: %s', async (_, text) => {
    const pasted = await read(text)
    expect(['broken', 'servers']).toContain(pasted.kind)
    expect(Object.hasOwn(Object.prototype, 'command')).toBe(false)
    if (pasted.kind === 'servers')
      for (const { name } of pasted.servers) expect(name).not.toMatch(/[\u202E\0]/)
  })

  it('fails only with INVALID_CONFIG, whatever it is', async () => {
    const json = fc.json({ maxDepth: 6 })
    const pieces = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ':',
      ',',
      '"mcpServers"',
      '"command"',
      '"args"',
      '"url"',
      '"x"',
      '1',
      '//a\n',
      '${env:A}',
      '"cmd"',
      '"a \'b"',
    )
    const text = fc.oneof(
      json,
      fc.string(),
      fc.array(pieces, { maxLength: 30 }).map((list) => list.join('')),
    )
    await fc.assert(
      fc.asyncProperty(text, async (pasted) => {
        try {
          await read(pasted)
        } catch (error) {
          expect(error).toBeInstanceOf(AppError)
        }
      }),
      { numRuns: 500 },
    )
  })

  it('keeps every argument that has no placeholder', async () => {
    const argument = fc
      .string({ unit: 'binary' })
      .filter((text) => !/[$\0]/.test(text) && !isStandIn(text))
    await fc.assert(
      fc.asyncProperty(fc.array(argument, { maxLength: 8 }), async (args) => {
        const { made } = (await oneOf({ command: 'x', args })).drafted
        expect(made.kind === 'command' && made.args.map(wholeText)).toEqual(args)
      }),
      { numRuns: 300 },
    )
  })
})
