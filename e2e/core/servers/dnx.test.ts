import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import type { PhaseRecord, StartPhase } from '../../../src-shared/domain/running/run-status'
import { type Desk, Desks } from '../../fixtures/desk'
import { FakeDotnet } from '../../fixtures/fake-dotnet'
import { isRunning } from '../../fixtures/is-running'
import { TinyComputer } from '../../fixtures/tiny-computer'

const desks = new Desks()
let computer: TinyComputer
let dotnet: FakeDotnet
let path: string | undefined

const server = (...args: string[]): object => ({
  name: 'test.fixture/notes',
  title: 'Notes',
  description: 'A server that comes as a .NET tool.',
  version: '1.0.0',
  packages: [
    {
      registryType: 'nuget',
      identifier: 'Notes.Server',
      version: '1.2.0-beta.3',
      transport: { type: 'stdio' },
      packageArguments: args.map((value) => ({ type: 'positional', value })),
    },
  ],
})

beforeEach(() => {
  computer = new TinyComputer()
  dotnet = new FakeDotnet(computer)
  path = process.env.PATH
  process.env.PATH = [computer.bin, path].join(delimiter)
})
afterEach(async () => {
  process.env.PATH = path
  await desks.closeAll()
  computer[Symbol.dispose]()
})

async function phase(desk: Desk, id: string, name: StartPhase): Promise<PhaseRecord | undefined> {
  return (await desk.view(id)).phases.find((record) => record.phase === name)
}

/** Names of the folders that are there for commands that run. */
function scratch(desk: Desk): string[] {
  const root = join(desk.profileDir, 'scratch')
  return existsSync(root) ? readdirSync(root) : []
}

const fetches = (): string[] => dotnet.calls().filter((call) => call.startsWith('dotnet '))

describe.skipIf(process.platform === 'win32')(
  'B9 a .NET tool (over a fake dotnet: no SDK here)',
  () => {
    it('is fetched before its server starts, beside an empty manifest that is gone afterwards', async () => {
      const desk = desks.open()
      const id = await desk.install(server('here'))
      await desk.until(id, 'ready')
      const folder = dotnet.folder()
      expect(dotnet.calls()).toEqual([
        `dotnet tool install Notes.Server --version 1.2.0-beta.3 --tool-manifest ${folder}/.config/dotnet-tools.json`,
        'dnx Notes.Server@1.2.0-beta.3 --yes -- here',
      ])
      expect(dotnet.manifest()).toEqual({ version: 1, isRoot: true, tools: {} })
      expect(folder.startsWith(join(desk.profileDir, 'scratch', 'patchbay-fetch-'))).toBe(true)
      expect(scratch(desk)).toEqual([])
      expect(await desk.log(id)).toContain('fake dotnet: the tool is installed')
      expect((await phase(desk, id, 'handshake'))?.note).toBeUndefined()
    })

    it('is fetched once, for a second start and for other servers of the same package', async () => {
      dotnet.answerWith('sleep 0.3')
      const desk = desks.open()
      const ids = await Promise.all(
        ['one', 'two'].map((name) => desk.install(server(name), { name })),
      )
      for (const id of ids) await desk.until(id, 'ready')
      await desk.call('server.stop', { installationId: ids[0] ?? '' })
      await desk.until(ids[0] ?? '', 'stopped')
      await desk.call('server.start', { installationId: ids[0] ?? '' })
      await desk.until(ids[0] ?? '', 'ready')
      expect(fetches()).toHaveLength(1)
      const handshakes = await Promise.all(ids.map((id) => phase(desk, id, 'handshake')))
      expect(handshakes.map((record) => record?.note)).toEqual([undefined, undefined])
    })

    it('that cannot be fetched ahead is left to the start, which then has the time of a download', async () => {
      dotnet.answerWith('echo "fake dotnet: no such command" >&2; exit 1')
      const desk = desks.open()
      const budgets = { installMs: 30_000, handshakeMs: 10_000 }
      const id = await desk.install(server(), { budgets })
      await desk.until(id, 'ready')
      expect(await phase(desk, id, 'install')).toMatchObject({
        outcome: 'skipped',
        note: 'continues at server start',
      })
      expect(await phase(desk, id, 'handshake')).toMatchObject({
        budgetMs: 30_000,
        note: 'downloading',
      })
      const log = await desk.log(id)
      expect(log).toContain('fake dotnet: no such command')
      expect(
        log.find((line) => line.includes('The server’s start continues the download')),
      ).toMatch(/^The package couldn’t be installed \(.*dotnet: exit code 1\)\./u)
      expect(scratch(desk)).toEqual([])
      await desk.call('server.restart', { installationId: id })
      await expect.poll(() => dotnet.calls().at(-1)).toMatch(/^dnx /u)
      await desk.until(id, 'ready')
      await expect.poll(async () => (await phase(desk, id, 'handshake'))?.budgetMs).toBe(10_000)
      expect(fetches()).toHaveLength(1)
    })

    it('whose fetch takes longer than its limit is started all the same', async () => {
      dotnet.answerWith('exec sleep 1000')
      const desk = desks.open()
      const budgets = { installMs: 1_000, handshakeMs: 20_000 }
      const id = await desk.install(server(), { budgets })
      await desk.until(id, 'ready')
      expect((await desk.log(id)).join('\n')).toContain('The package was not installed within 1 s.')
    })

    it('is fetched no more once its start is cancelled', async () => {
      dotnet.answerWith(`echo $$ > ${computer.home}/new; mv ${computer.home}/new ${computer.home}/pid
        trap '' TERM; while :; do sleep 0.1; done`)
      const desk = desks.open()
      const id = await desk.install(server())
      const file = join(computer.home, 'pid')
      await expect.poll(() => existsSync(file), { timeout: 60_000 }).toBe(true)
      const pid = Number(readFileSync(file, 'utf8'))
      expect(scratch(desk)).toHaveLength(1)
      await desk.call('server.stop', { installationId: id })
      await desk.until(id, 'stopped')
      expect(isRunning(pid)).toBe(false)
      expect(scratch(desk)).toEqual([])
      expect(dotnet.calls()).toHaveLength(1)
    })

    it('is fetched by a dotnet elsewhere on the PATH where none is beside dnx, and without one by dnx', async () => {
      rmSync(join(computer.bin, 'dotnet'))
      const desk = desks.open()
      const alone = await desk.install(server())
      await desk.until(alone, 'ready')
      expect((await phase(desk, alone, 'install'))?.outcome).toBe('skipped')
      expect((await phase(desk, alone, 'handshake'))?.note).toBe('downloading')
      const other = join(computer.home, 'other')
      dotnet.answerWith('', other)
      process.env.PATH = [computer.bin, other, path].join(delimiter)
      const id = await desks.open().install(server('again'))
      await expect.poll(() => fetches()).toHaveLength(1)
      expect(id).not.toBe(alone)
    })

    it('is not fetched where NuGet is told something else in the folder of the server', async () => {
      const project = join(computer.home, 'project')
      mkdirSync(join(project, 'src'), { recursive: true })
      writeFileSync(join(project, 'nuget.config'), '<configuration />')
      const desk = desks.open()
      const id = await desk.install(server())
      await desk.until(id, 'ready')
      expect(fetches()).toHaveLength(1)
      const cwd = join(project, 'src')
      const of = { installationId: id }
      const { planHash } = await desk.call('launch.preview', { of, values: {}, cwd })
      const draft = { name: 'Notes', values: {}, budgets: {}, cwd, approvedPlan: planHash }
      await desk.call('installation.update', { ...of, ...draft })
      await desk.close()
      const next = desks.open(desk.memory)
      await next.until(id, 'ready')
      expect((await phase(next, id, 'handshake'))?.note).toBe('downloading')
      expect(fetches()).toHaveLength(1)
    })
  },
)
