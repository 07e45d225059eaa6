/** Address of the official MCP registry, without `/v0.1`. */
export const OFFICIAL_REGISTRY = 'https://registry.modelcontextprotocol.io'

/** Whether the registry at this address verifies that a publisher owns the namespace. */
export function checksNamespaces(baseUrl: string): boolean {
  return (
    baseUrl.startsWith(OFFICIAL_REGISTRY) && /^\/*$/.test(baseUrl.slice(OFFICIAL_REGISTRY.length))
  )
}
