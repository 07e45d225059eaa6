import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { AgentBench, ERAS } from '../../../../e2e/fixtures/agent-bench'
import { RawServer } from '../../../../e2e/fixtures/raw-server'
import { untilServing } from '../../../../e2e/fixtures/tool-desk'

const URI = 'memo://insights'
const SERVERS = ['one', 'two'] as const

let raws: RawServer[] = []
let bench: AgentBench
beforeEach(async () => {
  bench = await new AgentBench().open()
  raws = []
  for (const name of SERVERS) {
    const texts = {
      'tools/list': { tools: [{ name: 'note', inputSchema: { type: 'object' } }] },
      'resources/list': { resources: [{ uri: URI, name: 'insights' }] },
      'resources/read': { contents: [{ uri: URI, text: `of ${name}` }] },
      note: { content: [{ type: 'resource_link', uri: URI, name: 'insights' }] },
    }
    const results = Object.entries(texts).map(([key, text]) => [key, JSON.stringify(text)])
    const raw = new RawServer({ results: Object.fromEntries(results) as Record<string, string> })
    raws.push(raw)
    await untilServing(bench.desk, await bench.desk.install(raw.server, { name }))
  }
})
afterEach(async () => {
  await bench.close()
  for (const raw of raws) raw.close()
})

describe.each(ERAS)('F5 a resource of two servers, for an agent of the %s era', (era) => {
  it('is read where its address or the link in a result leads, and else at none', async () => {
    const { key } = await bench.addAgent('Anna')
    const { ask } = await bench.connect(key, era)
    const read = async (uri = ''): Promise<unknown> =>
      (await ask('resources/read', { uri })).contents
    await expect(read(URI)).rejects.toThrow('Several servers offer this resource: one and two.')
    const { resources } = (await ask('resources/list')) as { resources: { uri: string }[] }
    const listed = await Promise.all(resources.map(({ uri }) => read(uri)))
    expect(listed).toMatchObject([[{ text: 'of one' }], [{ text: 'of two' }]])
    for (const name of SERVERS) {
      await ask('tools/call', { name: `${name}__note`, arguments: {} })
      expect(await read(URI)).toMatchObject([{ text: `of ${name}` }])
    }
  })
})
