import { describe, expect, it } from 'vitest'

import type { FieldValues } from '../../../../src-shared/domain/server-json/field-values'
import { OWN_COMMAND } from '../../../../src-shared/domain/server-json/own-command'
import type { Package } from '../../../../src-shared/domain/server-json/server-json'
import { RUNNER_OPTIONS } from '../../../../src-shared/form/runner-options'
import { buildCommandPlan } from '../building/build-launch-plan'

function packageOf(parts: Partial<Package>): Package {
  return {
    registryType: 'npm',
    identifier: 'thing',
    version: '1.0.0',
    transport: { type: 'stdio' },
    runtimeArguments: [],
    packageArguments: [],
    environmentVariables: [],
    ...parts,
  }
}

function planOf(parts: Partial<Package>, options?: readonly string[]) {
  const values: FieldValues = options === undefined ? {} : { [RUNNER_OPTIONS]: [...options] }
  const plan = buildCommandPlan(packageOf(parts), values, new Map())
  return { ...plan, args: plan.args.map(({ value }) => value) }
}

const fixed = (...values: string[]): Package['runtimeArguments'] =>
  values.map((value) => ({ type: 'positional', value }))

describe('runners', () => {
  it('fetches an npm package into the cache that its start reads', () => {
    expect(planOf({ identifier: '@a/b' }).install).toEqual({
      command: 'npx',
      args: [
        '-y',
        '--loglevel',
        'http',
        '--foreground-scripts',
        '-p',
        '@a/b@1.0.0',
        'node',
        '-e',
        '0',
      ],
      progress: 'npm',
    })
  })

  it('fetches a Python package by running the Python of its environment', () => {
    expect(planOf({ registryType: 'pypi' }).install).toEqual({
      command: 'uvx',
      args: ['--from', 'thing==1.0.0', 'python', '-c', '0'],
    })
  })

  it('fetches a .NET tool as a local tool, in the folder that dnx reads too', () => {
    expect(
      planOf({ registryType: 'nuget', identifier: 'A.B', version: '1.0.0-rc.1' }),
    ).toMatchObject({
      command: 'dnx',
      args: ['A.B@1.0.0-rc.1', '--yes'],
      install: {
        command: 'dotnet',
        args: ['tool', 'install', 'A.B', '--version', '1.0.0-rc.1'],
        toolManifest: true,
      },
    })
  })

  it.each<[string, Partial<Package>, boolean]>([
    ['with options that say nothing of the package', { runtimeArguments: fixed('--yes') }, true],
    ['without a version', { version: undefined }, false],
    ['of a range', { version: '1.*' }, false],
    ['of a source of its own', { registryBaseUrl: 'https://feed.example/v3/index.json' }, false],
    ['with options of the entry', { runtimeArguments: fixed('--add-source', 'x') }, false],
  ])('fetches a .NET tool ahead where dnx means the same: %s', (_what, parts, isFetched) => {
    const { install } = planOf({ registryType: 'nuget', ...parts })
    expect(install !== undefined).toBe(isFetched)
  })

  it('keeps what a publisher spells around docker run and takes the pinned image', () => {
    const plan = planOf({
      registryType: 'oci',
      identifier: 'ghcr.io/o/image:0.16.0',
      version: undefined,
      runtimeArguments: fixed('run', '--rm', '-i', '-e', 'TOKEN', 'ghcr.io/o/image', 'stdio'),
      environmentVariables: [{ name: 'TOKEN', value: 't' }],
    })
    expect(plan.args).toEqual([
      ...['run', '--rm', '-i', '-e', 'TOKEN', 'ghcr.io/o/image:0.16.0', 'stdio'],
    ])
    expect(plan.packageVersion).toBe('0.16.0')
    expect(plan.install).toEqual({ command: 'docker', args: ['pull', 'ghcr.io/o/image:0.16.0'] })
  })

  it('leaves out options of docker that need a terminal or the background, and says so (S17)', () => {
    const plan = planOf({
      registryType: 'oci',
      identifier: 'image',
      runtimeArguments: fixed('run', '-it', '--tty', '-d'),
    })
    expect(plan.args).toEqual(['run', '--rm', '-i', 'image:1.0.0'])
    expect(plan.warnings).toEqual(
      ['-it', '--tty', '-d'].map(
        (written) =>
          `${written} from the entry is ignored because a server has no terminal and runs in the foreground.`,
      ),
    )
  })

  it.each([
    ['npx -y notes@1.2 --stdio', '-y --loglevel http --foreground-scripts -p notes@1.2 node -e 0'],
    [
      'npx -p zed --package=@a/b run',
      '-y --loglevel http --foreground-scripts -p @a/b -p zed node -e 0',
    ],
    ['uvx notes@1.2 --stdio', '--from notes==1.2 python -c 0'],
    ['uvx --with extra notes', '--with extra --from notes python -c 0'],
  ])('fetches ahead what a user wrote: %s', (line, fetch) => {
    const [identifier = '', ...args] = line.split(' ')
    const plan = planOf({ registryType: OWN_COMMAND, identifier, packageArguments: fixed(...args) })
    expect([plan.install?.command, plan.install?.args.join(' ')]).toEqual([identifier, fetch])
    expect(plan.args).toEqual(args)
  })

  it.each([
    'node server.js',
    'npx -y github:someone/notes',
    'npx -y ./notes',
    'npx --registry https://packages.example notes',
    'npx --cache /elsewhere notes',
    'uvx notes@latest',
  ])('fetches nothing ahead where another package could be meant: %s', (line) => {
    const [identifier = '', ...args] = line.split(' ')
    const plan = planOf({ registryType: OWN_COMMAND, identifier, packageArguments: fixed(...args) })
    expect(plan.install).toBeUndefined()
  })

  it('warns of an option that needs a terminal in a command that a user wrote (S17)', () => {
    const plan = planOf({
      registryType: OWN_COMMAND,
      identifier: 'docker',
      packageArguments: fixed('run', '-it', 'image'),
    })
    expect(plan.args).toEqual(['run', '-it', 'image'])
    expect(plan.warnings).toEqual(['-it of docker run needs a terminal, but servers have none.'])
  })

  it('warns at the command that a part of it was ignored (X1)', () => {
    const ignoredParts = ['packageArguments[0]: Expected text.']
    expect(planOf({ ignoredParts }).warnings).toEqual([
      'Part of this command was ignored: packageArguments[0]: Expected text.',
    ])
  })

  it.each([
    ['docker', ['run', '-i', '--rm', 'image'], { optionsAt: 1, isNamed: false }],
    ['/usr/bin/podman', ['container', 'run', '-e', 'A', 'image'], { optionsAt: 2, isNamed: false }],
    ['docker', ['--context', 'far', 'run', 'image', '--name'], { optionsAt: 3, isNamed: false }],
    ['docker', ['run', '--name=mine', 'image'], { optionsAt: 1, isNamed: true }],
    ['docker', ['compose', 'run', 'service'], undefined],
    ['npx', ['run'], undefined],
  ])(
    'knows where a written %s %j takes a name for its container (B6)',
    (identifier, args, container) => {
      const pkg = { registryType: OWN_COMMAND, identifier, packageArguments: fixed(...args) }
      expect(planOf(pkg).container).toEqual(container)
    },
  )

  it('goes to a private registry and leaves the public one unsaid', () => {
    const own = 'https://packages.corp.example/'
    expect(planOf({ registryBaseUrl: own }).args).toEqual(['-y', '--registry', own, 'thing@1.0.0'])
    expect(planOf({ registryBaseUrl: own, registryType: 'pypi' }).args).toEqual([
      ...['--default-index', own, 'thing@1.0.0'],
    ])
    expect(planOf({ registryBaseUrl: 'https://npmjs.example' }).args).toEqual(['-y', 'thing@1.0.0'])
    for (const other of ['https://npmjs.corp.example', 'https://mirror.npmjs.example']) {
      expect(planOf({ registryBaseUrl: other }).args).toContain('--registry')
    }
    expect(planOf({ registryBaseUrl: 'file:///tmp' }).args).toEqual(['-y', 'thing@1.0.0'])
  })

  it.each([
    [{ version: 'latest' }, /isn’t pinned/],
    [{ version: undefined }, /isn’t pinned/],
    [{ version: '^1.0.0' }, /isn’t pinned/],
    [{ version: '1.x' }, /isn’t pinned/],
    [{ version: '1.2' }, /isn’t pinned/],
    [{ registryType: 'pypi', version: 'latest' }, /isn’t pinned/],
    [{ registryType: 'oci', version: undefined }, /image isn’t pinned/],
    [{ registryType: 'cargo' }, /Patchbay runs the installed program/],
    [{ runtimeHint: 'bun' }, /suggests "bun"/],
    [{ packageArguments: fixed('{nope}') }, /doesn’t define \{nope\}/],
  ])('warns about %j', (parts, warning) => {
    expect(planOf(parts).warnings).toEqual([expect.stringMatching(warning)])
  })

  it.each([
    ['npm', '2026.8.31'],
    ['npm', '1.0.0-beta.1+5'],
    ['pypi', '0.3.0a2'],
    ['pypi', '1.2'],
    ['nuget', '0.4.0-beta'],
  ])('takes %s version %s as pinned', (registryType, version) => {
    expect(planOf({ registryType, version }).warnings).toEqual([])
  })

  it.each<[Partial<Package>, RegExp]>([
    [{ registryType: 'mcpb' }, /can’t start packages of type "mcpb"/],
    [{ registryType: '__proto__' }, /can’t start packages/],
    [{ identifier: '--call=rm' }, /isn’t a valid npm package name/],
    [{ identifier: 'git+https://evil.example/x' }, /isn’t a valid/],
    [{ identifier: '../folder' }, /isn’t a valid/],
    [{ version: 'npm:evil@1.0.0' }, /isn’t a valid/],
    [{ registryType: 'oci', identifier: '--privileged' }, /isn’t a valid/],
    [{ registryType: 'cargo', identifier: '/bin/sh' }, /isn’t a valid/],
  ])('rejects %j with a sentence', (parts, message) => {
    expect(() => planOf(parts)).toThrow(
      expect.objectContaining({
        code: 'UNSUPPORTED_PACKAGE',
        message: expect.stringMatching(message) as string,
      }),
    )
  })
})

describe('a command of its own', () => {
  it('is run as it is written, braces and all, with nothing put around it', () => {
    const plan = planOf({
      registryType: 'command',
      identifier: '/opt/my tools/serve',
      version: undefined,
      packageArguments: fixed('--filter', '{"a": "{b}"}'),
    })
    expect(plan).toMatchObject({
      command: '/opt/my tools/serve',
      args: ['--filter', '{"a": "{b}"}'],
      warnings: [],
    })
  })
})

describe('D3 a package whose entry starts another program', () => {
  it.each<[string, Partial<Package>]>([
    ['of npx', { runtimeArguments: fixed('--package', 'thing', 'sh', '-c', 'x') }],
    ['of npx, short', { runtimeArguments: fixed('-p', 'thing@1.0.0', 'node', '-e', 'x') }],
    [
      'in the arguments of the package',
      { runtimeArguments: fixed('--package=thing'), packageArguments: fixed('curl', 'x') },
    ],
    ['of uvx', { registryType: 'pypi', runtimeArguments: fixed('--from', 'thing', 'sh') }],
    ['of docker', { registryType: 'oci', packageArguments: fixed('sh', '-c', 'x') }],
    ['of cargo', { registryType: 'cargo', identifier: 'sh', packageArguments: fixed('-c', 'x') }],
    [
      'of a bundle',
      { registryType: OWN_COMMAND, identifier: 'bash', packageArguments: fixed('x') },
    ],
  ])('is reported: %s', (_what, parts) => {
    expect(planOf(parts).warnings).toContainEqual(
      expect.stringContaining('can change which code runs and what it can access.'),
    )
  })

  it('is reported once where the options of the runner are reported anyway', () => {
    const { warnings } = planOf({ runtimeArguments: fixed('-c', 'x', 'thing') })
    expect(warnings.filter((one) => one.startsWith('Options for npx'))).toHaveLength(1)
  })
})

describe('D3 options that the entry gives the runner', () => {
  const optionWarning = (parts: Partial<Package>): string | undefined =>
    planOf(parts).warnings.find((warning) => warning.startsWith('Options for '))

  it.each<[string, Partial<Package>, string]>([
    ['a shell line', { runtimeArguments: fixed('-c', 'curl x | sh') }, 'npx'],
    ['options of node', { runtimeArguments: fixed('--node-options=--require=/x') }, 'npx'],
    ['another package', { runtimeArguments: fixed('evil') }, 'npx'],
    [
      'an address that bears its name',
      { runtimeArguments: fixed('thing@https://evil.example/x.tgz') },
      'npx',
    ],
    ['another package before its own', { runtimeArguments: fixed('evil', 'thing') }, 'npx'],
    ['a folder', { registryType: 'oci', runtimeArguments: fixed('-v', '/:/host') }, 'docker'],
    ['all rights', { registryType: 'oci', runtimeArguments: fixed('--privileged') }, 'docker'],
    ['more packages', { registryType: 'pypi', runtimeArguments: fixed('--with', 'evil') }, 'uvx'],
    ['a source', { registryType: 'nuget', runtimeArguments: fixed('--source', 'x') }, 'dnx'],
  ])('are reported: %s', (_what, parts, runner) => {
    expect(optionWarning(parts)).toContain(runner)
  })

  it.each<[string, Partial<Package>]>([
    ['npx -y', { runtimeArguments: fixed('-y') }],
    ['the package itself', { runtimeArguments: fixed('-y', 'thing@1.0.0', '--port', '1') }],
    ['uvx --from', { registryType: 'pypi', runtimeArguments: fixed('--from', 'thing==1.0.0') }],
    [
      'docker run',
      {
        registryType: 'oci',
        runtimeArguments: fixed('run', '-i', '--rm', '-e', 'KEY', 'thing', 'stdio'),
        environmentVariables: [{ name: 'KEY' }],
      },
    ],
  ])('are not reported where they are what Patchbay gives anyway: %s', (_what, parts) => {
    expect(optionWarning(parts)).toBeUndefined()
  })

  it('do not pass off one version as another', () => {
    const plan = planOf({ runtimeArguments: fixed('thing@latest') })
    expect(plan.packageVersion).toBe('latest')
    expect(plan.warnings).toContainEqual(expect.stringContaining('isn’t pinned'))
    const scoped = planOf({ identifier: '@a/thing', runtimeArguments: fixed('@a/thing') })
    expect(scoped.packageVersion).toBeUndefined()
    expect(scoped.warnings).toContainEqual(expect.stringContaining('isn’t pinned'))
  })

  it('name a registry that is not the public one', () => {
    expect(planOf({ registryBaseUrl: 'https://evil.example/' }).warnings).toEqual([
      'The package comes from https://evil.example/, as set in the entry, not from the public registry.',
    ])
  })

  it.each(['https://--privileged/', 'https://--entrypoint=x@h.example/a?b'])(
    'never come from the address of an image registry: %s',
    (registryBaseUrl) => {
      const { args } = planOf({ registryType: 'oci', registryBaseUrl })
      expect(args[3]).toMatch(/^[a-z0-9][\w./:-]*$/)
    },
  )
})

describe('options that the user gives the runner', () => {
  it.each<[string, Partial<Package>, string[], string]>([
    [
      'npx',
      {},
      ['--registry', 'https://a.example'],
      'npx -y --registry https://a.example thing@1.0.0',
    ],
    ['uvx', { registryType: 'pypi' }, ['--with', 'mcp<2'], 'uvx --with mcp<2 thing@1.0.0'],
    [
      'uvx that the entry spells',
      { registryType: 'pypi', runtimeArguments: fixed('uvx', '--offline') },
      ['--with', 'mcp<2'],
      'uvx --with mcp<2 --offline thing@1.0.0',
    ],
    [
      'docker run',
      { registryType: 'oci' },
      ['-v', '/data:/data'],
      'docker run -i --rm -v /data:/data thing:1.0.0',
    ],
  ])('stand before the package: %s', (_what, parts, options, line) => {
    const { command, args } = planOf(parts, options)
    expect([command, ...args].join(' ')).toBe(line)
  })

  it('decide what is fetched ahead too', () => {
    const { install } = planOf({ registryType: 'pypi' }, ['--with', 'mcp<2'])
    expect(install?.args.slice(0, 2)).toEqual(['--with', 'mcp<2'])
  })

  it('name the program of a package that calls it otherwise', () => {
    const { args, packageVersion } = planOf({ registryType: 'pypi' }, [
      '--from',
      'thing==1.0.0',
      'other',
    ])
    expect([...args, packageVersion]).toEqual(['--from', 'thing==1.0.0', 'other', '1.0.0'])
  })

  it('are warned of where they decide which code runs', () => {
    const { warnings } = planOf({ registryType: 'pypi' }, ['--with', 'mcp<2'])
    expect(warnings).toContainEqual(expect.stringContaining('--with'))
  })

  it('are no field where no runner reads them', () => {
    expect(planOf({ registryType: 'cargo' }, ['--verbose']).args).toEqual([])
  })
})
