import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { TinyComputer } from '../../../../e2e/fixtures/tiny-computer'
import { startVariables } from '../environment/manager-variables'
import { RunnerError } from './runner-error'

let computer: TinyComputer

beforeEach(() => {
  computer = new TinyComputer()
})
afterEach(() => computer[Symbol.dispose]())

describe.skipIf(process.platform === 'win32')('the runner doctor', () => {
  it('reports for a missing runner what to install and the searched folders', async () => {
    await expect(computer.doctor().examine('uvx')).rejects.toMatchObject({
      code: 'COMMAND_NOT_FOUND',
      message: 'uvx was not found on this computer.',
      hint: expect.stringContaining('uvx comes with uv') as string,
      advice: {
        command: 'uvx',
        runner: 'uvx',
        problem: 'missing',
        lookedIn: [
          computer.bin,
          '/usr/bin',
          '/bin',
          ...['.local/bin', '.cargo/bin', '.dotnet'].map((name) => join(computer.home, name)),
        ],
        setups: expect.arrayContaining([
          expect.objectContaining({ setupId: 'uv-script' }),
          expect.objectContaining({ setupId: 'uv-pipx' }),
        ]) as object[],
      },
    })
  })

  it('sets uv up as uvx, and finds it next to a uvx from Settings', async () => {
    await expect(computer.doctor().examine('uv')).rejects.toMatchObject({
      message: 'uv was not found on this computer.',
      hint: expect.stringContaining('uvx comes with uv') as string,
      advice: {
        command: 'uv',
        runner: 'uvx',
        setups: expect.arrayContaining([
          expect.objectContaining({ setupId: 'uv-script' }),
        ]) as object[],
      },
    })
    const folder = join(computer.home, 'own')
    const file = computer.program('uv', 'echo uv 1.0.0', folder)
    computer.runnerPaths = { uvx: computer.program('uvx', 'echo uvx 1.0.0', folder) }
    expect(await computer.doctor().examine('uv')).toMatchObject({ file, folders: [folder] })
  })

  it.each([
    ['python', 'python3', { kind: 'setCommand', argv: ['python3'] }],
    ['node', 'nodejs', { kind: 'setCommand', argv: ['nodejs'] }],
    ['docker', 'podman', { kind: 'setRunner', runner: 'docker' }],
    ['bunx', 'bun', { kind: 'setCommand', argv: ['bun', 'x'] }],
  ])('offers the existing program if %s is missing: %s', async (command, near, step) => {
    const one = computer.doctor({ path: [] })
    await expect(one.examine(command)).rejects.toMatchObject({ failureCause: undefined })
    const file = computer.program(near, 'exit 0')
    await expect(one.examine(command)).rejects.toMatchObject({
      code: 'COMMAND_NOT_FOUND',
      failureCause: {
        causeId: 'other-program-name',
        message: expect.stringContaining(`${near} is at ${file}.`) as string,
        step,
      },
    })
  })

  it('offers the intended command for a text that names no program, and nothing to install', async () => {
    const one = computer.doctor({ path: [] })
    computer.program('npx', 'exit 0')
    const own = computer.program('srv', 'exit 0', join(computer.home, 'tools'))
    const meant = async (command: string): Promise<unknown> => {
      const error: unknown = await one.examine(command).catch((cause: unknown) => cause)
      if (!(error instanceof RunnerError)) throw error
      expect(error.code).toBe('COMMAND_NOT_FOUND')
      expect(error.advice.setups).toEqual([])
      expect(`${error.message} ${error.hint ?? ''}`).not.toMatch(/not found|Install/u)
      return error.failureCause?.step
    }
    const use = (...argv: string[]): object => ({ kind: 'setCommand', argv })
    expect(await meant('~/tools/srv')).toEqual(use(own))
    expect(await meant('npx -y @acme/mcp@1.0.0')).toEqual(use('npx', '-y', '@acme/mcp@1.0.0'))
    expect(await meant('npx.cmd')).toEqual(use('npx'))
    expect(await meant(String.raw`C:\Program Files\nodejs\npx.cmd`)).toEqual(use('npx'))
    for (const command of ['./tools/srv', 'cmd', 'uvx.exe', 'npx "a b"', '~/no/such'])
      expect(await meant(command)).toBeUndefined()
  })

  it("offers the newest existing version if the path's version is gone", async () => {
    const versions = join(computer.home, '.nvm/versions/node')
    for (const version of ['v9.1.0', 'v22.3.0'])
      computer.program('node', 'exit 0', join(versions, version, 'bin'))
    const [gone, there] = ['v20.11.0', 'v22.3.0'].map((name) => join(versions, name, 'bin/node'))
    await expect(computer.doctor().examine(gone ?? '')).rejects.toMatchObject({
      code: 'COMMAND_NOT_FOUND',
      failureCause: {
        causeId: 'version-gone',
        message: `v20.11.0 is no longer in ${versions}, but v22.3.0 is. Use ${there ?? ''}.`,
        step: { kind: 'setCommand', argv: [there] },
      },
    })
  })

  it('reports a login shell without an answer, and the searched folders', async () => {
    const one = computer.doctor({ profile: 'exit 3', path: ['/bin'] })
    const shell = join(computer.home, 'test-shell')
    await expect(one.examine('notes')).rejects.toMatchObject({
      hint: expect.stringContaining(
        `Your shell (${shell}) ended without an answer, so only ${computer.bin}:/bin`,
      ) as string,
    })
  })

  it("distinguishes a file that can't run from a missing one", async () => {
    const file = computer.program('notes', 'exit 0')
    chmodSync(file, 0o644)
    const unmarked = {
      code: 'COMMAND_NOT_RUNNABLE',
      message: `${file} is not marked as executable.`,
    }
    await expect(computer.doctor().examine(file)).rejects.toMatchObject(unmarked)
    await expect(computer.doctor().examine('notes')).rejects.toMatchObject(unmarked)
    await expect(computer.doctor().examine(computer.bin)).rejects.toMatchObject({
      message: `${computer.bin} is a folder.`,
    })
    await expect(computer.doctor().examine('/nowhere/notes')).rejects.toMatchObject({
      code: 'COMMAND_NOT_FOUND',
      message: '/nowhere/notes doesn’t exist.',
    })
  })

  it("stops before a start that its script's first line rules out", async () => {
    const file = join(computer.bin, 'notes')
    writeFileSync(file, '#!/usr/bin/env node\r\n', { mode: 0o755 })
    await expect(computer.doctor().examine('notes')).rejects.toMatchObject({
      code: 'COMMAND_NOT_RUNNABLE',
      message: `${file} can’t run because its first line ends in a Windows line break (CRLF).`,
    })
  })

  it("has no setups for a command that isn't a runner", async () => {
    await expect(computer.doctor().examine('some-crate')).rejects.toMatchObject({
      code: 'COMMAND_NOT_FOUND',
      advice: { command: 'some-crate', problem: 'missing', setups: [] },
    })
  })

  it("finds a program installed after the app's start, on a new shell's PATH", async () => {
    const later = join(computer.home, 'later')
    const one = computer.doctor({ profile: `export PATH="${later}:$PATH"` })
    computer.program('uvx', 'echo uvx 1.0.0', later)
    const found = await one.examine('uvx')
    expect(found.file).toBe(join(later, 'uvx'))
    expect((await one.finder.environmentFor({})).PATH?.startsWith(later)).toBe(true)
  })

  it("finds a program in an installer's home folder, and starts it with that folder on the PATH", async () => {
    const file = computer.program('uvx', 'echo uvx 1.0.0', join(computer.home, '.local/bin'))
    expect(await computer.doctor().examine('uvx')).toMatchObject({
      file,
      folders: [join(computer.home, '.local/bin')],
    })
  })

  it('uses a path from Settings first, and the programs next to it', async () => {
    computer.program('npx', 'exit 1')
    computer.program('node', 'echo v16.0.0')
    const set = join(computer.home, 'set')
    computer.program('node', 'echo v24.1.0', set)
    computer.runnerPaths = { npx: computer.program('npx', 'exit 0', set) }
    const found = await computer.doctor().examine('npx')
    expect(found).toMatchObject({
      file: join(set, 'npx'),
      folders: [set],
      warnings: [],
    })
  })

  it.each(['/nowhere/npx', 'npx', '.'])(
    "reports a path from Settings that isn't a program: %s",
    async (path) => {
      computer.program('npx', 'exit 0')
      computer.runnerPaths = { npx: path }
      await expect(computer.doctor().examine('npx')).rejects.toMatchObject({
        code: 'COMMAND_NOT_FOUND',
        message: `npx is set to ${path}, which doesn’t exist.`,
        advice: { lookedIn: [path] },
      })
    },
  )

  it('finds existing runners without running one, paths from Settings first', async () => {
    const ran = join(computer.home, 'ran')
    computer.program('npx', `touch "${ran}"`)
    computer.program('docker', `touch "${ran}"`)
    computer.runnerPaths = { npx: '/nowhere/npx', dnx: computer.program('dnx', `touch "${ran}"`) }
    const found = await computer.doctor().find()
    expect(found.filter((runner) => runner !== 'uvx')).toEqual(['docker', 'dnx'])
    expect(existsSync(ran)).toBe(false)
  })

  it('stops npx with an outdated Node.js, and warns of one that will be', async () => {
    computer.program('npx', 'exit 0')
    const node = computer.program('node', 'echo v16.20.2')
    await expect(computer.doctor().examine('npx')).rejects.toMatchObject({
      code: 'RUNNER_TOO_OLD',
      message: 'Node.js 16.20.2 is too old to run this server.',
      advice: { problem: 'tooOld', found: { path: node, version: 'Node.js 16.20.2' } },
    })
    computer.program('node', 'echo v18.20.0')
    const { warnings } = await computer.doctor().examine('npx')
    expect(warnings).toEqual([expect.stringContaining('Node.js 18.20.0 no longer gets updates')])
    computer.program('node', 'echo v20.0.0')
    expect((await computer.doctor().examine('npx')).warnings).toEqual([])
  })

  it('reports npx without Node.js', async () => {
    const npx = computer.program('npx', 'exit 0')
    const one = computer.doctor({ path: [] })
    await expect(one.examine('npx')).rejects.toMatchObject({
      code: 'COMMAND_NOT_FOUND',
      message: `npx is at ${npx}, but Node.js was not found.`,
    })
  })

  it('requests a version once, and again after the program has changed', async () => {
    computer.program('npx', 'exit 0')
    computer.program('node', `echo asked >> ${computer.home}/asked; echo v22.0.0`)
    const one = computer.doctor()
    await Promise.all([1, 2, 3].map(() => one.examine('npx')))
    await one.examine('npx')
    expect(readFileSync(join(computer.home, 'asked'), 'utf8')).toBe('asked\n')
    computer.program('node', 'echo v16.0.0')
    await expect(one.examine('npx')).rejects.toMatchObject({ code: 'RUNNER_TOO_OLD' })
  })

  it.each([
    [
      'Cannot connect to the Docker daemon at unix:///x.sock. Is the docker daemon running?',
      'RUNNER_NOT_RUNNING',
      'Docker is installed but not running.',
    ],
    [
      'permission denied while trying to connect to the Docker daemon socket',
      'RUNNER_NOT_ALLOWED',
      'You don’t have permission to use Docker.',
    ],
  ])('distinguishes causes of a failing docker by its output: %s', async (words, code, message) => {
    computer.program('docker', `echo "${words}" >&2; exit 1`)
    await expect(computer.doctor().examine('docker')).rejects.toMatchObject({
      code,
      message,
      advice: { problem: 'notRunning' },
    })
  })

  it("starts a docker command if docker's response is unknown", async () => {
    computer.program('docker', 'echo "unknown flag: --format" >&2; exit 125')
    expect(await computer.doctor().examine('docker')).toMatchObject({
      file: join(computer.bin, 'docker'),
    })
  })

  it("doesn't wait for a program that never responds", async () => {
    computer.program('docker', 'sleep 1000')
    await expect(computer.doctor().examine('docker')).rejects.toMatchObject({
      code: 'RUNNER_NOT_RUNNING',
      message: 'Docker did not respond within 5 s.',
    })
  })

  it('lists every runner with path, version and problem', async () => {
    computer.program('npx', 'exit 0')
    computer.program('node', 'echo v24.1.0')
    computer.program('uvx', 'echo "uvx 0.9.2 (abc 2026-01-01)"')
    computer.runnerPaths = { dnx: '/nowhere/dnx' }
    expect(await computer.doctor().list(true)).toEqual([
      {
        runner: 'npx',
        source: 'found',
        path: join(computer.bin, 'npx'),
        version: 'Node.js 24.1.0',
      },
      { runner: 'uvx', source: 'found', path: join(computer.bin, 'uvx'), version: 'uv 0.9.2' },
      expect.objectContaining({ runner: 'docker', source: 'found' }),
      {
        runner: 'dnx',
        source: 'set',
        problem: 'dnx is set to /nowhere/dnx, which doesn’t exist.',
      },
    ])
  })
})

describe('F13: a program named by its path', () => {
  it('has its folder first on its PATH', async () => {
    const npx = computer.program('npx', 'exit 0', join(computer.home, 'v22/bin'))
    computer.program('node', 'echo v22.0.0', join(computer.home, 'v22/bin'))
    computer.program('node', 'echo v12.0.0')
    const one = computer.doctor()
    const found = await one.examine(npx)
    expect(found.folders).toEqual([join(computer.home, 'v22/bin')])
    const { PATH = '' } = await one.finder.environmentFor({}, found.folders)
    expect(PATH.split(':')[0]).toBe(join(computer.home, 'v22/bin'))
  })

  it('is checked like any other runner: its Node.js counts', async () => {
    const npx = computer.program('npx', 'exit 0', join(computer.home, 'old'))
    computer.program('node', 'echo v12.22.9', join(computer.home, 'old'))
    await expect(computer.doctor().examine(npx)).rejects.toMatchObject({
      code: 'RUNNER_TOO_OLD',
      message: 'Node.js 12.22.9 is too old to run this server.',
    })
  })
})

describe('F13: a shim without a version', () => {
  it('is a problem in Settings', async () => {
    for (const name of ['node', 'npx'])
      computer.program(name, 'echo "No version is set for command $(basename "$0")" >&2; exit 126')
    const [npx] = await computer.doctor().list(false)
    expect(npx).toMatchObject({
      runner: 'npx',
      problem: `${join(computer.bin, 'node')} can’t run (exit code 126): No version is set for command node`,
    })
  })
})

describe('F13: variables that a package manager reads', () => {
  it('are those of the profile that its configuration names, and no others', async () => {
    writeFileSync(
      join(computer.home, '.npmrc'),
      '# ${OLD_TOKEN}\n//npm.example.test/:_authToken=${ACME_TOKEN}\nproxy=${NO_SUCH?}\nx=${UNSET}\n',
    )
    const profile = 'export ACME_TOKEN=of-profile OLD_TOKEN=x OTHER=y'
    const { finder } = computer.doctor({ profile })
    const npx = join(computer.home, 'bin/npx')
    expect(await finder.managerVariables(npx, {})).toEqual({
      values: { ACME_TOKEN: 'of-profile' },
      unset: [{ name: 'UNSET', file: '~/.npmrc', isOptional: false }],
    })
    expect(await finder.managerVariables('node', {})).toEqual({ values: {}, unset: [] })
    expect(await finder.environmentFor({})).not.toHaveProperty('ACME_TOKEN')
  })

  it('include the credentials of the indexes in uv.toml', async () => {
    mkdirSync(join(computer.home, '.config/uv'), { recursive: true })
    writeFileSync(
      join(computer.home, '.config/uv/uv.toml'),
      '[[index]]\nname = "acme-py"\nurl = "https://py.example.test/simple"\n',
    )
    const { finder } = computer.doctor({ profile: 'export UV_INDEX_ACME_PY_PASSWORD=secret' })
    expect(await finder.managerVariables('uvx', {})).toEqual({
      values: { UV_INDEX_ACME_PY_PASSWORD: 'secret' },
      unset: [],
    })
  })

  it("reach a server's start only if that fetches the package", () => {
    const values = { ACME_TOKEN: 'x' }
    expect(startVariables('npx', values, true)).toEqual({ npm_config_prefer_offline: 'true' })
    expect(startVariables('/opt/uvx', values, true)).toEqual({ UV_OFFLINE: '1' })
    expect(startVariables('npx', values, false)).toEqual(values)
    expect(startVariables('npx', {}, true)).toEqual({})
  })
})

describe('F13: variables of the login shell', () => {
  it("reach a server if they hold no secret and Patchbay doesn't have them", async () => {
    const profile = 'export JAVA_HOME=/opt/jdk GH_PAT=secret HOME=/other'
    const { finder } = computer.doctor({ profile })
    await finder.find('no-such-program')
    const env = await finder.environmentFor({})
    expect(env).toMatchObject({ JAVA_HOME: '/opt/jdk', HOME: computer.home })
    expect(env).not.toHaveProperty('GH_PAT')
  })
})
