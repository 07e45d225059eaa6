import { describe, expect, it } from 'vitest'

import type { FormField } from '../../../../src-shared/form/form-field'
import {
  cutText,
  defaultText,
  descriptionOf,
  fitsSegments,
  isCleared,
} from '../fields/field-footer'
import {
  expectedKind,
  groupFields,
  matchesSearch,
  pageOrder,
  pathKindText,
  shellPathText,
} from './form-controls'

function field(key: string, parts: Partial<FormField> = {}): FormField {
  return {
    key,
    label: key,
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

const keys = (fields: readonly FormField[]) => fields.map(({ key }) => key)
const many = (count: number, parts?: Partial<FormField>) =>
  Array.from({ length: count }, (_, index) => field(`k${index}`, parts))

describe('A3: groups of a form', () => {
  it('are required fields, options, and options of the runner', () => {
    const runner = { target: { place: 'runtimeArguments', index: 0 } } as const
    const groups = groupFields([
      field('a'),
      field('b', { required: true }),
      field('c', runner),
      field('d', { ...runner, required: true }),
    ])
    expect(keys(groups.required)).toEqual(['b', 'd'])
    expect(keys(groups.options)).toEqual(['a'])
    expect(keys(groups.advanced)).toEqual(['c'])
  })

  it('show up to twelve options, whatever their defaults', () => {
    expect(groupFields(many(12, { default: 'x' })).advanced).toEqual([])
  })

  it('fold fields with a default first, last ones first, and keep the order', () => {
    const fields = [field('d1', { default: 'x' }), field('d2', { default: 'x' }), ...many(11)]
    expect(keys(groupFields(fields).advanced)).toEqual(['d2'])
    expect(keys(groupFields(fields).options)).toEqual(['d1', ...keys(many(11))])
    const most = groupFields([...fields, field('z1'), field('z2')])
    expect(keys(most.advanced)).toEqual(['d1', 'd2', 'z2'])
  })

  it('contain each field once', () => {
    const fields = [...many(30), field('r', { required: true })]
    expect(keys(pageOrder(groupFields(fields))).toSorted()).toEqual(keys(fields).toSorted())
  })
})

describe('search of a form', () => {
  const port = field('p', {
    label: 'HTTP port',
    machineName: '--port',
    description: 'Where it listens',
    choices: ['auto'],
  })
  it.each(['', 'port', 'LISTENS http', '--po', 'auto'])('finds a field by %j', (query) => {
    expect(matchesSearch(port, query)).toBe(true)
  })
  it.each(['ports', 'http x'])('does not find a field by %j', (query) => {
    expect(matchesSearch(port, query)).toBe(false)
  })
})

describe('A3: text below a field', () => {
  it('is cut between words if it is long, and after four lines', () => {
    expect(cutText('short')).toBe('short')
    const cut = cutText('word '.repeat(100).trim())
    expect(cut.length).toBeLessThanOrEqual(241)
    expect(cut).toMatch(/word…$/)
    expect(cutText('x'.repeat(300))).toBe(`${'x'.repeat(240)}…`)
    expect(cutText('a\nb\nc\nd\ne')).toBe('a\nb\nc\nd…')
  })

  it('escapes invisible characters', () => {
    expect(descriptionOf(field('k', { description: 'a\u202eb' }), false)).toBe('a<U+202E>b')
  })

  it('names the choices if no control lists them', () => {
    const choices = field('k', { description: 'Pick.', choices: ['a', 'b'] })
    expect(descriptionOf(choices, true)).toBe('Pick. One of a, b.')
    expect(descriptionOf(choices, false)).toBe('Pick.')
  })

  it('shows the default, but never that of a secret', () => {
    expect(defaultText(field('k', { default: 'x' }))).toBe('x')
    expect(defaultText(field('k', {}))).toBeUndefined()
    expect(defaultText(field('k', { default: 'true', control: 'switch' }))).toBe('on')
    expect(defaultText(field('k', { default: 'hunter2', secret: true }))).not.toContain('hunter2')
    expect(defaultText(field('k', { default: 'x'.repeat(500) }))?.length).toBe(81)
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

describe('A3: choices as a segmented control', () => {
  it.each([
    [['a', 'b', 'c'], '', true],
    [['a', 'b', 'c', 'd'], '', false],
    [['a long choice', 'another long one'], '', false],
    [['a', 'b'], 'foreign', false],
    [['', 'b'], '', false],
  ])('%j with current value %j fit: %s', (choices, shown, fits) => {
    expect(fitsSegments(field('k', { control: 'choice', choices }), shown)).toBe(fits)
  })
})

describe('A3: text below a path', () => {
  it.each([
    [{ label: 'Config file' }, 'file'],
    [{ label: 'Root', description: 'Folders to read' }, 'folder'],
    [{ label: 'Root', machineName: '--data-dir' }, 'folder'],
    [{ label: 'Folder of files' }, undefined],
    [{ label: 'Root' }, undefined],
    [{ label: 'Root', pathKind: 'file' }, 'file'],
  ] as const)('%j leads to a %s', (parts, kind) => {
    expect(expectedKind(field('k', parts))).toBe(kind)
  })

  it('warns only if the found kind differs from the expected one', () => {
    expect(pathKindText('missing', undefined)).toContain('not found')
    expect(pathKindText('denied', undefined)).toContain('permission')
    expect(pathKindText('file', 'folder')).toContain('Choose a folder')
    expect(pathKindText('folder', 'file')).toContain('Choose a file')
    expect(pathKindText('file', undefined)).toBeUndefined()
    expect(pathKindText('folder', 'folder')).toBeUndefined()
    expect(pathKindText('unknown', 'folder')).toBeUndefined()
  })

  it.each(['~/notes', '~', '$HOME/notes', String.raw`%USERPROFILE%\notes`])(
    'says that %s is not expanded',
    (path) => {
      expect(shellPathText(path)).toContain('Enter the full path.')
    },
  )
  it.each(['/home/a~b', 'relative', String.raw`C:\100% sure`, ''])('ignores %j', (path) => {
    expect(shellPathText(path)).toBeUndefined()
  })
})
