import { describe, expect, it } from 'vitest'

import { parseServerJson } from '../domain/server-json/parse-server-json'
import type { FormField } from './form-field'
import { findProblems } from './form-schema'
import { toFormFields } from './to-form-fields'

function fieldsOf(parts: object): FormField[] {
  const raw = { registryType: 'npm', identifier: 'thing', version: '1.0.0', ...parts }
  const [pkg] = parseServerJson({ name: 'a/b', version: '1', packages: [raw] }).server.packages
  if (pkg === undefined) throw new Error('The package was ignored.')
  return toFormFields(pkg)
}

describe('A3: the fields of a form', () => {
  it("include one field for each open input, with the registry's description", () => {
    const fields = fieldsOf({
      packageArguments: [
        { type: 'positional', valueHint: 'target_dir', description: 'Where.', isRequired: true },
        { type: 'named', name: '--read-only', description: 'No writing.', format: 'boolean' },
      ],
      environmentVariables: [{ name: 'API_KEY', isSecret: true, placeholder: 'k-' }],
    })
    expect(fields).toMatchObject([
      {
        key: 'arg_target_dir',
        label: 'Target dir',
        machineName: 'target_dir',
        description: 'Where.',
        control: 'text',
        required: true,
      },
      { key: 'arg_read-only', label: 'Read only', machineName: '--read-only', control: 'switch' },
      { key: 'env_API_KEY', label: 'API key', secret: true, placeholder: 'k-' },
    ])
  })

  it('omit fixed values and bare flags', () => {
    const fields = fieldsOf({
      packageArguments: [
        { type: 'positional', value: 'serve' },
        { type: 'named', name: '--mode', value: 'static' },
        { type: 'named', name: '-b' },
      ],
      environmentVariables: [{ name: 'FIXED', value: '1' }],
    })
    expect(fields).toEqual([])
  })

  it('have a label each, whatever the name', () => {
    const fields = fieldsOf({
      packageArguments: [{ type: 'named', name: '--', description: 'd' }, { type: 'positional' }],
      environmentVariables: [{ name: '___' }],
    })
    expect(fields.map(({ label }) => label)).toEqual(['--', 'Argument 2', '___'])
  })

  it('include one field for each variable of a template', () => {
    const fields = fieldsOf({
      registryType: 'oci',
      runtimeArguments: [
        {
          type: 'named',
          name: '--mount',
          value: 'src={source_path},dst={target_path},{unknown}',
          isRepeated: true,
          variables: {
            source_path: { format: 'filepath', isRequired: true },
            target_path: { default: '/project' },
            unused: {},
          },
        },
      ],
    })
    expect(fields).toMatchObject([
      {
        key: 'run_mount_source_path',
        label: 'Source path',
        machineName: '{source_path}',
        control: 'path',
        required: true,
        repeated: true,
      },
      { key: 'run_mount_target_path', default: '/project', required: false },
    ])
    expect(fields).toHaveLength(2)
  })

  it("apply a template's `isSecret` and `isRequired` to its only variable", () => {
    const [field] = fieldsOf({
      environmentVariables: [
        {
          name: 'AUTH',
          value: 'Bearer {token}',
          isSecret: true,
          isRequired: true,
          variables: { token: {} },
        },
      ],
    })
    expect(field).toMatchObject({ secret: true, required: true })
  })

  it('use controls for choices, numbers and paths', () => {
    const controls = fieldsOf({
      packageArguments: [
        { type: 'positional', valueHint: 'paths', isRepeated: true },
        { type: 'positional', valueHint: 'folder', description: 'd' },
      ],
      environmentVariables: [
        { name: 'A', choices: ['x', 'y'] },
        { name: 'B', format: 'number' },
        { name: 'C', format: 'filepath' },
      ],
    }).map(({ control }) => control)
    expect(controls).toEqual(['path', 'text', 'choice', 'number', 'path'])
  })

  it('ignore a default of white space', () => {
    const fields = fieldsOf({
      environmentVariables: [
        { name: 'A', isRequired: true, default: ' ' },
        { name: 'B', choices: ['x'], default: '\t' },
        { name: 'C', format: 'number', default: '  ' },
        { name: 'D', format: 'boolean', isRequired: true, default: ' ' },
      ],
    })
    expect(fields.map((field) => [field.default, field.choices, field.format])).toEqual([
      [undefined, [], 'string'],
      [undefined, ['x'], 'string'],
      [undefined, [], 'number'],
      ['false', [], 'boolean'],
    ])
    expect(findProblems(fields, {}, []).map(({ fieldKey }) => fieldKey)).toEqual(['env_A'])
  })

  it('trust the default more than the declared format or choices', () => {
    const fields = fieldsOf({
      environmentVariables: [
        { name: 'A', format: 'number', default: 'auto' },
        { name: 'B', format: 'boolean', default: '1' },
        { name: 'C', choices: ['x'], default: 'z' },
      ],
    })
    expect(fields).toMatchObject([
      { control: 'text', format: 'string' },
      { control: 'text', format: 'string' },
      { control: 'choice', choices: ['z', 'x'] },
    ])
  })

  it('have unique keys, and of two variables with one name only the last', () => {
    const fields = fieldsOf({
      packageArguments: [
        { type: 'named', name: '--root', description: 'd' },
        { type: 'named', name: '--root', description: 'd' },
        { type: 'positional', description: 'd' },
      ],
      environmentVariables: [{ name: 'P' }, { name: 'P', default: 'x' }],
    })
    expect(fields.map(({ key }) => key)).toEqual(['arg_root', 'arg_root_2', 'arg_2', 'env_P'])
    expect(fields[3]).toMatchObject({ default: 'x', target: { index: 1 } })
  })

  it('omit the flags that repeat docker run', () => {
    const fields = fieldsOf({
      registryType: 'oci',
      identifier: 'ghcr.io/github/github-mcp-server:0.16.0',
      version: undefined,
      runtimeArguments: [
        { type: 'positional', value: 'run', description: 'd' },
        { type: 'named', name: '-i', description: 'd' },
        { type: 'named', name: '-e', description: 'd' },
        { type: 'positional', value: 'TOKEN', valueHint: 'env_var_name' },
        { type: 'positional', value: 'ghcr.io/github/github-mcp-server', valueHint: 'image' },
      ],
      environmentVariables: [{ name: 'TOKEN', isSecret: true }],
    })
    expect(fields.map(({ key }) => key)).toEqual(['env_TOKEN'])
  })
})
