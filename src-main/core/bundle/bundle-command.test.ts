import { describe, expect, it } from 'vitest'

import {
  argv,
  envOf,
  FOLDER,
  type ManifestParts,
  plan,
  read,
  type ReadPlace,
  server,
} from '../../../e2e/fixtures/read-bundle'
import { AppError } from '../../../src-shared/domain/app-error'
import { toFormFields } from '../../../src-shared/form/to-form-fields'
import { planHash } from '../launch/building/launch-preview'
import type { BundlePackage } from './bundle-package'

function refusal(change: ManifestParts, place?: ReadPlace): AppError {
  try {
    read(change, place)
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
  throw new Error('It was not refused.')
}

describe('the command of a bundle', () => {
  it("has this computer's paths filled in", () => {
    const bundle = read({
      server: server([
        '${__dirname}/main.js',
        '--in=${HOME}${/}x',
        '${DESKTOP}',
        '${DOCUMENTS}',
        '${DOWNLOADS}',
        'a${pathSeparator}b',
      ]),
    })
    expect(argv(bundle)).toEqual([
      'node',
      `${FOLDER}/main.js`,
      '--in=/home/me/x',
      '/home/me/Desktop',
      '/home/me/Documents',
      '/home/me/Downloads',
      'a/b',
    ])
    expect(toFormFields(bundle.pkg)).toEqual([])
    expect(bundle.pkg.workingFolder).toBe(FOLDER)
  })

  it("keeps the author's braces and dollar signs", () => {
    const args = [
      '{"a": {b}}',
      '{mode}',
      '$HOME',
      '${',
      '${}',
      '${OTHER}',
      '$$',
      '${a{b}}',
      '',
      '{}',
    ]
    const bundle = read({
      server: server([...args, '{mode}${user_config.mode}']),
      user_config: { mode: { type: 'string', title: 'Mode' } },
    })
    const [, ...given] = argv(bundle, { set_mode: 'x{mode}$&' })
    expect(given).toEqual([...args, '{mode}x{mode}$&'])
    expect(bundle.notices).toEqual([
      expect.stringContaining('${}'),
      expect.stringContaining('${OTHER}'),
    ])
    expect(plan(bundle).warnings).toEqual([])
  })

  it("uses the manifest's platform section before the general one", () => {
    const bundle = (platform: NodeJS.Platform): BundlePackage =>
      read(
        {
          server: {
            type: 'node',
            mcp_config: {
              command: 'node',
              args: ['all'],
              env: { A: 'all', B: 'all' },
              platform_overrides: { win32: { args: ['win'], env: { B: 'win' } } },
            },
          },
        },
        { platform },
      )
    expect(argv(bundle('win32'))).toEqual(['node', 'win'])
    expect(envOf(bundle('win32'))).toEqual({ A: 'all', B: 'win' })
    expect(argv(bundle('darwin'))).toEqual(['node', 'all'])
    expect(envOf(bundle('darwin'))).toEqual({ A: 'all', B: 'all' })
  })

  it.each([
    ['python', 'linux', 'python3'],
    ['python3', 'darwin', 'python3'],
    ['python3', 'win32', 'python'],
    ['python3.12', 'linux', 'python3.12'],
  ] as const)('for %s on %s is %s', (command, platform, expected) => {
    const config = { type: 'python', mcp_config: { command, args: ['x.py'] } }
    expect(argv(read({ server: config }, { platform }))).toEqual([expected, 'x.py'])
  })

  it.each([
    ['node', ['node', `${FOLDER}/src/main`]],
    ['python', ['python3', `${FOLDER}/src/main`]],
    ['uv', ['uv', 'run', '--directory', FOLDER, `${FOLDER}/src/main`]],
    ['binary', [`${FOLDER}/src/main`]],
  ])('is derived for type %s if the manifest omits it', (type, expected) => {
    expect(argv(read({ server: { type, entry_point: 'src/main' } }))).toEqual(expected)
  })

  it('runs a program of the bundle by its path', () => {
    const binary = (command: string): object => ({ type: 'binary', mcp_config: { command } })
    const files = [`${FOLDER}/bin/run`]
    for (const command of [
      'bin/run',
      './bin/run',
      '${__dirname}/bin/run',
      '${__dirname}${/}bin/run',
    ])
      expect(argv(read({ server: binary(command) }, { files }))).toEqual([`${FOLDER}/bin/run`])
    expect(argv(read({ server: binary('run') }, { files: [`${FOLDER}/run`] }))).toEqual([
      `${FOLDER}/run`,
    ])
    expect(argv(read({ server: binary('/usr/bin/env') }, { files }))).toEqual(['/usr/bin/env'])
    expect(refusal({ server: binary('bin/other') }, { files }).message).toMatch(
      /missing from the bundle/,
    )
  })

  it('gets the extension of programs on Windows', () => {
    const folder = 'C:\\profile\\bundles\\abc'
    const bundle = read(
      { server: { type: 'binary', mcp_config: { command: '${__dirname}/bin/run' } } },
      { platform: 'win32', folder, files: [`${folder}\\bin\\run.exe`] },
    )
    expect(argv(bundle)).toEqual([`${folder}\\bin\\run.exe`])
  })

  it.each(['../run', 'a/../../run', '${__dirname}/../run/../../x'])(
    'rejects or keeps a program outside the bundle: %s',
    (command) => {
      const change = { server: { type: 'binary', mcp_config: { command } } }
      if (command.startsWith('$')) expect(argv(read(change))).toEqual(['/profile/x'])
      else expect(refusal(change).code).toBe('INVALID_BUNDLE')
    },
  )

  it("names a platform that the bundle isn't for", () => {
    const error = refusal({
      server: server(['x']),
      compatibility: { platforms: ['darwin', 'win32'] },
    })
    expect(error.code).toBe('UNSUPPORTED_PACKAGE')
    expect(error.message).toBe(
      'This bundle is for macOS and Windows, but this computer runs Linux.',
    )
  })

  it('names the runtime that it needs', () => {
    const compatibility = { platforms: ['linux'], runtimes: { node: '>=20' } }
    expect(read({ server: server(['x']), compatibility }).notices).toEqual([
      'Requires Node.js >=20 on this computer.',
    ])
  })

  it("needs no local Python if uv runs it, but uv's project file", () => {
    const change = {
      server: { type: 'uv', entry_point: 'main.py' },
      compatibility: { runtimes: { python: '>=3.12' } },
    }
    expect(read(change).notices).toEqual([])
    const files = [`${FOLDER}/main.py`]
    expect(refusal(change, { files }).message).toMatch(/uses uv, but the bundle has no pyproject/)
    expect(read(change, { files: [...files, `${FOLDER}/pyproject.toml`] }).pkg.isUvProject).toBe(
      true,
    )
  })

  it('binds the approval to the file, whatever the command', () => {
    const npx = { server: server(['-y', 'thing'], {}, 'npx') }
    const hashes = ['a', 'b'].map((digit) =>
      planHash(plan(read(npx, { sha256: digit.repeat(64) })), '/x'),
    )
    expect(new Set(hashes).size).toBe(2)
  })

  it('is rejected without command and entry point, and if a setting decides it', () => {
    expect(refusal({ server: { type: 'node' } }).code).toBe('INVALID_BUNDLE')
    const missing = { server: { type: 'node', entry_point: 'src/main.js' } }
    expect(refusal(missing, { files: [] })).toMatchObject({
      code: 'INVALID_BUNDLE',
      message: 'The manifest’s entry point src/main.js is missing from the bundle.',
    })
    const change = { server: server([], {}, '${user_config.program}') }
    expect(refusal(change).message).toMatch(/setting choose/)
  })
})
