import type { Capabilities } from '../../../src-shared/domain/agents/capability'

/** What a page shows of a listing: the fields that it knows, without what servers write beside them for agents. */
export function shownCapabilities(capabilities: Capabilities): Capabilities {
  const { tools, resources, resourceTemplates, prompts, notices } = capabilities
  return {
    tools: tools.map(({ name, title, description, inputSchema, outputSchema, annotations }) => {
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
