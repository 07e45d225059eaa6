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

describe('B9: package runners', () => {
  it('fetch an npm package into the cache that its start reads', () => {
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

  it('fetch a Python package by running the Python of its environment', () => {
    expect(planOf({ registryType: 'pypi' }).install).toEqual({
      command: 'uvx',
      args: ['--from', 'thing==1.0.0', 'python', '-c', '0'],
    })
  })

  it('fetch a .NET tool as a local tool, in the folder that dnx reads, too', () => {
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
    ['with irrelevant options', { runtimeArguments: fixed('--yes') }, true],
    ['without a version', { version: undefined }, false],
    ['with a version range', { version: '1.*' }, false],
    ['with its own source', { registryBaseUrl: 'https://feed.example/v3/index.json' }, false],
    ["with the entry's options", { runtimeArguments: fixed('--add-source', 'x') }, false],
  ])('fetch a .NET tool ahead if dnx resolves the same one: %s', (_what, parts, isFetched) => {
    const { install } = planOf({ registryType: 'nuget', ...parts })
    expect(install !== undefined).toBe(isFetched)
  })

  it("keep a publisher's docker run options and use the pinned image", () => {
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

  it("remove docker's terminal and background options, and warn (S17)", () => {
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
  ])("fetch a custom command's package ahead: %s", (line, fetch) => {
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
  ])('fetch nothing ahead if another package could be meant: %s', (line) => {
    const [identifier = '', ...args] = line.split(' ')
    const plan = planOf({ registryType: OWN_COMMAND, identifier, packageArguments: fixed(...args) })
    expect(plan.install).toBeUndefined()
  })

  it('warn of a terminal option in a custom command (S17)', () => {
    const plan = planOf({
      registryType: OWN_COMMAND,
      identifier: 'docker',
      packageArguments: fixed('run', '-it', 'image'),
    })
    expect(plan.args).toEqual(['run', '-it', 'image'])
    expect(plan.warnings).toEqual(['-it of docker run needs a terminal, but servers have none.'])
  })

  it('warn of an ignored part of the command (X1)', () => {
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
  ])('find the place of a container name in a custom %s %j (B6)', (identifier, args, container) => {
    const pkg = { registryType: OWN_COMMAND, identifier, packageArguments: fixed(...args) }
    expect(planOf(pkg).container).toEqual(container)
  })

  it('pass a private registry, but not the public one', () => {
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
  ])('warn about %j', (parts, warning) => {
    expect(planOf(parts).warnings).toEqual([expect.stringMatching(warning)])
  })

  it.each([
    ['npm', '2026.8.31'],
    ['npm', '1.0.0-beta.1+5'],
    ['pypi', '0.3.0a2'],
    ['pypi', '1.2'],
    ['nuget', '0.4.0-beta'],
  ])('treat %s version %s as pinned', (registryType, version) => {
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
  ])('reject %j with a message', (parts, message) => {
    expect(() => planOf(parts)).toThrow(
      expect.objectContaining({
        code: 'UNSUPPORTED_PACKAGE',
        message: expect.stringMatching(message) as string,
      }),
    )
  })
})

describe('a custom command', () => {
  it('runs as written, braces included, without additions', () => {
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

describe('D3: a package whose entry starts another program', () => {
  it.each<[string, Partial<Package>]>([
    ['of npx', { runtimeArguments: fixed('--package', 'thing', 'sh', '-c', 'x') }],
    ['of npx, short', { runtimeArguments: fixed('-p', 'thing@1.0.0', 'node', '-e', 'x') }],
    [
      "in the package's arguments",
      { runtimeArguments: fixed('--package=thing'), packageArguments: fixed('curl', 'x') },
    ],
    ['of uvx', { registryType: 'pypi', runtimeArguments: fixed('--from', 'thing', 'sh') }],
    ['of docker', { registryType: 'oci', packageArguments: fixed('sh', '-c', 'x') }],
    ['of cargo', { registryType: 'cargo', identifier: 'sh', packageArguments: fixed('-c', 'x') }],
    [
      'of a bundle',
      { registryType: OWN_COMMAND, identifier: 'bash', packageArguments: fixed('x') },
    ],
  ])('causes a warning: %s', (_what, parts) => {
    expect(planOf(parts).warnings).toContainEqual(
      expect.stringContaining('can change which code runs and what it can access.'),
    )
  })

  it("causes only one warning if the runner's options cause one anyway", () => {
    const { warnings } = planOf({ runtimeArguments: fixed('-c', 'x', 'thing') })
    expect(warnings.filter((one) => one.startsWith('Options for npx'))).toHaveLength(1)
  })
})

describe("D3: an entry's options for the runner", () => {
  const optionWarning = (parts: Partial<Package>): string | undefined =>
    planOf(parts).warnings.find((warning) => warning.startsWith('Options for '))

  it.each<[string, Partial<Package>, string]>([
    ['a shell line', { runtimeArguments: fixed('-c', 'curl x | sh') }, 'npx'],
    ['options of node', { runtimeArguments: fixed('--node-options=--require=/x') }, 'npx'],
    ['another package', { runtimeArguments: fixed('evil') }, 'npx'],
    [
      'an address that contains its name',
      { runtimeArguments: fixed('thing@https://evil.example/x.tgz') },
      'npx',
    ],
    ['another package before its own', { runtimeArguments: fixed('evil', 'thing') }, 'npx'],
    ['a folder', { registryType: 'oci', runtimeArguments: fixed('-v', '/:/host') }, 'docker'],
    ['all permissions', { registryType: 'oci', runtimeArguments: fixed('--privileged') }, 'docker'],
    ['more packages', { registryType: 'pypi', runtimeArguments: fixed('--with', 'evil') }, 'uvx'],
    ['a source', { registryType: 'nuget', runtimeArguments: fixed('--source', 'x') }, 'dnx'],
  ])('cause a warning: %s', (_what, parts, runner) => {
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
  ])('cause no warning if Patchbay would set them anyway: %s', (_what, parts) => {
    expect(optionWarning(parts)).toBeUndefined()
  })

  it("can't pass off one version as another", () => {
    const plan = planOf({ runtimeArguments: fixed('thing@latest') })
    expect(plan.packageVersion).toBe('latest')
    expect(plan.warnings).toContainEqual(expect.stringContaining('isn’t pinned'))
    const scoped = planOf({ identifier: '@a/thing', runtimeArguments: fixed('@a/thing') })
    expect(scoped.packageVersion).toBeUndefined()
    expect(scoped.warnings).toContainEqual(expect.stringContaining('isn’t pinned'))
  })

  it('name a registry other than the public one', () => {
    expect(planOf({ registryBaseUrl: 'https://evil.example/' }).warnings).toEqual([
      'The package comes from https://evil.example/, as set in the entry, not from the public registry.',
    ])
  })

  it.each(['https://--privileged/', 'https://--entrypoint=x@h.example/a?b'])(
    "never come from an image registry's address: %s",
    (registryBaseUrl) => {
      const { args } = planOf({ registryType: 'oci', registryBaseUrl })
      expect(args[3]).toMatch(/^[a-z0-9][\w./:-]*$/)
    },
  )
})

describe("the user's options for the runner", () => {
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
  ])('precede the package: %s', (_what, parts, options, line) => {
    const { command, args } = planOf(parts, options)
    expect([command, ...args].join(' ')).toBe(line)
  })

  it('decide what is fetched ahead, too', () => {
    const { install } = planOf({ registryType: 'pypi' }, ['--with', 'mcp<2'])
    expect(install?.args.slice(0, 2)).toEqual(['--with', 'mcp<2'])
  })

  it('name a program with another name than the package', () => {
    const { args, packageVersion } = planOf({ registryType: 'pypi' }, [
      '--from',
      'thing==1.0.0',
      'other',
    ])
    expect([...args, packageVersion]).toEqual(['--from', 'thing==1.0.0', 'other', '1.0.0'])
  })

  it('cause a warning if they decide which code runs', () => {
    const { warnings } = planOf({ registryType: 'pypi' }, ['--with', 'mcp<2'])
    expect(warnings).toContainEqual(expect.stringContaining('--with'))
  })

  it('have no field if no runner reads them', () => {
    expect(planOf({ registryType: 'cargo' }, ['--verbose']).args).toEqual([])
  })
})
