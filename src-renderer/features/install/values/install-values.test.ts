import { describe, expect, it } from 'vitest'

import type { FormField } from '../../../../src-shared/form/form-field'
import { draftResolver } from '../editing/use-install-form'
import {
  budgetsOf,
  draftSchema,
  type InstallDraft,
  limitMs,
  protocolChoice,
  protocolMessages,
  protocolOf,
  sentValues,
  touchedValues,
  typedLimits,
  uniqueName,
} from './install-values'

const FOLDERS: FormField = {
  key: 'arg-root',
  label: 'Folders',
  control: 'path',
  format: 'filepath',
  choices: [],
  required: true,
  secret: false,
  repeated: true,
  target: { place: 'packageArguments', index: 0 },
}

const DRAFT: InstallDraft = {
  ...{ name: 'Notes', cwd: '', install: '', handshake: '', discover: '', call: '' },
  ...protocolChoice(),
  values: { 'arg-root': ['/a'] },
  secrets: {},
}

function check(draft: Partial<InstallDraft>): {
  data?: unknown
  problems: Record<string, string>
} {
  const schema = draftSchema({ fields: [FOLDERS], savedSecrets: [], takenNames: ['Files'] })
  const result = schema.safeParse({ ...DRAFT, ...draft })
  if (result.success) return { data: result.data, problems: {} }
  const problems = result.error.issues.map(
    ({ path, message }) => [path.join('.'), message] as const,
  )
  return { problems: Object.fromEntries(problems) }
}

describe('A3: validation of the form', () => {
  it('rejects a required list of only empty entries, at its field', () => {
    for (const value of [null, [], [''], ['', ' ']])
      expect(check({ values: { 'arg-root': value } }).problems).toHaveProperty('values.arg-root')
  })

  it('rejects an empty or taken name and a limit out of range, each at its field', () => {
    for (const name of ['', '  ', '\t']) expect(check({ name }).problems.name).toBe('Enter a name.')
    expect(check({ name: 'files ' }).problems.name).toMatch(/already in use/)
    expect(check({ handshake: '601' }).problems.handshake).toBe(
      'Enter seconds from 0.5 to 600, or leave blank.',
    )
    expect(check({ install: '0.5' }).problems).toHaveProperty('install')
    expect(check({ call: '86401' }).problems).toHaveProperty('call')
  })

  it('sends the trimmed name, values without empty entries, and limits in ms', () => {
    expect(
      check({
        name: ' Notes ',
        handshake: '1.5',
        discover: '9',
        values: { 'arg-root': ['/a', '', '/b'] },
      }).data,
    ).toEqual({
      name: 'Notes',
      cwd: '',
      values: { 'arg-root': ['/a', '/b'] },
      secrets: {},
      budgets: { discoverMs: 9000, handshakeMs: 1500 },
      protocol: {},
    })
  })

  it('accepts only full paths as the folder', () => {
    for (const cwd of ['/notes', 'C:\\notes', 'C:/notes', '\\\\share\\notes'])
      expect(check({ cwd: ` ${cwd} ` }).data).toMatchObject({ cwd })
    for (const cwd of ['notes', './notes', '~/notes', '..'])
      expect(check({ cwd }).problems).toHaveProperty('cwd')
  })
})

describe('sent values', () => {
  it('omit untouched fields and keep cleared ones', () => {
    expect(touchedValues({ a: null, b: '', c: ['', ''], d: ['x', ''] })).toEqual({
      b: '',
      c: [],
      d: ['x', ''],
    })
    expect(sentValues([FOLDERS], { b: '', d: ['x', ' ', 'y'] })).toEqual({ b: '', d: ['x', 'y'] })
  })

  it('keep the rows of a repeated template together', () => {
    const target = { place: 'packageArguments', index: 0 } as const
    const fields = ['src', 'opt'].map((variable): FormField => ({
      ...FOLDERS,
      key: variable,
      target: { ...target, variable },
    }))
    const rows = { src: ['/a', '/b'], opt: ['', 'ro'] }
    expect(sentValues(fields, rows)).toEqual(rows)
    expect(sentValues(fields, touchedValues({ src: ['/a', ''], opt: ['', ''] }))).toEqual({
      src: ['/a', ''],
      opt: [],
    })
  })

  it('convert seconds, and distinguish empty from invalid', () => {
    expect(limitMs('handshake', '')).toBeUndefined()
    expect(limitMs('handshake', '0.5')).toBe(500)
    expect(limitMs('handshake', '0.4')).toBeNull()
    expect(limitMs('handshake', 'ten')).toBeNull()
    expect(limitMs('install', '3600')).toBe(3_600_000)
    const budgets = { installMs: 1_000, handshakeMs: 1_500, discoverMs: 500, callMs: 60_001 }
    expect(budgetsOf(typedLimits(budgets))).toEqual(budgets)
    expect(budgetsOf(typedLimits({}))).toEqual({})
  })

  it('include only protocol options that differ from the default', () => {
    const options = { version: 'stateless', singleWrites: true } as const
    expect(protocolOf(protocolChoice(options))).toEqual(options)
    expect(protocolOf(protocolChoice())).toEqual({})
    expect(protocolMessages(options)).toEqual([
      'Protocol version: Stateless (2026-07-28).',
      'One message per write.',
    ])
  })

  it('suggest the first free name, ignoring case', () => {
    expect(uniqueName('Files', [])).toBe('Files')
    expect(uniqueName('Files', ['files', 'Files 2'])).toBe('Files 3')
    expect(uniqueName('   ', [])).toBe('Server')
    expect(uniqueName('x'.repeat(300), []).length).toBeLessThanOrEqual(120)
  })
})

describe('required secret', () => {
  it('is present if its field uses a shared secret, and missing if that is removed', async () => {
    const of = { key: 'env_API_KEY', control: 'text', secret: true, repeated: false } as const
    const key: FormField = { ...FOLDERS, ...of }
    const team = { kind: 'stored', secretId: 'team' } as const
    const resolve = (place: typeof team | null, value: string | null = null) =>
      draftResolver({ fields: [key], takenNames: [] })(
        { ...DRAFT, values: { env_API_KEY: value }, secrets: { env_API_KEY: place } },
        undefined,
        { fields: {}, shouldUseNativeValidation: false },
      )
    expect(await resolve(team)).toMatchObject({
      values: { values: {}, secrets: { env_API_KEY: team } },
      errors: {},
    })
    expect(await resolve(null)).toMatchObject({
      errors: { values: { env_API_KEY: { message: 'Enter a value.' } } },
    })
    expect(await resolve(null, 'typed')).toMatchObject({
      values: { values: { env_API_KEY: 'typed' }, secrets: {} },
    })
  })
})
