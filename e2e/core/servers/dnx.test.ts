import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'

import { beforeEach, describe, expect, it } from 'vitest'

import type { PhaseRecord, StartPhase } from '../../../src-shared/domain/running/run-status'
import { FakeDotnet } from '../../fixtures/fake-dotnet'
import type { Harness } from '../../fixtures/harness'
import { isRunning } from '../../fixtures/is-running'
import { openHarness } from '../../fixtures/open-harness'
import { computerOnPath, type TinyComputer } from '../../fixtures/tiny-computer'

let computer: TinyComputer
let dotnet: FakeDotnet

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
  computer = computerOnPath()
  dotnet = new FakeDotnet(computer)
})

async function phase(
  harness: Harness,
  id: string,
  name: StartPhase,
): Promise<PhaseRecord | undefined> {
  return (await harness.view(id)).phases.find((record) => record.phase === name)
}

/** Names of the existing command folders. */
function scratch(harness: Harness): string[] {
  const root = join(harness.profileDir, 'scratch')
  return existsSync(root) ? readdirSync(root) : []
}

const fetches = (): string[] => dotnet.calls().filter((call) => call.startsWith('dotnet '))

describe.skipIf(process.platform === 'win32')(
  'B9: a .NET tool (with a fake dotnet, no SDK)',
  () => {
    it('is fetched before its server starts, with a temporary empty manifest', async () => {
      const harness = openHarness()
      const id = await harness.installReady(server('here'))
      const folder = dotnet.folder()
      expect(dotnet.calls()).toEqual([
        `dotnet tool install Notes.Server --version 1.2.0-beta.3 --tool-manifest ${folder}/.config/dotnet-tools.json`,
        'dnx Notes.Server@1.2.0-beta.3 --yes -- here',
      ])
      expect(dotnet.manifest()).toEqual({ version: 1, isRoot: true, tools: {} })
      expect(folder.startsWith(join(harness.profileDir, 'scratch', 'patchbay-fetch-'))).toBe(true)
      expect(scratch(harness)).toEqual([])
      expect(await harness.log(id)).toContain('fake dotnet: the tool is installed')
      expect((await phase(harness, id, 'handshake'))?.note).toBeUndefined()
    })

    it('is fetched once, for a second start and for other servers of the same package', async () => {
      dotnet.answerWith('sleep 0.3')
      const harness = openHarness()
      const ids = await Promise.all(
        ['one', 'two'].map((name) => harness.install(server(name), { name })),
      )
      for (const id of ids) await harness.until(id, 'ready')
      await harness.stop(ids[0] ?? '')
      await harness.call('server.start', { installationId: ids[0] ?? '' })
      await harness.until(ids[0] ?? '', 'ready')
      expect(fetches()).toHaveLength(1)
      const handshakes = await Promise.all(ids.map((id) => phase(harness, id, 'handshake')))
      expect(handshakes.map((record) => record?.note)).toEqual([undefined, undefined])
    })

    it("that can't be fetched in advance is left to the start, which gets the download's time", async () => {
      dotnet.answerWith('echo "fake dotnet: no such command" >&2; exit 1')
      const harness = openHarness()
      const budgets = { installMs: 30_000, handshakeMs: 10_000 }
      const id = await harness.installReady(server(), { budgets })
      expect(await phase(harness, id, 'install')).toMatchObject({
        outcome: 'skipped',
        note: 'continues at server start',
      })
      expect(await phase(harness, id, 'handshake')).toMatchObject({
        budgetMs: 30_000,
        note: 'downloading',
      })
      const log = await harness.log(id)
      expect(log).toContain('fake dotnet: no such command')
      expect(
        log.find((line) => line.includes('The server’s start continues the download')),
      ).toMatch(/^The package couldn’t be installed \(.*dotnet: exit code 1\)\./u)
      expect(scratch(harness)).toEqual([])
      await harness.call('server.restart', { installationId: id })
      await expect.poll(() => dotnet.calls().at(-1)).toMatch(/^dnx /u)
      await harness.until(id, 'ready')
      await expect.poll(async () => (await phase(harness, id, 'handshake'))?.budgetMs).toBe(10_000)
      expect(fetches()).toHaveLength(1)
    })

    it('is started even if its download exceeds the limit', async () => {
      dotnet.answerWith('exec sleep 1000')
      const harness = openHarness()
      const budgets = { installMs: 1_000, handshakeMs: 20_000 }
      const id = await harness.installReady(server(), { budgets })
      expect((await harness.log(id)).join('\n')).toContain(
        'The package was not installed within 1 s.',
      )
    })

    it('is no longer fetched once its start is canceled', async () => {
      dotnet.answerWith(`echo $$ > ${computer.home}/new; mv ${computer.home}/new ${computer.home}/pid
        trap '' TERM; while :; do sleep 0.1; done`)
      const harness = openHarness()
      const id = await harness.install(server())
      const file = join(computer.home, 'pid')
      await expect.poll(() => existsSync(file)).toBe(true)
      const pid = Number(readFileSync(file, 'utf8'))
      expect(scratch(harness)).toHaveLength(1)
      await harness.stop(id)
      expect(isRunning(pid)).toBe(false)
      expect(scratch(harness)).toEqual([])
      expect(dotnet.calls()).toHaveLength(1)
    })

    it('is fetched by a dotnet elsewhere on the PATH if dnx has none next to it, otherwise by dnx', async () => {
      rmSync(join(computer.bin, 'dotnet'))
      const harness = openHarness()
      const alone = await harness.installReady(server())
      expect((await phase(harness, alone, 'install'))?.outcome).toBe('skipped')
      expect((await phase(harness, alone, 'handshake'))?.note).toBe('downloading')
      const other = join(computer.home, 'other')
      dotnet.answerWith('', other)
      process.env.PATH = [computer.bin, other, process.env.PATH].join(delimiter)
      const id = await openHarness().install(server('again'))
      await expect.poll(() => fetches()).toHaveLength(1)
      expect(id).not.toBe(alone)
    })

    it("is not fetched if the server's folder configures NuGet differently", async () => {
      const project = join(computer.home, 'project')
      mkdirSync(join(project, 'src'), { recursive: true })
      writeFileSync(join(project, 'nuget.config'), '<configuration />')
      const harness = openHarness()
      const id = await harness.installReady(server())
      expect(fetches()).toHaveLength(1)
      const cwd = join(project, 'src')
      const of = { installationId: id }
      const { planHash } = await harness.call('launch.preview', { of, values: {}, cwd })
      const draft = { name: 'Notes', values: {}, budgets: {}, cwd, approvedPlan: planHash }
      await harness.call('installation.update', { ...of, ...draft })
      await harness.close()
      const next = openHarness(harness.memory)
      await next.until(id, 'ready')
      expect((await phase(next, id, 'handshake'))?.note).toBe('downloading')
      expect(fetches()).toHaveLength(1)
    })
  },
)
