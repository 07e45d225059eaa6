import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, it, onTestFinished } from 'vitest'

import { AgentBench, type ConnectedAgent, ERAS, textOf } from '../../../../e2e/fixtures/agent-bench'
import { tempFolder } from '../../../../e2e/fixtures/temp-folder'
import { POLL, Profile } from '../../../../e2e/fixtures/tool-desk'

async function toolsOf({ ask }: ConnectedAgent): Promise<string[]> {
  const { tools } = (await ask('tools/list')) as { tools: { name: string }[] }
  return tools.map(({ name }) => name)
}

describe.each(ERAS)('D6 an agent of the %s era that comes while servers start', (era) => {
  it('gets the lists of before at once, and what it calls and what changed when they serve', async () => {
    const profile = new Profile()
    const bench = new AgentBench()
    onTestFinished(async () => {
      await bench.close()
      await profile.close()
    })
    const folder = tempFolder('starting')
    const [gate, file] = [join(folder, 'gate'), join(folder, 'offer.json')]
    const offer = (...tools: string[]): void => writeFileSync(file, JSON.stringify({ tools }))
    const kind = async (id: string): Promise<string> => (await bench.desk.view(id)).status.kind

    offer('first', 'second')
    await bench.reopen(profile)
    const id = await bench.addServer('shop', 'late-start.mjs', [gate, file])
    const { key } = await bench.addAgent('Anna')

    writeFileSync(gate, '')
    offer('first')
    await bench.reopen(profile)
    await bench.untilOpen()
    const agent = await bench.connect(key, era)
    if (era === 'newer') await agent.client.listen({ toolsListChanged: true })
    expect(await toolsOf(agent)).toEqual(['shop__first', 'shop__second'])
    const answers: string[] = []
    const params = { name: 'shop__first', arguments: { a: 1 } }
    const called = agent.ask('tools/call', params).then((result) => answers.push(textOf(result)))
    await expect.poll(() => kind(id), POLL).toBe('starting')
    // What is listed and called meanwhile waits for nothing, and for the server alone.
    expect(await toolsOf(agent)).toEqual(['shop__first', 'shop__second'])
    expect(await kind(id)).toBe('starting')
    expect({ answers, told: agent.told }).toEqual({ answers: [], told: [] })

    rmSync(gate)
    await called
    expect(answers).toEqual(['{"name":"first","arguments":{"a":1}}'])
    await expect
      .poll(() => agent.told.map(({ method }) => method), POLL)
      .toEqual(['notifications/tools/list_changed'])
    expect(await toolsOf(agent)).toEqual(['shop__first'])
    const heard = (await bench.desk.log(id)).filter((line) => line.startsWith('called '))
    expect(heard).toHaveLength(1)
  })
})
