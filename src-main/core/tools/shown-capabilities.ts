import type { Capabilities } from '../../../src-shared/domain/agents/capability'
import { agentDefinition } from './definitions/agent-definition'

/** Returns what a page shows of a listing: the known fields, normalized as for agents. */
export function shownCapabilities(capabilities: Capabilities): Capabilities {
  const { tools, resources, resourceTemplates, prompts, notices } = capabilities
  return {
    tools: tools.map((tool) => {
      const { name, title, description, inputSchema, outputSchema, annotations } =
        agentDefinition('Tool', tool).valid ?? tool
      return { name, title, description, inputSchema, outputSchema, annotations }
    }),
    resources: resources.map(({ uri, name, title, description, mimeType }) => {
      return { uri, name, title, description, mimeType }
    }),
    resourceTemplates: resourceTemplates.map(
      ({ uriTemplate, name, title, description, mimeType }) => {
        return { uriTemplate, name, title, description, mimeType }
      },
    ),
    prompts: prompts.map(({ name, title, description, arguments: args }) => {
      return { name, title, description, arguments: args }
    }),
    notices,
  }
}
