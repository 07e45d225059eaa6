import { describe, expect, it } from 'vitest'

import { openText } from '../../../../src-shared/domain/installation/custom-server'
import type { EditedText } from '../values/custom-server-controls'
import {
  losesSaved,
  pastedArguments,
  pastedPairs,
  suggestSecret,
  toPlain,
  toSecret,
} from './secret-toggle'

describe('lock of a text', () => {
  it.each([
    ['--api-key=abc', ['--api-key=', '«abc»']],
    ['TOKEN=abc', ['TOKEN=', '«abc»']],
    ['Bearer abc', ['Bearer ', '«abc»']],
    ['Authorization: Bearer abc', ['Authorization: Bearer ', '«abc»']],
    ['X-Key: abc', ['X-Key: ', '«abc»']],
    ['C:\\path', ['«C:\\path»']],
    ['abc def', ['«abc def»']],
    ['', ['«»']],
  ])('keeps the name of the secret in %j open', (text, parts) => {
    const secret = toSecret(text, 'value')
    expect(
      secret.map((piece) =>
        piece.kind === 'secret' ? `«${piece.secret}»` : 'text' in piece && piece.text,
      ),
    ).toEqual(parts)
    expect(toPlain(secret)).toEqual(openText(text))
  })

  it('hides the value of the query parameter named like a secret, or of the last one', () => {
    const secretOf = (url: string) => toSecret(url, 'url').find(({ kind }) => kind === 'secret')
    expect(secretOf('https://a/?api_key=k&mode=m')).toMatchObject({ secret: 'k' })
    expect(secretOf('https://a/?x=1&y=2#z')).toMatchObject({ secret: '2' })
  })

  it('is suggested for an empty value by its name', () => {
    expect(suggestSecret('API_KEY', [])).toEqual([{ kind: 'secret', secret: '' }])
    expect(suggestSecret('API_KEY', openText('x'))).toEqual(openText('x'))
    expect(suggestSecret('MODE', [])).toEqual([])
  })

  it('is suggested for a typed value once its name says so, but not after the user opened it under that name', () => {
    const typed = openText('Bearer x')
    const secret = [...openText('Bearer '), { kind: 'secret', secret: 'x' }]
    expect(suggestSecret('GHTOKEN', typed, 'MODE')).toEqual(secret)
    expect(suggestSecret('GHTOKEN', typed, 'GHTOKEN')).toEqual(typed)
    expect(suggestSecret('MAX_TOKENS', typed, 'MODE')).toEqual(typed)
    const saved: EditedText = [{ kind: 'saved', fieldKey: 'x' }]
    expect(suggestSecret('GHTOKEN', saved, 'MODE')).toEqual(saved)
  })

  it('warns if a saved or shared secret would be lost', () => {
    const saved: EditedText = [{ kind: 'saved', fieldKey: 'x' }]
    const stored: EditedText = [...openText('Bearer '), { kind: 'stored', secretId: 'team' }]
    expect([saved, stored, toSecret('x', 'value')].map(losesSaved)).toEqual([true, true, false])
    expect(toPlain(stored)).toEqual(openText('Bearer '))
  })
})

describe('pasted lines', () => {
  it('become arguments unchanged, but a single line is left to the input', () => {
    expect(pastedArguments('a b\n\n  --flag  \r\n')?.map(({ value }) => value)).toEqual([
      openText('a b'),
      openText('--flag'),
    ])
    expect(pastedArguments('only one\n')).toBeNull()
    expect(
      pastedArguments('--dbpassword=a\n--api-key\nb\n--level=3')?.map(({ value }) => value),
    ).toEqual([
      [...openText('--dbpassword='), { kind: 'secret', secret: 'a' }],
      openText('--api-key'),
      [{ kind: 'secret', secret: 'b' }],
      openText('--level=3'),
    ])
  })

  it('become pairs if each line is one, with secrets recognized by name', () => {
    expect(pastedPairs('# of a file\nexport MODE="a b"\nAPI_KEY=k\nX-Name: n')).toEqual([
      { name: 'MODE', value: openText('a b') },
      { name: 'API_KEY', value: [{ kind: 'secret', secret: 'k' }] },
      { name: 'X-Name', value: openText('n') },
    ])
    expect(pastedPairs('MODE=a\nwords alone')).toBeNull()
  })
})
