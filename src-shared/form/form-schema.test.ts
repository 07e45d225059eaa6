import { zodResolver } from '@hookform/resolvers/zod'
import { describe, expect, it } from 'vitest'

import type { FormField } from './form-field'
import { findProblems, type FormInput, formSchema } from './form-schema'

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

function issuesOf(one: FormField, value: FormInput[string], savedSecrets: string[] = []) {
  const result = formSchema([one], { savedSecrets }).safeParse({ k: value })
  return (result.error?.issues ?? []).map(({ path, message }) => ({ path, message }))
}

const folders = field({
  control: 'path',
  format: 'filepath',
  machineName: 'allowed_folders',
  required: true,
  repeated: true,
})

describe('the problems of a form', () => {
  it('are the first of each field, in the order of the fields', () => {
    const number = { format: 'number', repeated: true } as const
    const fields = [field({ key: 'b', ...number }), field({ key: 'a', required: true })]
    const found = findProblems(fields, { b: ['x', '\0'] }, [])
    expect(found.map(({ fieldKey, code }) => [fieldKey, code])).toEqual([
      ['b', 'invalid-number'],
      ['a', 'missing-required'],
    ])
  })
})

describe('A3: a required field', () => {
  it.each([undefined, '', '   ', '\n'])('rejects %j', (value) => {
    expect(issuesOf(field({ required: true }), value)).toEqual([
      { path: ['k'], message: 'Enter a value.' },
    ])
  })

  it.each<[Partial<FormField>, string]>([
    [{ control: 'number', format: 'number' }, 'Enter a number.'],
    [{ control: 'switch', format: 'boolean' }, 'Choose on or off.'],
    [{ control: 'choice', choices: ['a', 'b'] }, 'Choose one of: a, b.'],
    [{ control: 'path', format: 'filepath' }, 'Enter a path.'],
    [{ control: 'path', format: 'filepath', label: 'Log directory' }, 'Enter a folder.'],
  ])('names what to enter: %j', (parts, message) => {
    expect(issuesOf(field({ required: true, ...parts }), '')).toEqual([{ path: ['k'], message }])
  })

  it.each([[undefined], [[]], [['', '  ']]])('rejects the list %j', (value) => {
    expect(issuesOf(folders, value)).toEqual([
      { path: ['k'], message: 'Enter at least one folder.' },
    ])
  })

  it('accepts a list with one filled entry, and an optional field may stay empty', () => {
    expect(issuesOf(folders, ['', '/a'])).toEqual([])
    expect(issuesOf(field({}), '')).toEqual([])
  })

  it('is not filled by a default of white space', () => {
    expect(issuesOf(field({ required: true, default: ' \t' }), undefined)).toHaveLength(1)
  })

  it('counts a default while untouched and not after it is cleared', () => {
    const withDefault = field({ required: true, default: 'x' })
    expect(issuesOf(withDefault, undefined)).toEqual([])
    expect(issuesOf(withDefault, '')).toHaveLength(1)
  })

  it('counts a saved secret while untouched and not after it is cleared', () => {
    const secret = field({ required: true, secret: true })
    expect(issuesOf(secret, undefined, ['k'])).toEqual([])
    expect(issuesOf(secret, undefined, ['other'])).toHaveLength(1)
    expect(issuesOf(secret, '', ['k'])).toHaveLength(1)
  })
})

describe('A3: validation of formats and choices', () => {
  const number = field({ control: 'number', format: 'number' })
  it.each(['5', '-1', '0.5', ' 7 ', '1e3'])('accepts the number %j', (value) => {
    expect(issuesOf(number, value)).toEqual([])
  })
  it.each(['54x', '0x10', '1,5', 'NaN', '1 2'])('rejects the number %j', (value) => {
    expect(issuesOf(number, value)).toEqual([{ path: ['k'], message: 'Enter a number.' }])
  })

  it.each<[Pick<FormField, 'min' | 'max'>, string, string]>([
    [{ min: 1, max: 99 }, '0.9', 'Enter a number from 1 to 99.'],
    [{ min: 1, max: 99 }, ' 1e2 ', 'Enter a number from 1 to 99.'],
    [{ min: 0 }, '-1', 'Enter a number of at least 0.'],
    [{ max: 0 }, '1', 'Enter a number of at most 0.'],
  ])('within %j rejects %j', (bounds, value, message) => {
    expect(issuesOf({ ...number, ...bounds }, value)).toEqual([{ path: ['k'], message }])
    for (const bound of Object.values(bounds))
      expect(issuesOf({ ...number, ...bounds }, String(bound))).toEqual([])
  })

  it('names the list entry that is out of bounds', () => {
    const message = 'Enter a number of at most 9.'
    expect(issuesOf({ ...number, max: 9 }, ['9', '10'])).toEqual([{ path: ['k', 1], message }])
  })

  it('names the choices', () => {
    const choice = field({ control: 'choice', choices: ['a', 'b'] })
    expect(issuesOf(choice, 'a')).toEqual([])
    expect(issuesOf(choice, 'c')).toEqual([{ path: ['k'], message: 'Choose one of: a, b.' }])
  })

  it('accepts only true and false for a switch', () => {
    const toggle = field({ control: 'switch', format: 'boolean' })
    expect(issuesOf(toggle, 'true')).toEqual([])
    expect(issuesOf(toggle, 'yes')).toEqual([{ path: ['k'], message: 'Choose on or off.' }])
  })

  it('rejects NUL, at its list entry', () => {
    expect(issuesOf(folders, ['/a', '/b\0'])).toEqual([
      { path: ['k', 1], message: 'Remove the NUL character.' },
    ])
  })

  it('accepts several values for an argument and one for an environment variable', () => {
    expect(issuesOf(field({}), ['a', 'b'])).toEqual([])
    const variable = field({ target: { place: 'environmentVariables', index: 0 } })
    expect(issuesOf(variable, ['a', 'b'])).toEqual([
      { path: ['k'], message: 'Enter one value only.' },
    ])
  })
})

describe('A3: characters that a target cannot take', () => {
  it.each<[FormField['target']['place'], string, number]>([
    ['headers', 'a\r\nB: c', 1],
    ['headers', '日本', 1],
    ['headers', 'é\tx', 0],
    ['url', 'a\nb', 1],
    ['url', '日本', 0],
    ['packageArguments', 'a\nb 日本', 0],
    ['environmentVariables', 'a\nb 日本', 0],
  ])('%s: %j has %i', (place, value, count) => {
    expect(issuesOf(field({ target: { place, index: 0 } }), value)).toHaveLength(count)
  })
})

describe('A4: rows of a template', () => {
  const variable = (key: string, parts: Partial<FormField>) =>
    field({
      key,
      repeated: true,
      target: { place: 'packageArguments', index: 0, variable: key },
      ...parts,
    })
  const fields = [variable('src', { required: true }), variable('dst', { default: '/t' })]
  const pathsOf = (input: FormInput) =>
    formSchema(fields, { savedSecrets: [] })
      .safeParse(input)
      .error?.issues.map(({ path }) => path)

  it('require a required variable in each row that another variable fills', () => {
    expect(pathsOf({ src: ['/a', ''], dst: ['/x', '/y'] })).toEqual([['src', 1]])
    expect(pathsOf({ src: ['/a', '/b'], dst: ['/x', '/y', '/z'] })).toEqual([['src']])
  })

  it('require nothing in a row that is empty, or if one value applies to all', () => {
    expect(pathsOf({ src: ['/a', ''], dst: ['/x', ''] })).toBeUndefined()
    expect(pathsOf({ src: ['/a', ''], dst: '/x' })).toBeUndefined()
    expect(pathsOf({ src: '/a', dst: ['/x', '/y'] })).toBeUndefined()
  })
})

describe('A6: problems before a start', () => {
  it('name each field once, with its label', () => {
    const number = field({ key: 'n', label: 'Port', control: 'number', format: 'number' })
    const problems = findProblems([folders, number], { n: ['x', 'y'] }, [])
    expect(problems).toEqual([
      {
        code: 'missing-required',
        fieldKey: 'k',
        label: 'Thing',
        message: 'Enter at least one folder.',
      },
      { code: 'invalid-number', fieldKey: 'n', label: 'Port', message: 'Enter a number.' },
    ])
  })

  it('ignore values without a field', () => {
    const schema = formSchema([field({})], { savedSecrets: [] })
    expect(schema.parse({ k: 'a', gone: 'b', other: undefined })).toEqual({ k: 'a' })
  })

  it('come from a schema that React Hook Form accepts', async () => {
    const resolve = zodResolver(formSchema([folders], { savedSecrets: [] }))
    const options = { fields: {}, shouldUseNativeValidation: false }
    const wrong = await resolve({ k: ['/a', '\0'] }, undefined, options)
    expect(wrong.errors).toMatchObject({ k: [undefined, { message: 'Remove the NUL character.' }] })
    const right = await resolve({ k: ['/a'] }, undefined, options)
    expect(right).toEqual({ errors: {}, values: { k: ['/a'] } })
  })
})
