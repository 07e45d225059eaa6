import { describe, expect, it } from 'vitest'

import { argv, envOf, plan, read, server } from '../../../e2e/fixtures/read-bundle'
import type { FormField } from '../../../src-shared/form/form-field'
import { toFormFields } from '../../../src-shared/form/to-form-fields'
import type { BundlePackage } from './bundle-package'

function fieldsOf({ pkg }: BundlePackage): FormField[] {
  return toFormFields(pkg)
}

describe('the form of a bundle', () => {
  it("has one field per setting, with the author's texts", () => {
    const bundle = read({
      server: server(['--db', '${user_config.db}', '--n=${user_config.n}'], {
        KEY: '${user_config.key}',
        ON: '${user_config.on}',
      }),
      user_config: {
        key: { type: 'string', title: 'Access key', sensitive: true, required: true },
        db: { type: 'file', title: 'Database', description: 'Where it is.', required: true },
        n: { type: 'number', title: 'Count', default: 5, min: 1, max: 9 },
        on: { type: 'boolean', title: 'Verbose', default: true },
        unused: { type: 'string', title: 'Unused' },
      },
    })
    expect(fieldsOf(bundle)).toMatchObject([
      {
        key: 'set_db',
        label: 'Database',
        description: 'Where it is.',
        control: 'path',
        pathKind: 'file',
        required: true,
      },
      {
        key: 'set_n',
        label: 'Count',
        control: 'number',
        default: '5',
        description: 'From 1 to 9.',
        min: 1,
        max: 9,
      },
      { key: 'set_key', label: 'Access key', secret: true, required: true, control: 'text' },
      { key: 'set_on', label: 'Verbose', control: 'switch', default: 'true', required: false },
    ])
    const values = { set_db: '/data.db' }
    expect(argv(bundle, values)).toEqual(['node', '--db', '/data.db', '--n=5'])
    expect(envOf(bundle, { ...values, set_on: 'false' })).toEqual({ ON: 'false' })
    const secret = plan(bundle, values, { set_key: 's3cret' })
    expect(secret.env.find(({ name }) => name === 'KEY')).toMatchObject({
      value: 's3cret',
      secret: true,
    })
    const shown = secret.env.map((one) => [one.shown, one.fingerprint])
    expect(JSON.stringify(shown)).not.toContain('s3cret')
  })

  it.each([
    { type: 'number', min: 9, max: 1 },
    { type: 'string', min: 1, max: 9 },
  ])('ignores bounds of %j', (n) => {
    const bundle = read({ server: server(['${user_config.n}']), user_config: { n } })
    const [field] = fieldsOf(bundle)
    expect([field?.min, field?.max, field?.description]).toEqual([undefined, undefined, undefined])
  })

  it('has one field for a setting that is used several times', () => {
    const bundle = read({
      server: server(['--key=${user_config.key}', '${user_config.key}:${user_config.key}'], {
        KEY: '${user_config.key}',
      }),
      user_config: { key: { type: 'string', title: 'Key' } },
    })
    expect(fieldsOf(bundle).map(({ key }) => key)).toEqual(['set_key'])
    expect(argv(bundle, { set_key: 'k' })).toEqual(['node', '--key=k', 'k:k'])
    expect(envOf(bundle, { set_key: 'k' })).toEqual({ KEY: 'k' })
  })

  it('omits an argument that consists of an empty optional setting', () => {
    const bundle = read({
      server: server(['a', '${user_config.x}', '--x=${user_config.x}', 'b'], {
        X: '${user_config.x}',
      }),
      user_config: { x: { type: 'string' } },
    })
    expect(argv(bundle)).toEqual(['node', 'a', 'b'])
    expect(envOf(bundle)).toEqual({})
  })

  it.each([
    [
      'omits the option of a blank setting, with a warning',
      {},
      '--limit 10 --loud',
      ['--region', '--dirs'],
    ],
    [
      'keeps options and values in order if filled in',
      { set_region: 'eu', set_dirs: ['/a', '/b'], set_file: '/f' },
      '--region eu --limit 10 --dirs /a /b /f --loud',
      [],
    ],
    [
      'keeps the arguments after a blank setting',
      { set_file: '/f' },
      '--limit 10 /f --loud',
      ['--region', '--dirs'],
    ],
  ])('%s', (_, values, args, leftOut) => {
    const of = (name: string): string => `\${user_config.${name}}`
    const bundle = read({
      server: server(
        '--region R --limit L --dirs D F --loud'
          .split(' ')
          .map(
            (word) =>
              ({ R: of('region'), L: of('limit'), D: of('dirs'), F: of('file') })[word] ?? word,
          ),
      ),
      user_config: {
        region: { type: 'string', title: 'Region' },
        limit: { type: 'number', title: 'Limit', default: 10 },
        dirs: { type: 'directory', title: 'Folders', multiple: true },
        file: { type: 'file', title: 'File' },
      },
    })
    expect(argv(bundle, values).join(' ')).toBe(`node ${args}`)
    expect(plan(bundle, values).warnings).toEqual(
      leftOut.map(
        (option) =>
          `"${option}" is left out because "${option === '--dirs' ? 'Folders' : 'Region'}" is blank.`,
      ),
    )
  })

  it.each(['-5', '--in=x', '--', '-', 'word'])(
    'keeps %s before a blank setting: it takes no value',
    (before) => {
      const bundle = read({
        server: server([before, '${user_config.x}']),
        user_config: { x: { type: 'string' } },
      })
      expect(argv(bundle)).toEqual(['node', before])
    },
  )

  it('makes one argument per path of a list', () => {
    const bundle = read({
      server: server(['--dirs', '${user_config.dirs}', '--also=${user_config.dirs}'], {
        DIRS: '${user_config.dirs}',
      }),
      user_config: {
        dirs: {
          type: 'directory',
          title: 'Folders',
          multiple: true,
          default: ['${HOME}/a', '${DESKTOP}'],
        },
      },
    })
    expect(fieldsOf(bundle)).toMatchObject([{ key: 'set_dirs', repeated: true, control: 'path' }])
    expect(Object.fromEntries(bundle.several)).toEqual({
      dirs: ['/home/me/a', '/home/me/Desktop'],
    })
    expect(argv(bundle, { set_dirs: ['/a b', '/c'] })).toEqual([
      'node',
      '--dirs',
      '/a b',
      '/c',
      '--also=/a b',
      '--also=/c',
    ])
  })

  it('passes exactly the remaining folders of a list to its variable, too (S20)', () => {
    const bundle = read({
      server: server(['${user_config.dirs}'], { DIRS: '${user_config.dirs}' }),
      user_config: {
        dirs: { type: 'directory', multiple: true, default: ['/old', '/older'] },
      },
    })
    expect(envOf(bundle, { set_dirs: ['/a b', '/c'] })).toEqual({ DIRS: '/a b,/c' })
    expect(envOf(bundle, { set_dirs: ['/a'] })).toEqual({ DIRS: '/a' })
    expect(envOf(bundle, { set_dirs: [] })).toEqual({})
    const { warnings } = plan(bundle, { set_dirs: ['/a,b', '/c'] })
    expect(warnings).toEqual([
      '"/a,b" contains a comma, but the variable DIRS separates its entries with commas.',
    ])
  })

  it("reports names in a default that aren't filled in (S20)", () => {
    const bundle = read({
      server: server(['${user_config.mode}']),
      user_config: {
        mode: { type: 'string', default: '${HOME} ${user_config.root} ${later}' },
      },
    })
    expect(bundle.notices).toEqual([
      'The default contains "mode": ${user_config.root}, which is not replaced.',
      'The default contains "mode": ${later}, which is not replaced.',
    ])
    expect(argv(bundle)).toEqual(['node', '/home/me ${user_config.root} ${later}'])
  })

  it('has a field for an undeclared setting, with a notice', () => {
    const bundle = read({
      server: server(['${user_config.place}'], { T: '${user_config.api_token}' }),
      user_config: { place: { type: 'later' } },
    })
    expect(fieldsOf(bundle)).toMatchObject([
      { key: 'set_place', label: 'Place', secret: false },
      { key: 'set_api_token', secret: true },
    ])
    expect(bundle.notices).toHaveLength(2)
  })

  it("adds the registry's own inputs, and its secret marks", () => {
    const environmentVariables = [
      { name: 'KEY', description: 'Of your account.', isSecret: true, isRequired: true },
      { name: 'REGION', default: 'eu' },
    ]
    const bundle = read(
      {
        server: server(['--k=${user_config.key}'], { KEY: '${user_config.key}' }),
        user_config: { key: { type: 'string', title: 'Key' } },
      },
      { declared: { environmentVariables } },
    )
    expect(fieldsOf(bundle)).toMatchObject([
      { key: 'set_key', secret: true },
      { key: 'env_REGION', default: 'eu' },
    ])
    expect(envOf(bundle)).toEqual({ REGION: 'eu' })
  })

  it("uses the registry's input if the manifest has no value for a variable", () => {
    const environmentVariables = [
      { name: 'API_KEY', isSecret: true, isRequired: true },
      { name: 'B', isRequired: true },
      { name: 'PLACE', isRequired: true },
    ]
    const env = { API_KEY: '${API_KEY}', B: '', PLACE: '${HOME}', OTHER: '${OTHER}' }
    const bundle = read({ server: server([], env) }, { declared: { environmentVariables } })
    expect(fieldsOf(bundle)).toMatchObject([
      { key: 'env_API_KEY', secret: true, required: true },
      { key: 'env_B', secret: false, required: true },
    ])
    expect(bundle.notices).toEqual([
      'The manifest doesn’t define ${OTHER}, so it is passed unchanged.',
    ])
    expect(envOf(bundle, { env_B: 'b' })).toEqual({ PLACE: '/home/me', OTHER: '${OTHER}', B: 'b' })
  })

  it("finds the registry's variable on Windows in any case", () => {
    const bundle = read(
      { server: server([], { Api_Key: '' }) },
      { platform: 'win32', declared: { environmentVariables: [{ name: 'API_KEY' }] } },
    )
    expect(fieldsOf(bundle)).toMatchObject([{ key: 'env_API_KEY' }])
  })

  it.each([
    ['in one argument', (all: string[]) => server([all.join(' ')])],
    ['in many arguments', (all: string[]) => server(all.slice(0, 300))],
    ['in the environment', (all: string[]) => server([], Object.fromEntries(all.entries()))],
  ])('rejects more settings than a form can show, %s', (_where, serverOf) => {
    const all = Array.from({ length: 20_000 }, (_, index) => `\${user_config.a${String(index)}}`)
    expect(() => read({ server: serverOf(all) })).toThrow(
      expect.objectContaining({ code: 'INVALID_BUNDLE' }),
    )
    expect(fieldsOf(read({ server: server([all.slice(0, 300).join(' ')]) }))).toHaveLength(300)
  })

  it.each([
    ['string', true],
    ['string', 'True'],
    ['string', 1],
    ['text', 'yes'],
  ])('shows no default of a secret: %s, %j', (type, sensitive) => {
    const bundle = read({
      server: server([], { A: '${user_config.a}' }),
      user_config: { a: { type, sensitive, default: 'built-in' } },
    })
    expect(fieldsOf(bundle)).toMatchObject([{ secret: true }])
    expect(JSON.stringify(bundle.pkg)).not.toContain('built-in')
  })

  it.each([
    ['PGPASSWORD', {}, true],
    ['PGPASSWORD', { sensitive: false }, false],
    ['PGPASSWORD', { default: 'false' }, false],
    ['MAX_TOKENS', {}, false],
  ])('treats %s %j as secret: %s', (key, declared, secret) => {
    const bundle = read({
      server: server([], { A: `\${user_config.${key}}` }),
      user_config: { [key]: { type: 'string', ...declared } },
    })
    expect(fieldsOf(bundle)).toMatchObject([{ secret }])
  })

  it('accepts names of object members as plain names', () => {
    const bundle = read({
      server: server(['${user_config.constructor}', '${user_config.__proto__}'], {
        toString: '${user_config.toString}',
      }),
      user_config: { constructor: { type: 'string', title: 'Builder' } },
    })
    const keys = fieldsOf(bundle).map(({ key }) => key)
    expect(keys).toEqual(['set_constructor', 'set___proto__', 'set_toString'])
    expect(argv(bundle, { set_constructor: 'a', ['set___proto__']: 'b' })).toEqual([
      'node',
      'a',
      'b',
    ])
  })
})
