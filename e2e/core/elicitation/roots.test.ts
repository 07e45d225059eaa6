import { mkdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

import { beforeEach, describe, expect, it } from 'vitest'

import { ElicitationHarness, repliesIn } from '../../fixtures/elicitation-harness'
import { openHarness } from '../../fixtures/open-harness'
import { tempFolder } from '../../fixtures/temp-folder'

let folder: string
beforeEach(() => {
  folder = tempFolder('roots')
})

const LIST = { requests: [{ method: 'roots/list' }] }
const CHANGED = 'notifications/roots/list_changed'

describe('E1: roots of a server', () => {
  it('are the granted folders without duplicates, and the server is notified of changes', async () => {
    const elicitation = await ElicitationHarness.open('sessions')
    const { harness, id } = elicitation
    expect(repliesIn(await elicitation.call('ask', LIST))).toEqual([{ roots: [] }])
    const work = join(folder, 'my work')
    mkdirSync(work)
    await harness.call('roots.set', {
      installationId: id,
      roots: [work, `${folder}/./my work/`, folder],
    })
    expect((await harness.view(id)).roots).toEqual([work, folder])
    await expect
      .poll(async () => (await elicitation.log()).filter((line) => line === CHANGED))
      .toHaveLength(1)
    expect(repliesIn(await elicitation.call('ask', LIST))).toEqual([
      {
        roots: [
          { uri: pathToFileURL(work).href, name: 'my work' },
          { uri: pathToFileURL(folder).href, name: folder.split(/[\\/]/u).at(-1) },
        ],
      },
    ])
    await harness.call('roots.set', { installationId: id, roots: [] })
    expect(repliesIn(await elicitation.call('ask', LIST))).toEqual([{ roots: [] }])
  })

  it('are requested for each call of a stateless server, and sent to no other', async () => {
    const elicitation = await ElicitationHarness.open('stateless')
    const { harness, id } = elicitation
    const other = await ElicitationHarness.open('stateless')
    await harness.call('roots.set', { installationId: id, roots: [folder] })
    expect(repliesIn(await elicitation.call('ask', LIST))).toEqual([
      { roots: [expect.objectContaining({ uri: pathToFileURL(folder).href })] },
    ])
    expect(repliesIn(await other.call('ask', LIST))).toEqual([{ roots: [] }])
    expect(await elicitation.log()).not.toContain(CHANGED)
  })

  it('are kept while the server is stopped, and across a restart of the app', async () => {
    const elicitation = await ElicitationHarness.open('sessions')
    const { harness, id } = elicitation
    await harness.stop(id)
    await harness.call('roots.set', { installationId: id, roots: [folder] })
    const again = openHarness(harness.memory)
    expect((await again.view(id)).roots).toEqual([folder])
  })

  it('are absolute paths of existing folders, or nothing is saved', async () => {
    const elicitation = await ElicitationHarness.open('sessions')
    const { harness, id } = elicitation
    const file = join(folder, 'file')
    writeFileSync(file, '')
    await harness.call('roots.set', { installationId: id, roots: [folder] })
    const cases: [string, string][] = [
      ['.', 'isn’t an absolute path'],
      ['', 'isn’t an absolute path'],
      [`${folder}\0`, 'isn’t an absolute path'],
      [join(folder, 'none'), 'can’t be read'],
      [file, 'isn’t a folder'],
    ]
    for (const [path, problem] of cases)
      await expect(
        harness.call('roots.set', { installationId: id, roots: [tmpdir(), path] }),
      ).rejects.toMatchObject({
        code: 'INVALID_VALUES',
        message: `Not saved: ${path.replaceAll('\0', '')} ${problem}.`,
      })
    await expect(
      harness.call('roots.set', { installationId: 'gone', roots: [folder] }),
    ).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect((await harness.view(id)).roots).toEqual([folder])
  })
})
