import { describe, expect, it } from 'vitest'

import { planCase } from './plan'

const stdio = { type: 'stdio' }
const npm = { registryType: 'npm', identifier: 't', version: '1.0.0', transport: stdio }
const named = { type: 'named', name: '--flag', description: 'd' }
const positional = { type: 'positional', valueHint: 'dir', description: 'd' }
const mount = {
  type: 'named',
  name: '--mount',
  value: 'src={src},dst={dst}',
  isRepeated: true,
  variables: { src: { isRequired: true }, dst: { default: '/project' } },
}

const plan = (pkg: object, values: object = {}) => planCase({ package: { ...npm, ...pkg }, values })
/** The arguments after `npx -y t@1.0.0`. */
const own = (argument: object, given?: unknown) => {
  const result = plan({ packageArguments: [argument] }, { packageArguments: [given ?? null] })
  return 'args' in result ? result.args.slice(2) : result
}
const env = (input: object, given?: unknown) => {
  const variable = { name: 'V', ...input }
  const environmentVariables = given === undefined ? {} : { V: given }
  const result = plan({ environmentVariables: [variable] }, { environmentVariables })
  return 'env' in result ? result.env : result
}

describe('A5: an argument and its value', () => {
  it.each<[string, object, unknown, unknown]>([
    ['a fixed value stays', { ...named, value: 'x' }, 'y', ['--flag', 'x']],
    ['an undeclared brace stays', { ...named, value: '{x}' }, null, ['--flag', '{x}']],
    ['an empty fixed value is none', { ...named, value: '' }, 'y', ['--flag', 'y']],
    ['a default applies while untouched', { ...named, default: 'x' }, null, ['--flag', 'x']],
    ['a default does not apply once cleared', { ...named, default: 'x' }, '', []],
    ['a cleared list passes nothing', { ...named, isRepeated: true, default: 'x' }, [], []],
    ['an optional one without a value drops its flag', named, null, []],
    ['a name without dashes gets them', { ...named, name: 'port' }, '1', ['--port', '1']],
    ['a short name keeps its one dash', { ...named, name: '-p' }, '1', ['-p', '1']],
    ['a bare flag is passed', { type: 'named', name: '-b' }, null, ['-b']],
    ['a hint is no value', { type: 'positional', valueHint: 'dir' }, null, []],
    ['a placeholder is no value', { ...positional, placeholder: '/x' }, null, []],
    ['a switch that is on is its flag', { ...named, format: 'boolean' }, 'true', ['--flag']],
    ['a switch that is off is nothing', { ...named, format: 'boolean' }, 'false', []],
    [
      'a switch that is on by default can be off',
      { ...named, format: 'boolean', default: 'true' },
      'false',
      [],
    ],
    [
      'a positional switch keeps its word',
      { ...positional, format: 'boolean' },
      'false',
      ['false'],
    ],
    ['a value that looks like a flag is one item', positional, '--x=1 2', ['--x=1 2']],
    ['a comma stays where one value is taken', named, 'a,b', ['--flag', 'a,b']],
    [
      'a comma stays in an item of a list, blank ones are left out',
      { ...named, isRepeated: true },
      ['a,b', ' ', 'c'],
      [...['--flag', 'a,b', '--flag', 'c']],
    ],
    [
      'a comma parts text where several are taken',
      { ...positional, isRepeated: true },
      'a, ,b',
      ['a', 'b'],
    ],
    ['several values repeat an argument (A4)', positional, ['a', '', 'b'], ['a', 'b']],
    ['braces of a value are no template', named, '{x}$1$&$$', ['--flag', '{x}$1$&$$']],
    [
      'braces and dollars of the value of a variable are none',
      { ...positional, value: '{a}{b}', variables: { a: {}, b: {} } },
      { a: '{b}$1$&$$', b: 'B' },
      ['{b}$1$&$$B'],
    ],
    [
      'braces of a default are no template',
      { ...named, default: '{x}', variables: { x: {} } },
      null,
      [...['--flag', '{x}']],
    ],
  ])('%s', (_what, argument, given, expected) => {
    expect(own(argument, given)).toEqual(expected)
  })

  it.each<[string, object, unknown, object]>([
    ['missing-required', { ...named, isRequired: true }, null, {}],
    ['missing-required', { ...named, isRequired: true, default: 'x' }, '', {}],
    ['missing-required', { ...named, isRequired: true, isRepeated: true }, [' '], {}],
    ['invalid-choice', { ...named, choices: ['a'] }, 'b', {}],
    ['invalid-choice', { ...named, choices: ['a'], isRepeated: true }, ['a', 'b'], {}],
    ['invalid-number', { ...named, format: 'number' }, '0x10', {}],
    ['invalid-number', { ...named, format: 'integer' }, 'many', {}],
    ['invalid-boolean', { ...named, format: 'boolean' }, 'yes', {}],
    ['invalid-character', named, 'a\0b', {}],
    ['invalid-character', { ...named, value: 'a\0b' }, null, {}],
    ['invalid-argument-type', { ...named, type: 'other' }, 'x', {}],
  ])('%s: %j with %j', (error, argument, given) => {
    expect(own(argument, given)).toEqual({ error, at: 'packageArguments[0]' })
  })

  it.each<[string, unknown, unknown, readonly string[]]>([
    ['True', undefined, null, ['--flag']],
    ['FALSE', undefined, null, []],
    ['1', undefined, null, ['--flag', '1']],
    ['yes', undefined, null, ['--flag', 'yes']],
    ['', 'True', null, ['--flag']],
    ['', 'False', null, []],
    ['', undefined, 'TRUE', ['--flag']],
    ['', undefined, 'False', []],
  ])('a switch with the default %j, fixed as %j, given %j', (initial, value, given, expected) => {
    const argument = { ...named, format: 'boolean', value, default: initial }
    expect(own(argument, given)).toEqual(expected)
  })

  it.each(['-1', '1.5', '.5', '1e3', ' 7 '])('%j is a number', (text) => {
    expect(own({ ...named, format: 'number' }, text)).toEqual(['--flag', text.trim()])
  })
})

describe('A5: argument templates', () => {
  it.each<[string, object, unknown, unknown]>([
    [
      'the rows of a list',
      mount,
      [{ src: '/a' }, { src: '/b', dst: '/t' }],
      [...['--mount', 'src=/a,dst=/project', '--mount', 'src=/b,dst=/t']],
    ],
    [
      'a row in which nothing is named is dropped',
      mount,
      [{ src: '/a' }, {}],
      [...['--mount', 'src=/a,dst=/project']],
    ],
    [
      'defaults alone pass no half of an optional value',
      { ...mount, variables: { src: {}, dst: { default: '/project' } } },
      null,
      [],
    ],
    [
      'defaults for all of it are a value',
      { ...mount, value: '{dst}' },
      null,
      [...['--mount', '/project']],
    ],
    [
      'a fixed variable is not asked for',
      { ...mount, value: '{src}', variables: { src: { value: '/x' } } },
      { src: '/evil' },
      ['--mount', '/x'],
    ],
  ])('%s', (_what, argument, given, expected) => {
    expect(own(argument, given)).toEqual(expected)
  })

  it('need every required variable in each row', () => {
    const at = 'packageArguments[0].variables.src'
    const error = 'missing-required'
    expect(own(mount)).toEqual({ error, at })
    expect(own(mount, [{ src: '/a', dst: '/x' }, { dst: '/t' }])).toEqual({ error, at })
  })

  it('need their only variable if the argument is required', () => {
    const argument = { ...named, value: 'k={k}', isRequired: true, variables: { k: {} } }
    expect(own(argument)).toEqual({
      error: 'missing-required',
      at: 'packageArguments[0].variables.k',
    })
  })
})

describe('A5: environment variables', () => {
  it.each<[string, object, unknown, unknown]>([
    ['a default', { default: 'x' }, undefined, { V: 'x' }],
    ['a default that was cleared', { default: 'x' }, '', {}],
    [
      'a switch keeps its letters',
      { format: 'boolean', default: 'True' },
      undefined,
      { V: 'True' },
    ],
    ['a fixed switch too', { format: 'boolean', value: 'TRUE' }, undefined, { V: 'TRUE' }],
    ['a given switch too', { format: 'boolean' }, 'False', { V: 'False' }],
    ['a template', { value: 'k={k}', variables: { k: {} } }, { k: 'a,{b}' }, { V: 'k=a,{b}' }],
    ['an undeclared brace stays', { value: '{k}' }, undefined, { V: '{k}' }],
    ['text with braces, commas and line breaks', {}, '{"a":[1,2]}\n', { V: '{"a":[1,2]}\n' }],
  ])('%s', (_what, input, given, expected) => {
    expect(env(input, given)).toEqual(expected)
  })

  it('name the place of an error', () => {
    expect(env({ isRequired: true })).toEqual({
      error: 'missing-required',
      at: 'environmentVariables.V',
    })
    expect(env({ value: '{k}', variables: { k: { isRequired: true } } })).toEqual({
      error: 'missing-required',
      at: 'environmentVariables.V.variables.k',
    })
    expect(env({ default: '\0' })).toEqual({
      error: 'invalid-character',
      at: 'environmentVariables.V',
    })
  })

  it('may have names with a meaning in JavaScript', () => {
    const names = ['__proto__', 'constructor', 'HOME', 'PATH', 'X-API-Key']
    const result = plan({ environmentVariables: names.map((name) => ({ name, default: 'v' })) })
    expect(Object.entries('env' in result ? result.env : {})).toEqual(
      names.map((name) => [name, 'v']),
    )
  })
})

describe('A5: values next to declared arguments', () => {
  it('stay with theirs if an earlier one is ignored', () => {
    const result = plan(
      { packageArguments: [{ type: 'named', value: 'x' }, positional, 7, named] },
      { packageArguments: ['lost', '/a', 'lost', 'b'] },
    )
    expect(result).toMatchObject({ args: ['-y', 't@1.0.0', '/a', '--flag', 'b'], notices: 2 })
  })

  it('are named by their place in the document', () => {
    const required = { ...positional, isRequired: true }
    expect(plan({ packageArguments: [{ type: 'named' }, required] })).toEqual({
      error: 'missing-required',
      at: 'packageArguments[1]',
    })
  })

  it('may be JSON numbers and booleans', () => {
    expect(own(named, 5432)).toEqual(['--flag', '5432'])
    expect(own({ ...named, format: 'boolean' }, true)).toEqual(['--flag'])
  })
})

describe('A1: an invalid case', () => {
  it.each<[unknown, object]>([
    [null, { error: 'no-package' }],
    [[], { error: 'no-package' }],
    [{}, { error: 'no-package' }],
    [{ package: null, remote: null }, { error: 'no-package' }],
    [{ package: { ...npm, identifier: '' } }, { error: 'no-package', at: 'identifier' }],
    [{ package: { ...npm, transport: { type: 'x' } } }, { error: 'no-package', at: 'transport' }],
    [{ remote: { type: 'sse', url: 'javascript:x' } }, { error: 'no-package', at: 'url' }],
    [{ package: { identifier: 'x' } }, { error: 'unsupported-registry-type' }],
    [{ package: { ...npm, registryType: 'mcpb' } }, { error: 'unsupported-registry-type' }],
    [{ package: { ...npm, registryType: 'command' } }, { error: 'unsupported-registry-type' }],
    [{ package: { ...npm, registryType: '__proto__' } }, { error: 'unsupported-registry-type' }],
  ])('%j', (raw, expected) => {
    expect(planCase(raw)).toEqual(expected)
  })

  it.each([
    ['npm', '--call=x'],
    ['oci', 'https://ghcr.io/a/b:1'],
  ])('%s package %s', (registryType, identifier) => {
    const raw = { package: { ...npm, registryType, identifier } }
    expect(planCase(raw)).toEqual({ error: 'invalid-character', at: 'identifier' })
  })
})
