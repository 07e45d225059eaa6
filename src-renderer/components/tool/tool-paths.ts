const TOOL_RUN_KINDS = ['tool', 'resource', 'template', 'prompt'] as const
export type ToolRunKind = (typeof TOOL_RUN_KINDS)[number]

/** Whether a part of an address names a kind that Try it supports. */
export function isToolRunKind(text: string): text is ToolRunKind {
  return TOOL_RUN_KINDS.some((kind) => kind === text)
}

/** Returns the address of a Try it page: a tool or prompt by name, a resource by address, a template by pattern. */
export function toolRunPath(installationId: string, kind: ToolRunKind, name: string): string {
  return `/servers/${installationId}/try/${kind}/${encodeURIComponent(name.toWellFormed())}`
}

/** Returns the address of the page that reviews a server's held tools; `name` selects one of them. */
export function reviewPath(installationId: string, name?: string): string {
  const at = name === undefined ? '' : `?tool=${encodeURIComponent(name)}`
  return `/servers/${installationId}/review${at}`
}
