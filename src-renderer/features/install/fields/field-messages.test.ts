import { describe, expect, it } from 'vitest'

import type { FormField } from '../../../../src-shared/form/form-field'
import { expectedKind, foundPathWords, shellPathWords } from '../values/path-messages'
import { cutText, defaultWord, descriptionOf, fitsSegments, isCleared } from './field-foot'

function field(parts: Partial<FormField>): FormField {
  return {
    key: 'k',
    label: 'Thing',
    control: 'text',
    format: 'string',
    choices: [],
    required: false,
    secret: false,
    repeated: false,
    target: { place: 'packageArguments', index: 0 },
    ...parts,
  }
}

describe('A3 the words under a field', () => {
  it('are cut between words when they are long, and after four lines', () => {
    expect(cutText('short')).toBe('short')
    const cut = cutText('word '.repeat(100).trim())
    expect(cut.length).toBeLessThanOrEqual(241)
    expect(cut).toMatch(/word…$/)
    expect(cutText('x'.repeat(300))).toBe(`${'x'.repeat(240)}…`)
    expect(cutText('a\nb\nc\nd\ne')).toBe('a\nb\nc\nd…')
  })

  it('show what would hide in them', () => {
    expect(descriptionOf(field({ description: 'a\u202eb' }), false)).toBe('a<U+202E>b')
  })

  it('name the choices where no list shows them', () => {
    const choices = field({ description: 'Pick.', choices: ['a', 'b'] })
    expect(descriptionOf(choices, true)).toBe('Pick. One of a, b.')
    expect(descriptionOf(choices, false)).toBe('Pick.')
  })

  it('say the default in a word, but never that of a secret', () => {
    expect(defaultWord(field({ default: 'x' }))).toBe('x')
    expect(defaultWord(field({}))).toBeUndefined()
    expect(defaultWord(field({ default: 'true', control: 'switch' }))).toBe('on')
    expect(defaultWord(field({ default: 'hunter2', secret: true }))).not.toContain('hunter2')
    expect(defaultWord(field({ default: 'x'.repeat(500) }))?.length).toBe(81)
  })

  it.each([
    [null, false],
    ['x', false],
    [' ', true],
    [[], true],
    [['', ' '], true],
    [['', 'a'], false],
  ])('%j is cleared: %s', (value, cleared) => {
    expect(isCleared(value)).toBe(cleared)
  })
})

describe('A3 choices side by side', () => {
  it.each([
    [['a', 'b', 'c'], '', true],
    [['a', 'b', 'c', 'd'], '', false],
    [['a long choice', 'another long one'], '', false],
    [['a', 'b'], 'foreign', false],
    [['', 'b'], '', false],
  ])('%j with %j: %s', (choices, shown, fits) => {
    expect(fitsSegments(field({ control: 'choice', choices }), shown)).toBe(fits)
  })
})

describe('A3 the words under a path', () => {
  it.each([
    [{ label: 'Config file' }, 'file'],
    [{ label: 'Root', description: 'Folders to read' }, 'folder'],
    [{ label: 'Root', machineName: '--data-dir' }, 'folder'],
    [{ label: 'Folder of files' }, undefined],
    [{ label: 'Root' }, undefined],
    [{ label: 'Root', pathKind: 'file' }, 'file'],
  ] as const)('%j leads to a %s', (parts, kind) => {
    expect(expectedKind(field(parts))).toBe(kind)
  })

  it('warn only of what is not as expected', () => {
    expect(foundPathWords('missing', undefined)).toContain('not found')
    expect(foundPathWords('denied', undefined)).toContain('permission')
    expect(foundPathWords('file', 'folder')).toContain('Choose a folder')
    expect(foundPathWords('folder', 'file')).toContain('Choose a file')
    expect(foundPathWords('file', undefined)).toBeUndefined()
    expect(foundPathWords('folder', 'folder')).toBeUndefined()
    expect(foundPathWords('unknown', 'folder')).toBeUndefined()
  })

  it.each(['~/notes', '~', '$HOME/notes', String.raw`%USERPROFILE%\notes`])(
    'say that nothing reads %s',
    (path) => {
      expect(shellPathWords(path)).toContain('Enter the full path.')
    },
  )
  it.each(['/home/a~b', 'relative', String.raw`C:\100% sure`, ''])('leave %j alone', (path) => {
    expect(shellPathWords(path)).toBeUndefined()
  })
})
