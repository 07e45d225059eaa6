import { describe, expect, it } from 'vitest'

import { planCase } from './plan'

const npm = { registryType: 'npm', identifier: 't', version: '1.0.0' }
const oci = { registryType: 'oci', identifier: 'ghcr.io/o/i:2' }

const plan = (pkg: object, values: object = {}) => planCase({ package: { ...npm, ...pkg }, values })

describe('A5: images', () => {
  const docker = (pkg: object, values?: object) => {
    const result = plan({ ...oci, version: undefined, ...pkg }, values)
    return 'args' in result ? result.args : result
  }
  const digest = `sha256:${'a'.repeat(64)}`

  it.each<[string, object, string]>([
    ['a tag', { identifier: 'o/i:1' }, 'o/i:1'],
    ['a tag, and a version beside it', { identifier: 'o/i:1', version: '2' }, 'o/i:1'],
    ['a digest', { identifier: `o/i@${digest}` }, `o/i@${digest}`],
    ['a tag and a digest', { identifier: `o/i:1@${digest}` }, `o/i:1@${digest}`],
    ['a digest as the version', { identifier: 'o/i', version: digest }, `o/i@${digest}`],
    ['the port of a registry', { identifier: 'h:5000/o/i', version: '1' }, 'h:5000/o/i:1'],
    ['the port of a registry alone', { identifier: 'h:5000/o/i' }, 'h:5000/o/i'],
    ['no version at all', { identifier: 'o/i' }, 'o/i'],
    [
      'a registry of its own',
      { identifier: 'o/i', version: '1', registryBaseUrl: 'https://ghcr.io' },
      'ghcr.io/o/i:1',
    ],
    [
      'a registry that is named already',
      { identifier: 'ghcr.io/o/i', version: '1', registryBaseUrl: 'https://ghcr.io' },
      'ghcr.io/o/i:1',
    ],
    [
      'the public registry',
      { identifier: 'o/i', version: '1', registryBaseUrl: 'https://docker.io' },
      'o/i:1',
    ],
  ])('with %s', (_what, pkg, image) => {
    expect(docker(pkg)).toEqual(['run', '-i', '--rm', image])
  })

  it.each<[string, string[], string[]]>([
    ['run', ['run', '--rm', '-i'], ['run', '--rm', '-i']],
    ['docker and run', ['docker', 'run', '-i', '--rm'], ['run', '-i', '--rm']],
    [
      'a row of short options, of which a server has no terminal and no background',
      ['-dit'],
      ['run', '--rm', '-i'],
    ],
    ['the image with its host', ['run', '-i', '--rm', 'ghcr.io/o/i'], ['run', '-i', '--rm']],
    ['a variable by name', ['-e', 'KEY'], ['run', '-i', '--rm', '-e', 'KEY']],
    ['a variable in one item', ['--env=KEY'], ['run', '-i', '--rm', '--env=KEY']],
  ])("that spell out %s don't get it twice", (_what, spelled, before) => {
    const runtimeArguments = spelled.map((value) => ({ type: 'positional', value }))
    const environmentVariables = [{ name: 'KEY', isSecret: true }]
    const result = plan(
      { ...oci, runtimeArguments, environmentVariables },
      { environmentVariables: { KEY: 's3cret' } },
    )
    const rest = before.some((item) => item.endsWith('KEY')) ? [] : ['-e', 'KEY']
    expect(result).toEqual({
      command: 'docker',
      args: [...before, ...rest, 'ghcr.io/o/i:2'],
      env: { KEY: 's3cret' },
    })
  })

  it('get options before the image and arguments after it', () => {
    const parts = {
      runtimeArguments: [{ type: 'named', name: '--network', value: 'host' }],
      packageArguments: [{ type: 'positional', value: 'serve' }],
      environmentVariables: [{ name: 'A', default: '1' }, { name: 'B' }],
    }
    expect(docker(parts)).toEqual([
      ...['run', '-i', '--rm', '--network', 'host', '-e', 'A', 'ghcr.io/o/i:2', 'serve'],
    ])
  })
})

describe('A5: runners spelled out by entries', () => {
  const spelled = (pkg: object, ...values: string[]) => {
    const runtimeArguments = values.map((value) => ({ type: 'positional', value }))
    const result = plan({ ...pkg, runtimeArguments })
    return 'args' in result ? [result.command, ...result.args] : result
  }
  const pypi = { registryType: 'pypi' }

  it.each<[object, string[], string[]]>([
    [{}, ['npx', '-y', 't'], ['npx', '-y', 't']],
    [{}, ['-y', '--yes', '--yes=true'], ['npx', '-y', 't@1.0.0']],
    [{}, ['--yes=true'], ['npx', '--yes=true', 't@1.0.0']],
    [{}, ['t@latest', '-y'], ['npx', '-y', 't@latest', '-y']],
    [{}, ['-y', 't', '--yes'], ['npx', '-y', 't', '--yes']],
    [
      { registryBaseUrl: 'https://npm.corp.example' },
      ['--registry', 'https://other.example'],
      ['npx', '-y', '--registry', 'https://other.example', 't@1.0.0'],
    ],
    [{}, ['-p', 't@1.0.0'], ['npx', '-y', '-p', 't@1.0.0', 't']],
    [{}, ['--package=t@1.0.0', 'tool'], ['npx', '-y', '--package=t@1.0.0', 'tool']],
    [{}, ['tea'], ['npx', '-y', 'tea', 't@1.0.0']],
    [pypi, ['uvx'], ['uvx', 't@1.0.0']],
    [pypi, ['uv', 'tool', 'run', 't[cli]==1.0.0'], ['uvx', 't[cli]==1.0.0']],
    [pypi, ['--from', 't', 'tool'], ['uvx', '--from', 't', 'tool']],
    [pypi, ['--from', 't[x]'], ['uvx', '--from', 't[x]', 't']],
    [{ ...pypi, identifier: 'a-b' }, ['--from', 'A_b', 'tool'], ['uvx', '--from', 'A_b', 'tool']],
    [{ registryType: 'nuget' }, ['dnx', '--yes'], ['dnx', '--yes', 't@1.0.0']],
    [{ registryType: 'cargo' }, ['t', 'serve'], ['t', 'serve']],
  ])('%j with %j', (pkg, values, expected) => {
    expect(spelled(pkg, ...values)).toEqual(expected)
  })

  it.each<[object, string[]]>([
    [{ identifier: '@a/b' }, ['npx', '-y', '@a/b@1.0.0']],
    [{ identifier: '@a/b@2.0.0', version: undefined }, ['npx', '-y', '@a/b@2.0.0']],
    [{ identifier: 't@1.0.0' }, ['npx', '-y', 't@1.0.0']],
    [{ version: undefined }, ['npx', '-y', 't']],
    [{ ...pypi, identifier: 't[cli]' }, ['uvx', '--from', 't[cli]==1.0.0', 't']],
    [{ ...pypi, version: '>=1.0,<2' }, ['uvx', '--from', 't>=1.0,<2', 't']],
    [{ ...pypi, version: '~=1.4.2' }, ['uvx', '--from', 't~=1.4.2', 't']],
    [{ ...pypi, version: 'latest' }, ['uvx', 't@latest']],
    [{ registryType: 'nuget' }, ['dnx', 't@1.0.0', '--yes']],
    [{ registryType: 'cargo' }, ['t']],
  ])('%j', (pkg, expected) => {
    expect(spelled(pkg)).toEqual(expected)
  })
})
