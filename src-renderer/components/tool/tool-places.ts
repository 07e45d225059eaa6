/** What can be tried of a server. */
const TOOL_RUN_KINDS = ['tool', 'resource', 'template', 'prompt'] as const
export type ToolRunKind = (typeof TOOL_RUN_KINDS)[number]

/** Whether a part of an address names something that can be tried. */
export function isToolRunKind(text: string): text is ToolRunKind {
  return TOOL_RUN_KINDS.some((kind) => kind === text)
}

/** The place where something of a server is tried: a tool or prompt by its name, a resource by its address, a template by its pattern. */
export function toolRunPlace(installationId: string, kind: ToolRunKind, name: string): string {
  return `/servers/${installationId}/try/${kind}/${encodeURIComponent(name.toWellFormed())}`
}

/** The page where held tools of a server are approved or rejected, at one of them where `name` tells which. */
export function reviewPlace(installationId: string, name?: string): string {
  const at = name === undefined ? '' : `?tool=${encodeURIComponent(name)}`
  return `/servers/${installationId}/review${at}`
}
