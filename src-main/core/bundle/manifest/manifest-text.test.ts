import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import type { Argument } from '../../../../src-shared/domain/server-json/server-json'
import { fillTemplate } from '../../../../src-shared/domain/server-json/template'
import { templateVariables } from '../../../../src-shared/form/input-template'
import { readText, type TextPiece, toTemplate } from './manifest-text'

const PLACE = { folder: '/b', home: '/h', platform: 'linux' } as const
const TEXT = fc.array(
  fc.oneof(
    fc.constantFrom('${user_config.a}', '${user_config.b-c}', '${user_config.', '{a}', '{a_}', '{'),
    fc.constantFrom('}', '$', '${', '${a}', '${__dirname}', '\\', '{b-c}', '${user_config.{a}}'),
    fc.string({ maxLength: 3 }),
  ),
  { maxLength: 12 },
)

/** Replaces settings piece by piece. */
function expected(pieces: readonly TextPiece[], valueOf: (setting: string) => string): string {
  return pieces
    .map((piece) => (typeof piece === 'string' ? piece : valueOf(piece.setting)))
    .join('')
}

describe('texts of a manifest as templates', () => {
  it('put each setting exactly in its place, whatever braces surround it', () => {
    fc.assert(
      fc.property(TEXT, (parts) => {
        const pieces = readText(parts.join(''), PLACE)
        const { value, variables } = toTemplate(pieces, (setting) => ({ title: setting }))
        const argument: Argument = { type: 'positional', value, variables }
        const declared = new Map(
          templateVariables(argument).map(({ name, variable }) => [name, variable.title ?? '']),
        )
        expect(declared.size).toBe(Object.keys(variables).length)
        const filled = fillTemplate(value, (name) => {
          const setting = declared.get(name)
          return setting === undefined ? undefined : `<${setting}>`
        })
        expect(filled).toBe(expected(pieces, (setting) => `<${setting}>`))
      }),
    )
  })

  it('lose no character without names', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        fc.pre(!text.includes('${'))
        expect(expected(readText(text, PLACE), () => '')).toBe(text)
      }),
    )
  })
})
