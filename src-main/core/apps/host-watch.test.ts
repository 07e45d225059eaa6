import { rmSync } from 'node:fs'

import { describe, expect, it } from 'vitest'

import { AppFilesHarness } from '../../../e2e/fixtures/app-files-harness'
import { ManualClock } from '../../../e2e/fixtures/manual-clock'
import { pause } from '../../../e2e/fixtures/pause'
import { tempFolder } from '../../../e2e/fixtures/temp-folder'
import { watchHosts } from './host-watch'

describe('D6: searching for apps', () => {
  it('starts two seconds after the app, and repeats each minute in which a file has changed', async () => {
    const bench = new AppFilesHarness(tempFolder('hosts'))
    const path = bench.path('one.json')
    const time = new ManualClock()
    let looks = 0
    const look = (): Promise<void> => {
      looks += 1
      return Promise.resolve()
    }
    const paths = (): string[] => [path]
    bench.write('one.json', '{}')
    using watch = watchHosts({ time, platform: process.platform, paths, refresh: look })
    expect(watch).toBeDefined()
    const turn = async (ms: number): Promise<void> => {
      time.pass(ms)
      await expect.poll(() => time.waiting).toBe(1)
    }
    time.pass(1_999)
    expect(looks).toBe(0)
    await turn(1)
    expect(looks).toBe(1)
    await turn(60_000)
    expect(looks).toBe(1)
    bench.write('one.json', '{ }')
    await turn(60_000)
    expect(looks).toBe(2)
    rmSync(path)
    await turn(60_000)
    expect(looks).toBe(3)
  })

  it.skipIf(process.platform === 'win32')('never accesses files on another computer', async () => {
    const bench = new AppFilesHarness(tempFolder('hosts'))
    const time = new ManualClock()
    let looks = 0
    const refresh = (): Promise<void> => Promise.resolve(void (looks += 1))
    // On Windows such a path leads to another computer; here it leads to the file.
    const paths = (): string[] => [bench.path('two.json'), `/${bench.path('one.json')}`]
    bench.write('two.json', '{}')
    using watch = watchHosts({ time, platform: 'win32', paths, refresh })
    expect(watch).toBeDefined()
    for (const ms of [2_000, 60_000, 60_000]) {
      time.pass(ms)
      await expect.poll(() => time.waiting).toBe(1)
      bench.write('one.json', ' '.repeat(ms))
    }
    expect(looks).toBe(1)
  })

  it('ends with its owner', async () => {
    const time = new ManualClock()
    let looks = 0
    const look = (): Promise<void> => {
      looks += 1
      return Promise.resolve()
    }
    const watch = watchHosts({
      time,
      platform: process.platform,
      paths: () => ['/'],
      refresh: look,
    })
    expect(time.waiting).toBe(1)
    watch[Symbol.dispose]()
    expect(time.waiting).toBe(0)
    const other = watchHosts({
      time,
      platform: process.platform,
      paths: () => ['/'],
      refresh: look,
    })
    time.pass(2_000)
    other[Symbol.dispose]()
    await pause(100)
    expect([time.waiting, looks]).toEqual([0, 0])
  })

  it('emits changes, but on a computer without apps only on request', async () => {
    const bench = new AppFilesHarness(tempFolder('hosts'))
    await bench.harness.refresh(false)
    expect(bench.changes).toBe(0)
    expect(bench.harness.state).toMatchObject({ isRead: true, folders: [], changes: [] })
    expect(bench.harness.state.hosts.map(({ isHere }) => isHere)).toEqual([false, false, false])
    bench.write('.one/settings', '')
    await bench.harness.refresh(false)
    expect(bench.changes).toBe(1)
    expect(bench.harness.state.hosts.map(({ isHere }) => isHere)).toEqual([true, false, false])
    await bench.harness.refresh(false)
    expect(bench.changes).toBe(1)
    const files = bench.harness.state.hosts.flatMap((host) => host.files)
    expect(files.map(({ path, state }) => [path, state.kind])).toEqual([
      [bench.path('one.json'), 'absent'],
      [bench.path('two.json'), 'absent'],
      [bench.path('.three/three.json'), 'absent'],
    ])
  })

  it('uses the first existing file, otherwise the first with an existing folder', async () => {
    const bench = new AppFilesHarness(tempFolder('hosts'))
    const path = bench.write('older/one.json', '{"mcpServers":{"a":{},"b":{}}}')
    await bench.harness.refresh()
    expect(bench.harness.state.hosts[0]?.files).toMatchObject([
      { path, scope: 'user', state: { kind: 'read', servers: 2, isReadOnly: false } },
    ])
  })

  it('includes project folders that a user adds, and removed ones with a connection', async () => {
    const bench = new AppFilesHarness(tempFolder('hosts'))
    const folder = bench.path('project')
    await expect(bench.harness.addFolder('project')).rejects.toMatchObject({
      code: 'INVALID_VALUES',
    })
    await expect(bench.harness.addFolder(folder)).rejects.toMatchObject({ code: 'INVALID_VALUES' })
    bench.write('project/.two/mcp.json', '{}')
    await bench.harness.addFolder(`${folder}/`)
    await bench.harness.addFolder(folder)
    const files = (): string[] =>
      bench.harness.state.hosts.flatMap(({ hostId, files }) =>
        files.filter(({ scope }) => scope === 'folder').map(({ path }) => `${hostId} ${path}`),
      )
    expect(bench.harness.state.folders).toEqual([folder])
    expect(files()).toEqual([`two ${folder}/.two/mcp.json`])
    const later = new AppFilesHarness(bench.folder, bench.secrets)
    expect(later.ledger.folders).toEqual([folder])
    await bench.connect(bench.fileId('two', 'project/.two/mcp.json'), 'Two')
    await bench.harness.removeFolder(folder)
    expect(bench.harness.state.folders).toEqual([])
    expect(files()).toHaveLength(1)
    await bench.disconnect(bench.fileId('two', 'project/.two/mcp.json'))
    await bench.harness.refresh()
    expect(files()).toEqual([])
  })

  it('accepts at most fifty project folders', async () => {
    const bench = new AppFilesHarness(tempFolder('hosts'))
    for (let number = 0; number < 51; number += 1) bench.write(`p${String(number)}/x`, '')
    for (let number = 0; number < 50; number += 1)
      await bench.harness.addFolder(bench.path(`p${String(number)}`))
    await expect(bench.harness.addFolder(bench.path('p50'))).rejects.toMatchObject({
      code: 'INVALID_VALUES',
    })
    expect(bench.ledger.folders).toHaveLength(50)
  })
})
