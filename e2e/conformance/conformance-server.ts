import { McpServer } from '@modelcontextprotocol/server'

import { addAsks, verifyState } from './fixture-elicitation'
import { addPrompts, addResources } from './fixture-offers'
import { addTool, addTools, text } from './fixture-tools'
import type { Toggles } from './toggles'

/** A server with everything the scenarios need, for one connection or one request. */
export function conformanceServer(toggles: Toggles): McpServer {
  const listChanged = true
  const server = new McpServer(
    { name: 'patchbay-conformance', version: '1.0.0' },
    {
      capabilities: {
        tools: { listChanged },
        resources: { subscribe: true, listChanged },
        prompts: { listChanged },
        completions: {},
        logging: {},
      },
      requestState: { verify: verifyState },
    },
  )
  addTools(server)
  addAsks(server)
  addResources(server)
  addPrompts(server)
  addToggles(server, toggles)
  return server
}

/** A tool and a prompt that come and go, and the tools that toggle them. */
function addToggles(server: McpServer, toggles: Toggles): void {
  const tool = addTool(server, 'test_toggled', () => ({ content: [] }))
  const config = { description: 'Comes and goes' }
  const prompt = server.registerPrompt('test_toggled', config, () => ({ messages: [] }))
  const show = (): void => {
    tool.update({ enabled: toggles.isThere.tools })
    prompt.update({ enabled: toggles.isThere.prompts })
  }
  show()
  const following = toggles.onDidChange((kind) => {
    if (kind === 'tools') tool.update({ enabled: toggles.isThere.tools })
    else prompt.update({ enabled: toggles.isThere.prompts })
  })
  server.server.onclose = () => {
    following[Symbol.dispose]()
  }
  for (const [name, kind] of [
    ['test_trigger_tool_change', 'tools'],
    ['test_trigger_prompt_change', 'prompts'],
  ] as const)
    addTool(server, name, () => {
      toggles.change(kind)
      return { content: [text('It changed.')] }
    })
}
