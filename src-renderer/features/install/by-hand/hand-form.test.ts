import { describe, expect, it } from 'vitest'

import { type HandDraft, openText } from '../../../../src-shared/domain/installation/by-hand'
import { blankForm, blankRow, formOf, madeOf, withoutSaved } from './hand-form'
import { problemsOfForm, rowSpots } from './hand-problems'
import { losesSaved, suggestSecret, toPlain, toSecret } from './secret-toggle'

const draft: HandDraft = {
  name: 'Mine',
  cwd: '/srv',
  budgets: { requestMs: 5_000 },
  made: {
    kind: 'command',
    command: 'node',
    args: [
      [],
      [
        { kind: 'text', text: '--key=' },
        { kind: 'saved', fieldKey: 'arg_key' },
      ],
    ],
    env: [{ name: 'TOKEN', value: [{ kind: 'secret', secret: '' }] }],
  },
}

describe('the editor of a server made by hand', () => {
  it('sends what it read, a saved secret by its field and an empty argument too', () => {
    expect(madeOf(formOf(draft))).toEqual(draft.made)
  })

  it('sends a secret that was typed over a saved one, and one that was removed as missing', () => {
    const form = formOf(draft)
    const [first, second] = form.args
    if (first === undefined || second?.value.kind !== 'secret') throw new Error('no secret')
    const typed = (secret: string) => ({
      ...form,
      args: [
        first,
        {
          ...second,
          value: {
            kind: 'secret' as const,
            pieces: [{ kind: 'secret' as const, secret, fieldKey: 'arg_key' }],
          },
        },
      ],
    })
    expect(madeOf(typed('new'))).toMatchObject({ args: [[], [{ kind: 'secret', secret: 'new' }]] })
    expect(problemsOfForm(typed(''), [], []).map(({ spot }) => spot)).toEqual([
      'args.1',
      'env.0.value',
    ])
  })

  it('leaves out lines that hold nothing, and counts the others as main does', () => {
    const rows = [blankRow(), blankRow('A'), blankRow(), blankRow('B')]
    const form = { ...blankForm(), env: rows }
    expect(madeOf(form)).toMatchObject({ env: [{ name: 'A' }, { name: 'B' }] })
    expect([...rowSpots(form, 'env').values()]).toEqual(['env.0', 'env.1'])
  })

  it('asks another copy for its own secrets', () => {
    expect(madeOf(withoutSaved(formOf(draft)))).toMatchObject({
      args: [[], [{ kind: 'text' }, { kind: 'secret', secret: '' }]],
    })
  })

  it('names its problems in the order of the page', () => {
    const form = {
      ...formOf(draft),
      name: 'taken',
      command: '',
      cwd: 'here',
      env: [blankRow('A=B'), blankRow('A')],
    }
    expect(problemsOfForm(form, ['Taken'], []).map(({ spot }) => spot)).toEqual([
      'name',
      'command',
      'env.0.name',
      'cwd',
    ])
  })
})

describe('a stored secret in the editor', () => {
  const used: HandDraft = {
    ...draft,
    made: {
      kind: 'address',
      type: 'sse',
      url: openText('https://a.example'),
      headers: [
        {
          name: 'Authorization',
          value: [...openText('Bearer '), { kind: 'shared', secretId: 'team' }],
        },
      ],
    },
  }
  const form = formOf(used)

  it('is sent by its id, and goes along with another copy', () => {
    expect(madeOf(form)).toEqual(used.made)
    expect(madeOf(withoutSaved(form))).toEqual(used.made)
  })

  it('is a problem at its place once it is no longer there', () => {
    expect(problemsOfForm(form, [], ['team'])).toEqual([])
    expect(problemsOfForm(form, [], ['other'])).toMatchObject([{ spot: 'headers.0.value' }])
  })

  it('is lost when the text is made open', () => {
    const [header] = form.headers
    if (header?.value.kind !== 'secret') throw new Error('no secret')
    expect(losesSaved(header.value)).toBe(true)
    expect(toPlain(header.value)).toEqual({ kind: 'plain', text: 'Bearer ' })
  })
})

describe('the time limits of a server made by hand', () => {
  it('are problems out of their range, and those of a start do not count for an address', () => {
    const limits = { install: 'x', handshake: '', discover: '', request: '0' }
    const form = { ...formOf(draft), args: [], env: [], limits }
    const spots = (kind: 'command' | 'address') =>
      problemsOfForm({ ...form, kind, url: { kind: 'plain', text: 'https://a' } }, [], []).map(
        ({ spot }) => spot,
      )
    expect(spots('command')).toEqual(['limits.install', 'limits.request'])
    expect(spots('address')).toEqual(['limits.request'])
  })
})

describe('the lock of a text', () => {
  it.each([
    ['--api-key=abc', ['--api-key=', '«abc»']],
    ['TOKEN=abc', ['TOKEN=', '«abc»']],
    ['Bearer abc', ['Bearer ', '«abc»']],
    ['Authorization: Bearer abc', ['Authorization: Bearer ', '«abc»']],
    ['X-Key: abc', ['X-Key: ', '«abc»']],
    ['C:\\path', ['«C:\\path»']],
    ['abc def', ['«abc def»']],
    ['', ['«»']],
  ])('leaves what names the secret in %j open', (text, parts) => {
    const secret = toSecret(text, 'value')
    if (secret.kind !== 'secret') throw new Error('open')
    expect(
      secret.pieces.map((piece) =>
        piece.kind === 'secret' ? `«${piece.secret ?? ''}»` : 'text' in piece && piece.text,
      ),
    ).toEqual(parts)
    expect(toPlain(secret)).toEqual({ kind: 'plain', text })
  })

  it('takes the parameter of an address that is called like a secret, or the last one', () => {
    const secretOf = (url: string) => {
      const text = toSecret(url, 'url')
      return text.kind === 'secret' && text.pieces.find(({ kind }) => kind === 'secret')
    }
    expect(secretOf('https://a/?api_key=k&mode=m')).toMatchObject({ secret: 'k' })
    expect(secretOf('https://a/?x=1&y=2#z')).toMatchObject({ secret: '2' })
  })

  it('is proposed by the name of an empty value only', () => {
    expect(suggestSecret('API_KEY', { kind: 'plain', text: '' }).kind).toBe('secret')
    expect(suggestSecret('API_KEY', { kind: 'plain', text: 'x' }).kind).toBe('plain')
    expect(suggestSecret('MODE', { kind: 'plain', text: '' }).kind).toBe('plain')
  })

  it('says when a saved secret would be lost', () => {
    const saved = {
      kind: 'secret',
      pieces: [{ kind: 'secret', secret: undefined, fieldKey: 'x' }],
    } as const
    expect([losesSaved(saved), losesSaved(toSecret('x', 'value'))]).toEqual([true, false])
  })
})
